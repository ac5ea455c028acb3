"""Views that save a user's list preferences: its columns, and saved views."""

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from portal.access.connected import NoOperation, connected
from portal.access.http import PortalRequest
from portal.translation import gettext as _
from portal.ui.list_preferences import VIEW, readable, save_columns, views_of
from portal.ui.models import SavedView
from portal.ui.numbers import whole
from portal.ui.pages import SeeOther
from portal.ui.preferences import way_back
from portal.ui.toasts import toast

OWN = NoOperation("Everybody keeps their own columns and views, which show nothing by themselves.")
_MOST = 20
LONGEST_NAME = 40
_NOT_KEPT = ("page", VIEW)


@require_POST
@connected(needs=OWN)
def choose_columns(request: PortalRequest, name: str) -> HttpResponse:
    """Keeps the columns that were ticked, for the open view or for the list."""
    usual = "usual" in request.POST
    chosen = [] if usual else readable(request.POST.getlist("columns"))
    opened = whole(request.POST.get(VIEW, ""))
    if opened is not None:
        view = get_object_or_404(views_of(request, name), pk=opened)
        view.columns = chosen
        view.save(update_fields=["columns"])
    else:
        save_columns(request.user, name, chosen)
    return SeeOther(way_back(request))


@require_POST
@connected(needs=OWN)
def save_view(request: PortalRequest, name: str) -> HttpResponse:
    """Keeps the list as it is under a name; a name that is there already is taken over."""
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
    for left in _NOT_KEPT:
        query.pop(left, None)
    kept = {"query": query.urlencode(), "columns": readable(request.POST.getlist("columns"))}
    view, _created = SavedView.objects.update_or_create(
        connection=request.connection,
        user=request.user,
        list_name=name,
        name=title,
        defaults=kept,
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
