"""A user's preferences for a list: its columns, and saved views."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest
from portal.access.models import User
from portal.connections.connected import NoOperation, connected
from portal.translation import gettext as _
from portal.ui.exports import ExportColumn
from portal.ui.models import ListColumns, SavedView
from portal.ui.numbers import whole
from portal.ui.pages import SeeOther, toast
from portal.ui.preferences import way_back
from portal.ui.tables import Table, title_of

VIEW = "view"  # the name of the open one in an address
_MOST_COLUMNS = 50
_LONGEST = 40
OWN = NoOperation("Columns and views are their user's own, and show nothing by themselves.")
_MOST = 20
LONGEST_NAME = 40
_NOT_SAVED = ("page", VIEW)


@dataclass(frozen=True)
class ColumnChoice:
    """A column that can be shown; `is_fixed` ones always are."""

    name: str
    title: str
    is_shown: bool
    is_fixed: bool


def choices(table: Table, chosen: Iterable[str]) -> list[ColumnChoice]:
    """Returns every column of the table; other names that were chosen are ignored."""
    wanted = set(chosen) or set(table.columns.names()) - set(table.optional)
    fixed = {next(iter(table.columns.names())), *table.fixed}
    return [
        ColumnChoice(
            column.name,
            title_of(column),
            is_shown=column.name in wanted or column.name in fixed,
            is_fixed=column.name in fixed,
        )
        for column in table.columns.iterall()
    ]


def chosen_by(user: User, list_name: str, view: SavedView | None) -> list[str]:
    """Returns the columns chosen for the open view, or for the list; empty if none were."""
    if view and view.columns:
        return list(view.columns)
    stored = ListColumns.objects.filter(user=user, list_name=list_name)
    return next(iter(stored.values_list("columns", flat=True)), [])


def exported_columns(request: PortalRequest, list_name: str, table: Table) -> list[ExportColumn]:
    """Returns the columns of a file of a list: those that its viewer sees, or, with `columns=all`
    in the address, all."""
    if request.GET.get("columns") == "all":
        return table.exported(None)
    view = opened(request, views_of(request, list_name))
    chosen = chosen_by(request.user, list_name, view)
    return table.exported([one.name for one in choices(table, chosen) if one.is_shown])


def readable(names: Iterable[str]) -> list[str]:
    """Returns the names of columns that may be stored."""
    return [name for name in names if name.isidentifier() and len(name) <= _LONGEST][:_MOST_COLUMNS]


def opened(request: HttpRequest, views: Iterable[SavedView]) -> SavedView | None:
    """Returns the view that the address names."""
    wanted = request.GET.get(VIEW, "")
    return next((view for view in views if str(view.pk) == wanted), None)


def views_of(request: PortalRequest, list_name: str) -> QuerySet[SavedView]:
    """Returns the views of a list, the oldest first; none for a user who is limited to some of the
    people: filters of views can name others."""
    if request.scope.is_narrow:
        return SavedView.objects.none()
    return SavedView.objects.filter(
        connection=request.connection, user=request.user, list_name=list_name
    )


@require_POST
@connected(needs=OWN)
def choose_columns(request: PortalRequest, name: str) -> HttpResponse:
    """Stores the columns that were ticked, for the open view or for the list; none of them bring
    the usual columns back."""
    usual = "usual" in request.POST
    chosen = [] if usual else readable(request.POST.getlist("columns"))
    view_id = whole(request.POST.get(VIEW, ""))
    own: dict[str, Any] = {"user": request.user, "list_name": name}
    if view_id is not None:
        view = get_object_or_404(views_of(request, name), pk=view_id)
        view.columns = chosen
        view.save(update_fields=["columns"])
    elif chosen:
        ListColumns.objects.update_or_create(**own, defaults={"columns": chosen})
    else:
        ListColumns.objects.filter(**own).delete()
    return SeeOther(way_back(request))


@require_POST
@connected(needs=OWN)
def save_view(request: PortalRequest, name: str) -> HttpResponse:
    """Saves the list as it is under a name; a view of that name is replaced."""
    title = _title(request)
    if refusal := _refusal(title):
        toast(request, "warning", refusal)
        return SeeOther(way_back(request))
    if views_of(request, name).exclude(name=title).count() >= _MOST:
        toast(
            request,
            "warning",
            _("You already have %(count)s views. Delete one first.") % {"count": _MOST},
        )
        return SeeOther(way_back(request))
    query = QueryDict(request.POST.get("query", ""), mutable=True)
    for left in _NOT_SAVED:
        query.pop(left, None)
    stored = {"query": query.urlencode(), "columns": readable(request.POST.getlist("columns"))}
    view, _created = SavedView.objects.update_or_create(
        connection=request.connection,
        user=request.user,
        list_name=name,
        name=title,
        defaults=stored,
    )
    toast(request, "good", _("View “%(title)s” saved.") % {"title": title})
    return _open(request, view)


@require_POST
@connected(needs=OWN)
def rename_view(request: PortalRequest, name: str, pk: int) -> HttpResponse:
    view = get_object_or_404(views_of(request, name), pk=pk)
    title = _title(request)
    words = _refusal(title)
    if not words and views_of(request, name).filter(name=title).exclude(pk=pk).exists():
        words = _("A view named “%(title)s” already exists.") % {"title": title}
    if words:
        toast(request, "warning", words)
    else:
        view.name = title
        view.save(update_fields=["name"])
    return _open(request, view)


@require_POST
@connected(needs=OWN)
def delete_view(request: PortalRequest, name: str, pk: int) -> HttpResponse:
    view = get_object_or_404(views_of(request, name), pk=pk)
    view.delete()
    toast(request, "good", _("View “%(name)s” deleted.") % {"name": view.name})
    return SeeOther(_list(request))


def _title(request: PortalRequest) -> str:
    return " ".join(request.POST.get("name", "").replace("\0", "").split())


def _refusal(title: str) -> str:
    """Returns what is wrong with the name of a view; empty for a good one."""
    if not title:
        return _("Enter a name for the view.")
    if len(title) > LONGEST_NAME:
        return _("The name of a view can have at most %(most)s characters.") % {
            "most": LONGEST_NAME
        }
    return ""


def _list(request: PortalRequest) -> str:
    return way_back(request).partition("?")[0]


def _open(request: PortalRequest, view: SavedView) -> HttpResponse:
    query = QueryDict(view.query, mutable=True)
    query[VIEW] = str(view.pk)
    return SeeOther(f"{_list(request)}?{query.urlencode()}")
