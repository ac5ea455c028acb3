"""A list page: a table with its pages, and what can be done to the rows that somebody chooses.

A list declares its `ListSpec` once; a view makes a `Listing` of it and a template includes
`ui/list_results.html` with it as `list`.
"""

from dataclasses import dataclass

from django.core.paginator import Page
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.ui.filters import ListFilter
from portal.ui.list_preferences import choices, chosen_by, opened, saved
from portal.ui.paging import pages_of
from portal.ui.selection import Action, bar
from portal.ui.tables import Table


@dataclass(frozen=True)
class ListSpec:
    """The subject of a list. Columns, and views if it `keeps_views`, are stored under `name`;
    `args` follow the connection in the path to its files, and `file` is their name."""

    name: str
    one: str
    many: str
    actions: tuple[Action, ...] = ()
    export_url_name: str = ""
    args: tuple[str, ...] = ()
    file: str = ""
    keeps_views: bool = True


@dataclass(frozen=True)
class ViewLink:
    """The tab of a saved view."""

    name: str
    url: str
    is_current: bool


class Listing:
    """A list as this person sees it now.

    `count` is how many rows there are, where that is known; else they are counted. With `number`
    the table has the rows of that page alone. `note` is said beside how many were found.
    """

    def __init__(
        self,
        request: PortalRequest,
        spec: ListSpec,
        filters: ListFilter,
        table: Table,
        *,
        count: int | None = None,
        number: int | None = None,
        note: str = "",
    ) -> None:
        self.spec = spec
        self.filters = filters
        self.table = table
        self.note = note
        is_first = request.GET.get("page", "1") in ("", "1")
        paginator = pages_of(table, filters.page_size, None if number else count, is_first=is_first)
        if number and count is not None:
            paginator.count = count
        self.count: int = paginator.count
        self.bar = bar(request, spec.actions, (spec.one, spec.many), self.count, filters.query)
        self._request = request
        self.views = saved(request, spec.name) if spec.keeps_views else []
        self.view = opened(request, self.views)
        self.columns = choices(table, chosen_by(request.user, spec.name, self.view))
        table.show(self.shown)
        table.before_render(request)
        table.selects = self.bar is not None
        table.paginator = paginator
        table.page = (
            Page(table.rows, number, paginator)
            if number
            else paginator.get_page(request.GET.get("page"))
        )

    @property
    def page(self) -> "Page[object]":
        page: Page[object] = self.table.page
        return page

    def _file_url(self, kind: str) -> str:
        args = [self._request.connection.key, *self.spec.args, kind]
        return reverse(self.spec.export_url_name, args=args)

    @property
    def csv_url(self) -> str:
        return self._file_url("csv")

    @property
    def xlsx_url(self) -> str:
        return self._file_url("xlsx")

    @property
    def shown(self) -> list[str]:
        """The columns that are shown, by name."""
        return [column.name for column in self.columns if column.is_shown]

    @property
    def query(self) -> str:
        """Returns the query of the list's address, without the page."""
        query = self._request.GET.copy()
        query.pop("page", None)
        return query.urlencode()

    @property
    def view_links(self) -> list[ViewLink]:
        return [
            ViewLink(
                view.name, f"?{view.query}&view={view.pk}".replace("?&", "?"), view == self.view
            )
            for view in self.views
        ]

    @property
    def noun(self) -> str:
        return self.spec.one if self.count == 1 else self.spec.many
