"""Pages of long queries."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django_tables2.data import TableListData
from django_tables2.rows import BoundRows

from portal.ui.tables import Table

_NEAR = 1000


def pages_of(table: Table, per_page: int, count: int | None = None) -> "Paginator[Any]":
    """The pages of a table; `count` is how many rows there are, where that is known."""
    if isinstance(table.data.data, QuerySet):
        return RowsOnce(table, per_page, count)
    return Paginator(table.rows, per_page)


class RowsOnce(Paginator):  # type: ignore[type-arg]
    """Pages of a table over a query, which reads hardly any rows but those that it shows.

    The keys of a page far down are looked up first, from the nearer end, by an index if there is
    one in the table's order: it then costs little more than the first.
    """

    def __init__(self, table: Table, per_page: int, count: int | None = None) -> None:
        self._table = table
        self._query: QuerySet[Any] = table.data.data
        super().__init__(self._query, per_page)
        if count is not None:
            self.count = count

    def page(self, number: int | str) -> Page[Any]:
        valid = self.validate_number(number)
        first = (valid - 1) * self.per_page
        last = min(first + self.per_page, self.count)
        rows = list(self._query[first:last]) if first < _NEAR else self._far(first, last)
        shown = TableListData(rows)
        shown.set_table(self._table)
        return Page(BoundRows(shown, self._table), valid, self)

    def _far(self, first: int, last: int) -> list[Any]:
        if first > self.count // 2:
            backwards = self._query.reverse().values_list("pk", flat=True)
            keys = list(backwards[self.count - last : self.count - first])[::-1]
        else:
            keys = list(self._query.values_list("pk", flat=True)[first:last])
        # Whatever the query looks for has been found; it is run again only for what it adds.
        adds = self._query.query.annotations or self._query.query.select_related
        rows = self._query if adds else self._query.model._default_manager
        found = {row.pk: row for row in rows.filter(pk__in=keys)}
        return [found[key] for key in keys if key in found]
