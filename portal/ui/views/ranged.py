"""A page that lists what happened on some days, read from the service, and the file of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic

from django.http import Http404, HttpResponse, HttpResponseBase
from django_tables2.data import TableListData
from typing_extensions import TypeVar

from portal.translation import folded, gettext as _, number, searched
from portal.translation.stored import in_english
from portal.ui import exports
from portal.ui.list_preferences import shown_in
from portal.ui.listing import Listing
from portal.ui.pages import go, page, toast
from portal.ui.range_reading import MOST, Reader, TooMany
from portal.ui.ranges import RangeFilter
from portal.ui.tables import Table
from portal.ui.views.listing import RESULTS, ListView

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
    words = searched(search)
    text = folded("\n".join(str(value) for value in values if value)) if words else ""
    return all(word in text for word in words)


class RangeListView(ListView[RangeFilterT, Sequence[RowT]], Generic[RangeFilterT, RecordT, RowT]):
    """A list of some days: read as far as somebody waits for, then searched, sorted and summed up.

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

    The template has the partials `content`, `filters` and `results`, of which `results` includes
    `ui/range_results.html`.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
        "more": ("POST",),
        "refresh": ("POST",),
    }
    keys: ClassVar[SortKeys]

    def reader(self, filters: RangeFilterT) -> Reader[RecordT]:
        """Returns the reader of the days that the filters ask for."""
        raise NotImplementedError

    def make_rows(self, records: Sequence[RecordT], filters: RangeFilterT) -> list[RowT]:
        """Returns the service's records as rows of the table, cut to the viewer's days."""
        raise NotImplementedError

    def matching(self, rows: list[RowT], filters: RangeFilterT) -> list[RowT]:
        """The rows that the search and the other filters leave."""
        raise NotImplementedError

    def totals(self, rows: list[RowT], filters: RangeFilterT) -> list[tuple[str, str]]:
        """Returns the totals of these rows, each with a title."""
        return []

    def url_name(self, endpoint: str) -> str:
        name = self.get_spec().export_url_name.removesuffix("-export")
        return name if endpoint == "list" else f"{name}-{endpoint}"

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        filters = self.get_filters(self.request.GET)
        reading = self.reader(filters).read()
        everything = self.make_rows(reading.records, filters)
        rows = sort_rows(self.matching(everything, filters), filters.order, self.keys)
        table = self.get_table(Sorted(rows), order_by=filters.order)
        listing = Listing(self.request, self.get_spec(), filters, table)
        query = self.request.GET.urlencode()
        context = {
            "list": listing,
            "filters": filters,
            "reading": reading,
            "range": filters.range,
            "totals": self.totals(rows, filters) if rows else [],
            "tabs": self.get_tabs(filters),
            "more_url": f"{self.url('more')}?{query}",
            "refresh_url": f"{self.url('refresh')}?{query}",
            **self.context(),
            **self.page_context(filters, table),
        }
        is_results = self.request.htmx and self.request.htmx.target == RESULTS
        fragment = RESULTS if is_results else "content"
        return page(self.request, self.template_name, context, fragment=fragment)

    def answer_more(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Reads on where the page said that there is more."""
        self.reader(self.get_filters(self.request.GET)).more()
        return self._back()

    def answer_refresh(self, *_args: object, **_kwargs: object) -> HttpResponse:
        reading = self.reader(self.get_filters(self.request.GET)).refresh()
        if reading.fault:
            toast(self.request, "warning", reading.fault.text)
        return self._back()

    def answer_export(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        """All of the list at the same query: it is read before the file begins, since a file that
        ended early would look whole."""
        if file not in exports.KINDS:
            raise Http404
        filters = self.get_filters(self.request.GET)
        try:
            reading = self.reader(filters).whole()
        except TooMany:
            words = _("These days have more than %(most)s rows. Choose fewer days.") % {
                "most": number(MOST)
            }
            toast(self.request, "warning", words)
            return self._back()
        rows = self.matching(self.make_rows(reading.records, filters), filters)
        rows = sort_rows(rows, filters.order, self.keys)
        spec = self.get_spec()
        table = self.get_table([])
        has_all = self.request.GET.get("columns") == "all"
        columns = table.exported(None if has_all else shown_in(self.request, spec.name, table))
        with in_english():
            by = f"{filters.range.in_words}, {filters.in_words}"
        export = exports.Export(
            title=self.file_title(table),
            name=exports.file_name(self.file_title(table), filters.range.in_name),
            what=spec.name,
            columns=columns,
            rows=rows,
            count=len(rows),
            by=by,
            narrowed=filters.in_words,
            days=filters.range,
            read_at=reading.read_at,
            unread=self.unread(),
        )
        return exports.send(self.request, file, export)

    def _back(self) -> HttpResponse:
        query = self.request.GET.copy()
        query.pop("columns", None)
        return go(self.request, f"{self.url('list')}?{query.urlencode()}")

    def get_table(self, rows: object, **options: object) -> Table:
        raise NotImplementedError
