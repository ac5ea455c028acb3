"""A page that lists what happened on some days, read from the service, and the file of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic

from django.http import HttpResponse
from django_tables2.data import TableListData
from typing_extensions import TypeVar

from portal.translation import folded, gettext as _, number, spellings
from portal.translation.stored import in_english
from portal.ui import exports
from portal.ui.listing import Listing
from portal.ui.pages import go, toast
from portal.ui.range_reading import MOST, Reader, Reading, TooMany
from portal.ui.ranges import Range, RangeFilter
from portal.ui.selection import SelectionRefused
from portal.ui.tables import Table
from portal.ui.views.listing import ListView

T = TypeVar("T")
RangeFilterT = TypeVar("RangeFilterT", bound=RangeFilter, default=RangeFilter)
RecordT = TypeVar("RecordT", default=object)
RowT = TypeVar("RowT", default=object)
SortKeys = Mapping[str, Callable[[Any], Any]]


class Sorted(TableListData):
    """Rows of a table that are in its order already."""

    def order_by(self, aliases: object) -> None:
        """They stay as they are."""


def sort_rows(rows: Iterable[T], order: str, keys: SortKeys) -> list[T]:
    """Rows by one of the keys, downwards with `-` before it; those without a value come last."""
    read = keys[order.removeprefix("-")]
    sortable: list[tuple[Any, T]] = []
    unset = []
    for row in rows:
        value = read(row)
        if value is None or value == "":
            unset.append(row)
        else:
            sortable.append((value.casefold() if isinstance(value, str) else value, row))
    sortable.sort(key=lambda pair: pair[0], reverse=order[0] == "-")
    return [row for _, row in sortable] + unset


def has_words(search: str, values: Iterable[object]) -> bool:
    """Returns whether each word of a search stands in one of these values."""
    words = spellings(search)
    text = folded("\n".join(str(value) for value in values if value)) if words else ""
    return all(any(form in text for form in forms) for forms in words)


class RangeListView(ListView[RangeFilterT, Sequence[RowT]], Generic[RangeFilterT, RecordT, RowT]):
    """A list of some days: read as far as a user waits for, then searched, sorted and summed up.

        class CallList(RangeListView[CallFilter, Call, Call]):
            needs = Reports.telephone
            spec = ListSpec("calls", "call", "calls", export_url_name="reports:calls-export")
            keys: ClassVar = {"start": lambda call: call.start_time, ...}

            def get_filters(self, data): ...             # a `RangeFilter`
            def reader(self, filters): ...               # a `RangeReader`
            def make_rows(self, records, filters): ...   # those of the days that are shown
            def matching(self, rows, filters): ...       # those that the search leaves
            def get_table(self, rows, **options): ...

        path("calls/", CallList.as_view(), name="calls"),
        path("calls/more/", CallList.as_view(endpoint="more"), name="calls-more"),
        path("calls/refresh/", CallList.as_view(endpoint="refresh"), name="calls-refresh"),
        path("calls/export/<slug:file>/", CallList.as_view(endpoint="export"), name="calls-export"),

    The template has the partials `content`, `filters` and `results`; the last includes
    `ui/range_results.html`.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
        "more": ("POST",),
        "refresh": ("POST",),
    }
    keys: ClassVar[SortKeys]
    filters: RangeFilterT
    reading: Reading[RecordT]
    sums: list[tuple[str, str]]

    def reader(self, filters: RangeFilterT) -> Reader[RecordT]:
        """Returns the reader of the days that the filters ask for."""
        raise NotImplementedError

    def make_rows(self, records: Sequence[RecordT], filters: RangeFilterT) -> list[RowT]:
        """Returns the service's records as rows of the table, cut to the viewer's days."""
        raise NotImplementedError

    def matching(self, rows: list[RowT], filters: RangeFilterT) -> list[RowT]:
        """Returns the rows that the search and the other filters leave."""
        raise NotImplementedError

    def totals(self, rows: list[RowT], filters: RangeFilterT) -> list[tuple[str, str]]:
        """Returns the totals of these rows, each with a title."""
        return []

    def url_name(self, endpoint: str) -> str:
        name = self.get_spec().export_url_name.removesuffix("-export")
        return name if endpoint == "list" else f"{name}-{endpoint}"

    def rows(self, filters: RangeFilterT) -> list[RowT]:
        """Returns the rows of what was read that the filters leave, in their order."""
        rows = self.matching(self.make_rows(self.reading.records, filters), filters)
        return sort_rows(rows, filters.order, self.keys)

    def get_listing(self, filters: RangeFilterT) -> Listing:
        self.filters, self.reading = filters, self.reader(filters).read()
        rows = self.rows(filters)
        self.sums = self.totals(rows, filters) if rows else []
        table = self.get_table(Sorted(rows), order_by=filters.order)
        return Listing(self.request, self.get_spec(), filters, table)

    def context(self) -> dict[str, object]:
        query = self.request.GET.urlencode()
        return {
            "reading": self.reading,
            "range": self.filters.range,
            "totals": self.sums,
            "more_url": f"{self.url('more')}?{query}",
            "refresh_url": f"{self.url('refresh')}?{query}",
        }

    def answer_more(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Reads on from where the last reading ended."""
        self.reader(self.get_filters(self.request.GET)).more()
        return go(self.request, self.list_url())

    def answer_refresh(self, *_args: object, **_kwargs: object) -> HttpResponse:
        reading = self.reader(self.get_filters(self.request.GET)).refresh()
        if reading.fault:
            toast(self.request, "warning", reading.fault.text)
        return go(self.request, self.list_url())

    def rows_of_file(self, filters: RangeFilterT) -> tuple[Sequence[RowT], str]:
        """Returns all of the list: it is read before the file begins, since a file that ended early
        would look whole."""
        try:
            self.reading = self.reader(filters).whole()
        except TooMany as error:
            words = _("These days have more than %(most)s rows. Choose fewer days.")
            raise SelectionRefused(words % {"most": number(MOST)}) from error
        with in_english():
            by = f"{filters.range.in_words}, {filters.in_words}"
        return self.rows(filters), by

    def file_name(self, title: str, days: Range | None) -> str:
        return exports.file_name(title, days.in_name if days else "")

    def read_at(self) -> datetime:
        return self.reading.read_at

    def list_url(self) -> str:
        query = self.request.GET.copy()
        query.pop("columns", None)
        return f"{self.url('list')}?{query.urlencode()}"

    def get_table(self, rows: object, **options: object) -> Table:
        raise NotImplementedError
