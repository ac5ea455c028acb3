"""The page of a report of some days, and its file."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest, origin_of
from portal.config import clock
from portal.connections.connected import connected
from portal.contract.operation import AnyOperation
from portal.contract.reports import Reports
from portal.directory import users
from portal.directory.colleagues import colleague
from portal.directory.models import MirroredUser
from portal.directory.scope_rules import is_within
from portal.directory.users import UserFilter
from portal.jobs.job_summary import job_summaries
from portal.reports.definitions import REPORTS, Report
from portal.reports.definitions.base import SummedReport
from portal.reports.files import export_of
from portal.reports.filters import COMPARED, PeopleReportFilter, ReportFilter
from portal.reports.services import storing
from portal.reports.services.fetching import Gathered, ReportWindow, gather, request_reading
from portal.reports.services.rows import Figure, figures, gaps, read_at
from portal.translation import gettext as _, gettext_lazy
from portal.ui import exports
from portal.ui.list_preferences import exported_columns
from portal.ui.listing import Listing, ListSpec
from portal.ui.pages import go, page, toast
from portal.ui.ranges import Range
from portal.ui.tables import ConnectedTable, SortedColumn, Table, row_link
from portal.ui.views.listing import RESULTS, ListView
from portal.ui.views.ranged import Sorted

_CHARTED = 60_000  # the most rows that are drawn in a chart


class PeopleReportTable(ConnectedTable):
    """A row leads to the report on the person."""

    caption = gettext_lazy("People")

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main cell-wide")
    email = SortedColumn(gettext_lazy("Email"))
    dept = SortedColumn(gettext_lazy("Department"))

    def render_name(self, record: MirroredUser) -> SafeString:
        url = reverse("reports:person", args=[self.connection.key, record.user_id])
        return row_link(url, record.name or record.email)


class PeopleView(ListView[PeopleReportFilter, QuerySet[MirroredUser]]):
    needs = Reports.user_meetings
    template_name = "reports/people.html"
    filter_class = PeopleReportFilter
    spec = ListSpec(
        "report-people", gettext_lazy("person"), gettext_lazy("people"), keeps_views=False
    )
    methods: ClassVar[dict[str, tuple[str, ...]]] = {"page": ("GET", "HEAD")}

    def prepare(self) -> None:
        users.USERS.mark_viewed(self.request.connection)

    def rows(self, filters: PeopleReportFilter) -> QuerySet[MirroredUser]:
        wanted = UserFilter(search=filters.search)
        return users.find(self.request.scope, wanted, filters.order)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredUser]:
        return users.find(self.request.scope, UserFilter(ids=ids))

    def get_table(self, rows: object, **options: object) -> PeopleReportTable:
        return PeopleReportTable(rows, connection=self.request.connection, **options)


class ReportView(ListView[ReportFilter, Any]):
    """A report: its stored rows, and its gaps while it is read.

    path("daily/", ReportView.as_view(report="daily"), name="daily")
    """

    report: str = ""
    template_name = "reports/report.html"
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
        "refresh": ("POST",),
    }

    @property
    def definition(self) -> Report:
        return REPORTS[self.report]

    @property
    def subject(self) -> str:
        return str(self.kwargs.get("person_id", ""))

    @cached_property
    def subject_name(self) -> str:
        return colleague(self.request.scope, self.subject).name if self.subject else ""

    def prepare(self) -> None:
        if self.subject and not is_within(self.request.scope, self.subject):
            raise Http404

    def operation(self) -> AnyOperation:
        return self.definition.source.operation

    def get_spec(self) -> ListSpec:
        one = self.definition
        args = (self.subject,) if one.has_subject else ()
        return ListSpec(
            f"report-{one.slug}",
            one.one,
            one.many,
            export_url_name=f"reports:{one.slug}-export",
            args=args,
            file=f"report-{one.slug}",
        )

    def url_name(self, endpoint: str) -> str:
        slug = self.definition.slug
        return f"reports:{slug}" if endpoint == "list" else f"reports:{slug}-{endpoint}"

    def url(self, endpoint: str, *args: str) -> str:
        own = (self.subject,) if self.definition.has_subject else ()
        return super().url(endpoint, *own, *args)

    def get_filters(self, data: QueryDict) -> ReportFilter:
        return self.definition.filter_class(data)

    def get_table(self, rows: object, **options: object) -> Table:
        return self.definition.table_class(rows, connection=self.request.connection, **options)

    def rows(self, filters: ReportFilter) -> Any:
        return self.definition.rows(self.request.scope, filters, filters.range, self.subject)

    def ranges(self, filters: ReportFilter) -> list[Range]:
        return [filters.range, *([filters.range.before] if self._is_compared(filters) else [])]

    def _is_compared(self, filters: ReportFilter) -> bool:
        """Returns whether the days before are shown too: they are loaded only if chosen."""
        if filters.compared:
            return filters.compared == COMPARED
        wanted = self.definition.wanted(filters.range.before, self.subject)
        return not any(gaps(self.request.connection, one) for one in wanted)

    def wanted(self, filters: ReportFilter) -> list[ReportWindow]:
        return [
            wanted
            for chosen in self.ranges(filters)
            for wanted in self.definition.wanted(chosen, self.subject)
        ]

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        filters = self.get_filters(self.request.GET)
        wanted = self.wanted(filters)
        connection = self.request.connection
        gathered = gather(self.request.scope, self.request.api, wanted, origin_of(self.request))
        rows = self.rows(filters)
        table = self.get_table(rows, order_by=filters.order)
        listing = Listing(self.request, self.get_spec(), filters, table)
        context = {
            "report": self.definition,
            "list": listing,
            "filters": filters,
            "range": filters.range,
            "before": filters.range.before if self._is_compared(filters) else None,
            "fault": gathered.fault,
            "gaps": [gap for one in wanted for gap in gaps(connection, one)],
            "read_at": read_at(connection, wanted),
            "refresh_url": f"{self.url('refresh')}?{self.request.GET.urlencode()}",
            "subject": self.subject,
            "subject_name": self.subject_name,
            **self._progress(gathered),
            **self._drawn(filters, rows, listing.count),
        }
        is_results = self.request.htmx and self.request.htmx.target == RESULTS
        fragment = RESULTS if is_results else "content"
        return page(self.request, self.template_name, context, fragment=fragment)

    def answer_refresh(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Reads again what may have changed; a job that was stopped is begun again."""
        filters = self.get_filters(self.request.GET)
        connection, wanted = self.request.connection, self.wanted(filters)
        for one in wanted:
            if report := storing.stored(connection, one.source, one.subject):
                storing.forget_freshness(report, one.span)
        origin = origin_of(self.request)
        gathered = gather(self.request.scope, self.request.api, wanted, origin)
        if gathered.job and not gathered.job.is_open:
            request_reading(connection, origin, wanted)
        return self._back()

    def _back(self) -> HttpResponse:
        query = self.request.GET.copy()
        query.pop("columns", None)
        return go(self.request, f"{self.url('list')}?{query.urlencode()}")

    def _unread(self, filters: ReportFilter) -> str:
        """Returns why some days of the report are not stored yet; empty if all are."""
        request, wanted = self.request, self.definition.wanted(filters.range, self.subject)
        gathered = gather(request.scope, request.api, wanted, origin_of(request))
        if gathered.fault:
            return f"{gathered.fault.title}."
        if gathered.job is None:
            return ""
        return _("Some of these days are still being loaded.")

    def answer_export(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        """Returns the report as a file, once all of it was read: an earlier file would look
        complete."""
        if file not in exports.KINDS:
            raise Http404
        filters = self.get_filters(self.request.GET)
        if why := self._unread(filters):
            words = _("No file was created, because it would be incomplete.")
            toast(self.request, "warning", f"{why} {words}")
            return self._back()
        spec, table = self.get_spec(), self.get_table([])
        count, rows = self.counted(self.rows(filters))
        export = export_of(
            self.request.connection,
            self.definition,
            filters,
            (self.subject, self.subject_name),
            what=spec.file,
            columns=exported_columns(self.request, spec.name, table),
            rows=rows,
            count=count,
        )
        return exports.send(self.request, file, export)

    def counted(self, rows: Any) -> tuple[int, Iterable[object]]:
        return (len(rows), iter(rows)) if isinstance(rows, Sorted) else super().counted(rows)

    def _figures(self, filters: ReportFilter, rows: Any) -> list[Figure]:
        definition = self.definition
        totals = [
            # The rows of a summed report are those of the list already.
            definition.added_up(rows.data)
            if isinstance(definition, SummedReport) and chosen == filters.range
            else definition.totals(self.request.scope, filters, chosen, self.subject)
            for chosen in self.ranges(filters)
        ]
        return figures(*totals)

    def _drawn(self, filters: ReportFilter, rows: Any, count: int) -> dict[str, object]:
        made = self._figures(filters, rows) if count else []
        if not count or count > _CHARTED:
            return {"charts": [], "bars": [], "figures": made}
        bars = self.definition.bars(rows)
        charts = self.definition.charts(rows, filters.range)
        for chart in charts:
            for figure in made:
                if figure.label == chart.title:
                    chart.figure, chart.trend = figure.text, figure.beside
        named = {chart.title for chart in charts}
        made = [figure for figure in made if figure.label not in named]
        return {"charts": charts, "bars": bars, "figures": made}

    def _progress(self, gathered: Gathered) -> dict[str, object]:
        if gathered.job is None:
            return {"job": None, "summary": None, "now": clock.now()}
        [summary] = job_summaries([gathered.job])
        return {"job": gathered.job, "summary": summary}


@require_safe
@connected(needs=Reports.users)
def index(request: PortalRequest) -> HttpResponse:
    key = request.connection.key
    listed = [
        (
            report,
            reverse("reports:people" if report.has_subject else f"reports:{slug}", args=[key]),
        )
        for slug, report in REPORTS.items()
        if request.scope.may(report.source.operation)
    ]
    return page(request, "reports/index.html", {"reports": listed})
