"""Pages of long queries."""

from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django_tables2.data import TableListData
from django_tables2.rows import BoundRows

from portal.ui.tables import Table

_NEAR = 1000


def pages_of(
    table: Table, per_page: int, count: int | None = None, *, is_first: bool = False
) -> "Paginator[Any]":
    """The pages of a table; `count` is how many rows there are, where that is known. `is_first`
    says that the first page is asked for."""
    if isinstance(table.data.data, QuerySet):
        return RowsOnce(table, per_page, count, is_first=is_first)
    return Paginator(table.rows, per_page)


class RowsOnce(Paginator):  # type: ignore[type-arg]
    """Pages of a table over a query, which reads hardly any rows but those that it shows.

    The keys of a page far down are looked up first, from the nearer end, by an index if there is
    one in the table's order: it then costs little more than the first. So are those of any page,
    where the query adds something to its rows, which no database then does for others. Rows that
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
    def _head(self) -> list[Any]:
        """The first page, and one row more if there is one, or the keys of these."""
        return list(self._found[: self.per_page + 1])

    @property
    def _found(self) -> QuerySet[Any]:
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
        found = self._head[:last] if is_head else list(self._found[first:last])
        return self._of(found) if self._adds else found

    def _far(self, first: int, last: int) -> list[Any]:
        """The keys of a page."""
        if first > self.count // 2:
            backwards = self._query.reverse().values_list("pk", flat=True)
            return list(backwards[self.count - last : self.count - first])[::-1]
        return list(self._query.values_list("pk", flat=True)[first:last])

    def _of(self, keys: list[Any]) -> list[Any]:
        # Whatever the query looks for has been found; it is run again only for what it adds.
        rows = self._query if self._adds else self._query.model._default_manager
        found = {row.pk: row for row in rows.filter(pk__in=keys)}
        return [found[key] for key in keys if key in found]
