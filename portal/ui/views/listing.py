"""A page that lists rows of the portal's own database, and the file of the same rows."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.utils.text import capfirst
from typing_extensions import TypeVar

from portal.config import clock
from portal.ui import exports
from portal.ui.filters import FilterTab, ListFilter
from portal.ui.list_preferences import exported_columns
from portal.ui.listing import Listing, ListSpec
from portal.ui.pages import go, page, toast, unread_in
from portal.ui.ranges import Range
from portal.ui.selection import SelectionRefused, chosen_in
from portal.ui.tables import Table
from portal.ui.views.connected import EndpointsView

FilterT = TypeVar("FilterT", bound=ListFilter, default=ListFilter)
RowsT = TypeVar("RowsT", bound=QuerySet[Any, Any] | Sequence[Any], default=QuerySet[Any, Any])
RESULTS = "results"  # the part of the page that its filters replace
_AT_ONCE = 2000  # rows that are read from the database together


class ListView(EndpointsView, Generic[FilterT, RowsT]):
    """A list: filters, tabs, columns, saved views, pages, and a selection for bulk actions.

        class RoomList(ListView[RoomFilter, QuerySet[Room]]):
            needs = Rooms.list
            spec = ListSpec("rooms", "room", "rooms", export_url_name="rooms:export")
            namespace = "rooms"
            template_name = "rooms/list.html"
            filter_class = RoomFilter

            def rows(self, filters: RoomFilter) -> QuerySet[Room]: ...
            def rows_of(self, ids: Collection[str]) -> QuerySet[Room]: ...
            def get_table(self, rows: object, **options: object) -> Table: ...

        path("", RoomList.as_view(), name="list"),
        path("export/<slug:file>/", RoomList.as_view(endpoint="export"), name="export"),

    The template has the partials `content` and `results`, which include `ui/list_content.html` and
    `ui/list_results.html`.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **EndpointsView.methods,
        "export": ("GET", "HEAD", "POST"),
    }

    spec: ClassVar[ListSpec]
    namespace: ClassVar[str]
    template_name: ClassVar[str]
    filter_class: type[FilterT]

    def get_spec(self) -> ListSpec:
        """Returns the subject of the list. Lists that depend on URL or filters override it."""
        return self.spec

    def get_filters(self, data: QueryDict) -> FilterT:
        return self.filter_class(data)

    def rows(self, filters: FilterT) -> RowsT:
        """Returns the rows that the filters leave, in the order that they ask for."""
        raise NotImplementedError

    def rows_of(self, ids: Collection[str]) -> RowsT:
        """Returns the rows that were selected one by one."""
        raise NotImplementedError

    def get_table(self, rows: object, **options: object) -> Table:
        raise NotImplementedError

    def get_tabs(self, filters: FilterT) -> list[FilterTab]:
        """Returns the values of one filter as tabs above the list."""
        return []

    def precounted(self, filters: FilterT) -> int | None:
        """Returns the number of rows if it needs no count; else None."""
        return None

    def context(self) -> dict[str, object]:
        """Returns further context of every fragment of the page."""
        return {}

    def page_context(self, filters: FilterT, table: Table) -> dict[str, object]:
        """Returns further context of the whole page, and of its results."""
        return {}

    def url_name(self, endpoint: str) -> str:
        return f"{self.namespace}:{endpoint}"

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Returns the list at the query of the address."""
        filters = self.get_filters(self.request.GET)
        listing = self.get_listing(filters)
        context = {
            "list": listing,
            "filters": filters,
            "tabs": self.get_tabs(filters),
            **self.context(),
            **self.page_context(filters, listing.table),
        }
        if self.request.htmx and self.request.htmx.target == RESULTS:
            return page(self.request, self.template_name, context, fragment=RESULTS)
        return self.show(context)

    def get_listing(self, filters: FilterT) -> Listing:
        table = self.get_table(self.rows(filters), order_by=filters.order)
        count = self.precounted(filters)
        return Listing(self.request, self.get_spec(), filters, table, count=count)

    def show(self, context: Mapping[str, object]) -> HttpResponse:
        """Returns the page; a list may also be a part of a page about something."""
        return page(self.request, self.template_name, context)

    def answer_export(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        """Returns a file of what the list at the same query shows, or after a POST of what was
        selected in it.

        With `columns=all` there is all that the list knows, else the columns that are shown.
        """
        if file not in exports.KINDS:
            raise Http404
        filters = self.get_filters(self.request.GET)
        try:
            rows, narrowing = self.rows_of_file(filters)
        except SelectionRefused as refused:
            toast(self.request, "warning", str(refused))
            return go(self.request, self.list_url())
        spec = self.get_spec()
        table = self.get_table(rows)
        count, read = self.counted(rows)
        days: Range | None = getattr(filters, "range", None)
        title = self.file_title(table)
        export = exports.Export(
            title=title,
            name=self.file_name(title, days),
            what=spec.file or spec.name,
            columns=exported_columns(self.request, spec.name, table),
            rows=read,
            count=count,
            by=narrowing,
            narrowed="" if self.request.method == "POST" else filters.in_words,
            days=days,
            read_at=self.read_at(),
            unread=self.unread(),
        )
        return exports.send(self.request, file, export)

    def rows_of_file(self, filters: FilterT) -> tuple[RowsT, str]:
        """Returns the rows of the file that is asked for, and how they were chosen, for the record.
        Raises `SelectionRefused`."""
        if self.request.method == "POST":
            return self.selected()
        return self.rows(filters), filters.in_english

    def file_name(self, title: str, days: Range | None) -> str:
        day = days.in_name if days else exports.day_of(clock.now())
        return exports.file_name(title, self.request.connection.name, day)

    def file_title(self, table: Table) -> str:
        """Returns what a file of the list is called."""
        return str(table.caption or capfirst(self.get_spec().many))

    def read_at(self) -> datetime | None:
        """Returns when what the list shows was read from the service."""
        return clock.now()

    def unread(self) -> list[str]:
        """Returns what of the list could not be read, in sentences."""
        return unread_in(self.request)

    def counted(self, rows: RowsT) -> tuple[int, Iterable[object]]:
        """Returns the number of rows, and the rows, in little memory."""
        if isinstance(rows, QuerySet):
            return rows.count(), rows.iterator(chunk_size=_AT_ONCE)
        return len(rows), rows

    def list_url(self) -> str:
        return self.url("list")

    def selected(self) -> tuple[RowsT, str]:
        """Returns the selected rows, and how they were selected, for the record.

        Raises `SelectionRefused` if the filters of "all that match" are not understood.
        """
        selection = chosen_in(self.request.POST)
        filters = selection.filters(self.get_filters)
        if filters is None:
            return self.rows_of(selection.ids), selection.one_by_one
        return self.rows(filters), filters.in_english
