"""A user's preferences for a list: its columns, and saved views."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest

from portal.access.http import PortalRequest
from portal.access.models import User
from portal.ui.models import ListColumns, SavedView
from portal.ui.tables import Table, title_of

VIEW = "view"  # the name of the open one in an address
_MOST = 50
_LONGEST = 40


@dataclass(frozen=True)
class ColumnChoice:
    """A column that can be shown; `is_fixed` ones always are."""

    name: str
    title: str
    is_shown: bool
    is_fixed: bool


def choices(table: Table, chosen: Iterable[str]) -> list[ColumnChoice]:
    """Every column of the table; what was chosen of others is nothing to it."""
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
    kept = ListColumns.objects.filter(user=user, list_name=list_name)
    return next(iter(kept.values_list("columns", flat=True)), [])


def shown_in(request: PortalRequest, list_name: str, table: Table) -> list[str]:
    """The names of the columns that this person sees in a list."""
    views = saved(request, list_name)
    chosen = chosen_by(request.user, list_name, opened(request, views))
    return [choice.name for choice in choices(table, chosen) if choice.is_shown]


def save_columns(user: User, list_name: str, names: Iterable[str]) -> None:
    """Keeps a choice; an empty one brings the usual columns back."""
    kept = readable(names)
    if kept:
        ListColumns.objects.update_or_create(
            user=user, list_name=list_name, defaults={"columns": kept}
        )
    else:
        ListColumns.objects.filter(user=user, list_name=list_name).delete()


def readable(names: Iterable[str]) -> list[str]:
    """Names of columns as they may be kept, whatever was sent."""
    return [name for name in names if name.isidentifier() and len(name) <= _LONGEST][:_MOST]


def saved(request: PortalRequest, list_name: str) -> list[SavedView]:
    """The views of a list, in the order in which they were made."""
    return list(views_of(request, list_name))


def opened(request: HttpRequest, views: list[SavedView]) -> SavedView | None:
    """The view that the address names."""
    wanted = request.GET.get(VIEW, "")
    return next((view for view in views if str(view.pk) == wanted), None)


def views_of(request: PortalRequest, list_name: str) -> QuerySet[SavedView]:
    """None for whoever is limited to a part of the people: filters of others can name anybody."""
    if request.scope.is_narrow:
        return SavedView.objects.none()
    return SavedView.objects.filter(
        connection=request.connection, user=request.user, list_name=list_name
    )
