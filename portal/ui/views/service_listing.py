"""A page that lists rows as the service pages them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from typing_extensions import TypeVar

from portal.translation import gettext as _, number as thousands
from portal.ui.listing import Listing
from portal.ui.numbers import whole
from portal.ui.pages import toast
from portal.ui.views.listing import FilterT, ListView
from portal.ui.views.ranged import Sorted, SortKeys, sort_rows

RowT = TypeVar("RowT", default=object)
_FARTHEST = 1_000_000  # page that the service is asked for


@dataclass(frozen=True)
class ServicePage:
    """One page of rows, and how many rows there are. `remark` is about a list that was searched."""

    rows: Sequence[object]
    total: int
    remark: str = ""


class ServiceListView(ListView[FilterT, Sequence[RowT]], Generic[FilterT, RowT]):
    """A list that reads one page from the service; a file of it has all pages.

    `rows` and `rows_of` are for files: they read all rows before the file begins, since a file that
    ends early would look whole.
    """

    shown: ServicePage

    def read_page(self, filters: FilterT, number: int, size: int) -> ServicePage:
        """Returns a page, counted from 1. Raises `ApiError`."""
        raise NotImplementedError

    def get_listing(self, filters: FilterT) -> Listing:
        """Returns the page that is asked for; the last one if there are fewer by now."""
        size = filters.page_size
        number = min(max(1, whole(self.request.GET.get("page", "")) or 1), _FARTHEST)
        self.shown = self.read_page(filters, number, size)
        last = max(1, -(-self.shown.total // size))
        if number > last:
            number = last
            self.shown = self.read_page(filters, number, size)
        table = self.get_table(self.shown.rows)
        count, remark = self.shown.total, self.shown.remark
        if count and not self.shown.rows:
            words = _("The service reports %(count)s %(what)s and lists none of them here.")
            what = self.get_spec().many
            toast(self.request, "warning", words % {"count": thousands(count), "what": what})
            count = min(count, (number - 1) * size)
        return Listing(
            self.request, self.get_spec(), filters, table, count=count, number=number, remark=remark
        )


class WholeListView(ListView[FilterT, Sequence[RowT]], Generic[FilterT, RowT]):
    """A list that is short enough to be read on each look, then searched and sorted here.

    `keys` are what rows are sorted by. `everything` is there once the list was read.
    """

    key_field: ClassVar[str] = "id"

    everything: Sequence[RowT]

    @property
    def keys(self) -> SortKeys:
        """Returns what the rows can be sorted by."""
        raise NotImplementedError

    def read(self) -> Sequence[RowT]:
        raise NotImplementedError

    def matching(self, rows: Sequence[RowT], filters: FilterT) -> list[RowT]:
        """Returns the rows that the search and the other filters leave."""
        raise NotImplementedError

    def rows(self, filters: FilterT) -> list[RowT]:
        self.everything = self.read()
        return sort_rows(self.matching(self.everything, filters), filters.order, self.keys)

    def rows_of(self, ids: Collection[str]) -> list[RowT]:
        wanted = set(ids)
        return [one for one in self.read() if getattr(one, self.key_field) in wanted]

    def get_listing(self, filters: FilterT) -> Listing:
        rows = self.rows(filters)
        table = self.get_table(Sorted(rows), order_by=filters.order)
        return Listing(self.request, self.get_spec(), filters, table, count=len(rows))
