"""A list page: a table with its pages, and what can be done to the rows that are selected."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.urls import reverse
from django_tables2.data import TableListData
from django_tables2.rows import BoundRows

from portal.access.http import PortalRequest
from portal.ui.filters import ListFilter
from portal.ui.list_preferences import choices, chosen_by, opened, views_of
from portal.ui.selection import Action, bar
from portal.ui.tables import Table

_NEAR = 1000


def pages_of(
    table: Table, per_page: int, count: int | None = None, *, is_first: bool = False
) -> Paginator[Any]:
    """Returns the pages of a table; `count` is how many rows there are, if that is known.
    `is_first` says that the first page is asked for."""
    if isinstance(table.data.data, QuerySet):
        return RowsOnce(table, per_page, count, is_first=is_first)
    return Paginator(table.rows, per_page)


class RowsOnce(Paginator[Any]):
    """Pages of a table over a query, which reads hardly any rows but those that it shows.

    The keys of a page far down are looked up first, from the nearer end, by an index if there is
    one in the table's order: it then costs little more than the first. So are those of any page,
    if the query adds something to its rows, which no database then does for others. Rows that
    all stand on the first page are counted there, and not by a query of their own.
    """

    def __init__(
        self, table: Table, per_page: int, count: int | None = None, *, is_first: bool = False
    ) -> None:
        self._table = table
        self._is_first = is_first
        self._query: QuerySet[Any] = table.data.data
        query = self._query.query
        self._has_keys = query.group_by is None  # groups have none
        self._adds = self._has_keys and bool(query.annotations or query.select_related)
        super().__init__(self._query, per_page)
        if count is not None:
            self.count = count

    @cached_property
    def count(self) -> int:
        if self._is_first and len(self._head) <= self.per_page:
            return len(self._head)
        return self._query.count()

    @cached_property
    def _head(self) -> list[object]:
        """Returns the first page, and one row more if there is one, or the keys of these."""
        return list(self._selected[: self.per_page + 1])

    @property
    def _selected(self) -> QuerySet[Any]:
        return self._query.values_list("pk", flat=True) if self._adds else self._query

    def page(self, number: int | str) -> Page[Any]:
        valid = self.validate_number(number)
        first = (valid - 1) * self.per_page
        last = min(first + self.per_page, self.count)
        shown = TableListData(self._rows(first, last))
        shown.set_table(self._table)
        return Page(BoundRows(shown, self._table), valid, self)

    def _rows(self, first: int, last: int) -> list[Any]:
        if first >= _NEAR and self._has_keys:
            return self._of(self._far(first, last))
        is_head = not first and self._is_first
        result = self._head[:last] if is_head else list(self._selected[first:last])
        return self._of(result) if self._adds else result

    def _far(self, first: int, last: int) -> list[object]:
        """Returns the keys of a page."""
        if first > self.count // 2:
            backwards = self._query.reverse().values_list("pk", flat=True)
            return list(backwards[self.count - last : self.count - first])[::-1]
        return list(self._query.values_list("pk", flat=True)[first:last])

    def _of(self, keys: list[object]) -> list[object]:
        # The rows are known by their keys; the query is run again only for what it adds.
        rows = self._query if self._adds else self._query.model._default_manager
        results = {row.pk: row for row in rows.filter(pk__in=keys)}
        return [results[key] for key in keys if key in results]


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

    `count` is how many rows there are, if that is known; else they are counted. With `number`
    the table has the rows of that page alone. `remark` stands beside their number.
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
        remark: str = "",
    ) -> None:
        self.spec = spec
        self.filters = filters
        self.table = table
        self.remark = remark
        is_first = request.GET.get("page", "1") in ("", "1")
        paginator = pages_of(table, filters.page_size, None if number else count, is_first=is_first)
        if number and count is not None:
            paginator.count = count
        self.count: int = paginator.count
        self.bar = bar(request, spec.actions, (spec.one, spec.many), self.count, filters.query)
        self._request = request
        self.views = list(views_of(request, spec.name)) if spec.keeps_views else []
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
        """Returns the columns that are shown, by name."""
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
