"""A page that lists what the service gives whole, which can neither search nor sort it."""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from portal.ui.listing import Listing
from portal.ui.views.listing import ListView
from portal.ui.views.ranged import Sorted, SortKeys, sort_rows


class WholeListView(ListView):
    """A list that is short enough to be read on each look, then searched and sorted here.

    `keys` are what rows are sorted by. `everything` is there once the list was read.
    """

    keys: ClassVar[SortKeys]
    key_field: ClassVar[str] = "id"

    everything: Sequence[Any]

    def read(self) -> Sequence[Any]:
        """All rows. Raises `ApiError`."""
        raise NotImplementedError

    def matching(self, rows: Sequence[Any], filters: Any) -> list[Any]:
        """The rows that the search and the other filters leave."""
        raise NotImplementedError

    def rows(self, filters: Any) -> list[Any]:  # type: ignore[override]
        self.everything = self.read()
        return sort_rows(self.matching(self.everything, filters), filters.order, self.keys)

    def rows_of(self, ids: Collection[str]) -> list[Any]:  # type: ignore[override]
        wanted = set(ids)
        return [one for one in self.read() if getattr(one, self.key_field) in wanted]

    def get_listing(self, filters: Any) -> Listing:
        rows = self.rows(filters)
        table = self.get_table(Sorted(rows), order_by=filters.order)
        return Listing(self.request, self.get_spec(), filters, table, count=len(rows))

    def counted(self, rows: Any) -> tuple[int, Any]:
        return len(rows), rows
