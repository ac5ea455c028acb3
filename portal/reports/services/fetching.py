"""Fetches the days of a report: from the database, from the service, or by a job.

A few windows are read within the request; more are read by a job.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

from django.db import DatabaseError

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import NotWhole, Scope
from portal.client import Api, ApiError, NotAvailable, Unauthorized
from portal.config import clock
from portal.config.database import Busy, briefly
from portal.config.database_errors import is_read_only
from portal.connections.api import api_for
from portal.jobs import services as jobs
from portal.jobs.breaker import passes
from portal.jobs.models import OPEN, Job, JobState
from portal.jobs.row_errors import Unsupported
from portal.reports.models import StoredReport
from portal.reports.services import storing
from portal.reports.services.sources import DAILY, SOURCES, ReportSource, SourceKind
from portal.reports.services.storing import TooLong
from portal.reports.windows import Span, half_a_year_before, missing
from portal.translation import gettext as _, gettext_lazy, lazily
from portal.ui.error_messages import Fault, explain, not_stored
from portal.ui.ranges import Range

JOB = "reports.read"
_WINDOWS_AT_ONCE = 2
_ROWS_AT_ONCE = 3000
_STOPPED_FOR = timedelta(minutes=5)  # a cancelled job is not begun again so soon
_DAY = timedelta(days=1)
TOO_OLD = gettext_lazy("The service keeps only the last six months.")


@dataclass(frozen=True)
class ReportWindow:
    """A needed window of a report: some days, or a session, which has no days."""

    source: ReportSource
    span: Span | None = None
    subject: str = ""

    @property
    def about(self) -> str:
        return f"{self.source.name}:{self.subject}"

    def dumped(self) -> dict[str, str]:
        """Returns the window as parameters of a job."""
        first, last = (str(self.span.first), str(self.span.last)) if self.span else ("", "")
        return {
            "source": self.source.name,
            "subject": self.subject,
            "first": first,
            "last": last,
        }

    @classmethod
    def loaded(cls, data: dict[str, str]) -> "ReportWindow":
        """Raises `Unsupported` for a report of another release."""
        first, last = data["first"], data["last"]
        span = Span(date.fromisoformat(first), date.fromisoformat(last)) if first else None
        if data["source"] not in SOURCES:
            raise Unsupported(data["source"])
        return cls(SOURCES[data["source"]], span, data["subject"])


@dataclass(frozen=True)
class Gathered:
    """The result of gathering: `job` reads what is missing, or did until it was stopped; `fault` is
    why nothing could be read now."""

    job: Job | None = None
    fault: Fault | None = None


def lacking(
    connection: Connection, wanted: ReportWindow, now: datetime | None = None
) -> list[ReportWindow]:
    """Returns the windows that have to be read, each no longer than the service allows."""
    now = now or clock.now()
    report = storing.stored(connection, wanted.source, wanted.subject)
    if wanted.span is None:
        return [] if _has_session(report, wanted.source, now) else [wanted]
    span = within_reach(wanted.source, wanted.span, now)
    if span is None:
        return []
    stored = storing.stored_days(report, wanted.source, span, now)
    if wanted.source.kind is SourceKind.SUMS:
        spans = [month for month in span.months() if month not in stored]
    else:
        spans = [month for each in missing(span, stored) for month in each.months()]
    if wanted.source is DAILY:  # one call answers with a whole month
        spans = list(dict.fromkeys(_month_of(each, now.date()) for each in spans))
    return [ReportWindow(wanted.source, each, wanted.subject) for each in spans]


def within_reach(source: ReportSource, span: Span, now: datetime) -> Span | None:
    """Returns the days that have begun, and that the service still has."""
    first, last = span.first, min(span.last, now.date())
    if source.is_recent_only:
        earliest = half_a_year_before(now.date())
        first = max(first, earliest.replace(day=1) if source is DAILY else earliest)
    return Span(first, last) if first <= last else None


def gather(scope: Scope, api: Api, wanted: Iterable[ReportWindow], origin: Origin) -> Gathered:
    """Reads all missing windows, at once or by a job. Never raises `ApiError`.

    Stored rows are shown to all users of the connection. So windows are read whole, also for a user
    who is limited to some of the people and is shown their rows.
    """
    connection = scope.connection
    if scope.is_narrow:
        api = api_for(whole(connection))
    wanted = list(wanted)
    lack = [window for each in wanted for window in lacking(connection, each)]
    if not lack:
        return Gathered()
    job = job_about(connection, wanted)
    if job is not None:
        return Gathered(job)
    is_little = len(lack) <= _WINDOWS_AT_ONCE or all(each.span is None for each in lack)
    if is_little:
        try:
            return Gathered(fault=_read_at_once(connection, api, lack))
        except TooLong:
            pass
        except DatabaseError as error:
            if not is_read_only(error):
                raise
            return Gathered(fault=not_stored(error))
    try:
        with briefly():
            return Gathered(request_reading(connection, origin, wanted))
    except Busy as busy:
        cause = busy.__cause__
        if isinstance(cause, DatabaseError) and is_read_only(cause):
            return Gathered(fault=not_stored(cause))
        return Gathered(fault=_busy())


def _busy() -> Fault:
    return Fault(
        _("The report is not loaded yet"),
        _("Jobs that run are using Switchboard's database. Load the page again in a moment."),
        status=503,
        retry=True,
    )


def whole(connection: Connection) -> Scope:
    """Returns the scope that reports are read with."""
    return Scope.whole(connection, "reports are kept for all who share it, and narrowed when shown")


def request_reading(connection: Connection, origin: Origin, wanted: Sequence[ReportWindow]) -> Job:
    """Begins the job that reads what is missing of these windows. The connection's owner owns it:
    what it reads is stored for all users, whose limits may be different when it runs."""
    owner = connection.owner
    origin = replace(origin, actor=owner, email=owner.email)
    first = wanted[0]
    days = [each.span for each in wanted if each.span]

    def title() -> str:
        if not days:
            return _("Load report: %(title)s") % {"title": first.source.title}
        span = Range(min(each.first for each in days), max(each.last for each in days), UTC)
        return _("Load report: %(title)s, %(days)s") % {
            "title": first.source.title,
            "days": span.in_words,
        }

    data = {"about": first.about, "wanted": [each.dumped() for each in wanted]}
    return jobs.draft(origin, connection, JOB, lazily(title), parameters=data)


def read_window(
    connection: Connection,
    api: Api,
    window: ReportWindow,
    reader: str,
    most: int | None = _ROWS_AT_ONCE,
) -> None:
    """Reads one window and stores it. Raises `ApiError`, and `TooLong` beyond `most` rows."""
    report = storing.report_of(connection, window.source, window.subject)
    begun = storing.begin(report, reader, window.span)
    try:
        storing.read(api, window.source, begun, window.subject, most)
    except (ApiError, NotWhole, TooLong):
        begun.delete()
        raise
    storing.finish(begun, window.source)


def _read_at_once(connection: Connection, api: Api, lack: Sequence[ReportWindow]) -> Fault | None:
    reader = f"page {uuid4().hex[:12]}"
    for window in lack:
        try:
            read_window(connection, api, window, reader)
        except ApiError as error:
            if (
                passes(error)
                or isinstance(error, Unauthorized | NotAvailable)
                or window.span is None
            ):
                return explain(error)
            report = storing.report_of(connection, window.source, window.subject)
            storing.refuse(report, reader, window.span, error.message)
    return None


def job_about(connection: Connection, wanted: Sequence[ReportWindow]) -> Job | None:
    """Returns the job that reads one of these reports already, or that was stopped just now."""
    about = {each.about for each in wanted}
    for job in _lately(connection):
        if job.parameters.get("about") in about:
            return job
    return None


def _lately(connection: Connection) -> Iterator[Job]:
    jobs = Job.objects.filter(connection=connection, kind=JOB)
    yield from jobs.filter(state__in=OPEN)
    stopped = jobs.filter(state__in=(JobState.CANCELLED, JobState.UNPLANNABLE))
    yield from stopped.filter(finished_at__gt=clock.now() - _STOPPED_FOR)


def _has_session(report: StoredReport | None, source: ReportSource, now: datetime) -> bool:
    """Returns whether a session need not be read: it is fresh, or final."""
    window = storing.windows_of(report, source, None).last()
    if window is None:
        return False
    if now - window.read_at < storing.FRESH:
        return True
    return bool(window.totals.get(storing.FINAL))


def _month_of(span: Span, today: date) -> Span:
    first = span.first.replace(day=1)
    next_month = (first.replace(day=28) + 4 * _DAY).replace(day=1)
    return Span(first, min(next_month - _DAY, today))
