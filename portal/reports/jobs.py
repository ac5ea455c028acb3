"""Reading a report by a job: one item for a few days, many of them at once.

An item that a worker had begun when it died is read again by the next worker: rows are shown only
when all of their days are stored, so none is lost and none is stored twice.
"""

from collections.abc import Sequence

from portal.client import Api, ApiError, NotAvailable, Unauthorized
from portal.contract.operation import AnyOperation
from portal.jobs.breaker import passes
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.reports.services import storing
from portal.reports.services.fetching import JOB, ReportWindow, lacking
from portal.reports.services.sources import PAGE, SourceKind
from portal.reports.windows import Span
from portal.translation import dated, gettext as _, gettext_lazy, number
from portal.translation.phrases import joined


class ReadReportJob(JobType):
    """`parameters["wanted"]` are the days and reports, `about` the first of them."""

    name = JOB
    noun = (gettext_lazy("part"), gettext_lazy("parts"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True
    is_listed = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        operations = (
            ReportWindow.loaded(each).source.operation for each in job.parameters["wanted"]
        )
        return list(dict.fromkeys(operations))

    def plan(self, planning: Planning) -> None:
        """Plans months, split so that no item is much more than a page."""
        connection = planning.job.connection
        wanted = [ReportWindow.loaded(each) for each in planning.job.parameters["wanted"]]
        windows = [window for each in wanted for window in lacking(connection, each)]
        planning.progress(0, len(windows), _("Counting rows"))

        def split(window: ReportWindow) -> list[Span | None]:
            return _spans_of(planning.api, window)

        place = 0
        split_windows = planning.concurrently(split, windows)
        for window, spans in zip(windows, split_windows, strict=True):
            for span in spans:
                place += 1
                one = ReportWindow(window.source, span, window.subject)
                title = str(window.source.title)
                label = joined(", ", title, in_words(span)) if span else title
                planning.add(NewItem(place, label, "read", _named(one), data=one.dumped()))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        wanted = ReportWindow.loaded(item.data)
        report = storing.report_of(item.job.connection, wanted.source, wanted.subject)
        window = storing.begin(report, f"item {item.pk}", wanted.span)
        storing.read(api, wanted.source, window, wanted.subject)
        words = ""
        if window.is_short:
            words = _("%(listed)s of %(reported)s reported rows were listed.") % {
                "listed": number(window.listed),
                "reported": number(window.reported or 0),
            }
        return Done(message=words, value=window)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:  # noqa: ARG002
        for item in items:
            storing.finish(item.value, ReportWindow.loaded(item.data).source)

    def finished(self, job: Job) -> None:
        """Does nothing: the page names what could not be read."""
        for item in job.items.filter(state=ItemState.FAILED):
            wanted = ReportWindow.loaded(item.data)
            report = storing.report_of(job.connection, wanted.source, wanted.subject)
            storing.refuse(report, f"item {item.pk}", wanted.span, item.message)


def in_words(span: Span) -> str:
    if span.first == span.last:
        return dated(span.first, _("j F Y"))
    return _("%(first)s to %(last)s") % {
        "first": dated(span.first, _("j F")),
        "last": dated(span.last, _("j F Y")),
    }


def _named(wanted: ReportWindow) -> str:
    return f"{wanted.about} {wanted.span.first} {wanted.span.last}" if wanted.span else wanted.about


def _spans_of(api: Api, window: ReportWindow) -> list[Span | None]:
    """Returns the spans of a window. A refusal here is raised by its item as well, which reports
    it."""
    source, span = window.source, window.span
    if span is None or not source.is_counted or source.kind is not SourceKind.DAYS:
        return [span]
    try:
        reported = source.count(api, window.subject, span) or 0
    except ApiError as error:
        if passes(error) or isinstance(error, Unauthorized | NotAvailable):
            raise
        return [span]
    return list(span.split(-(-reported // PAGE)))
