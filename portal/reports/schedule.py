"""Saved reports that are due, and sending them.

The time at which a report is due is stored in the database, like the work of jobs: a message that
the broker loses, or a scheduler that was off, delays a report and loses none. Each time is a
`ReportRun`, which one worker at a time works on: it has missing days read by a job, makes the file
and mails it. A worker that is killed while it sends may send the same mail again, under the same
Message-ID.
"""

from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from smtplib import SMTPException
from tempfile import TemporaryFile
from typing import IO, Any
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import recipients_of, scope_of, scopes_between
from portal.access.http import Origin
from portal.access.mails import MailPart, mail
from portal.access.models import User
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.config import clock
from portal.config.celery import app
from portal.connections.api import api_for
from portal.directory.colleagues import colleague
from portal.directory.scope_rules import is_within
from portal.jobs.models import JobState
from portal.reports import saved_reports
from portal.reports.filters import ReportFilter
from portal.reports.models import (
    ON_A_WEEKDAY,
    SLUGS,
    FileKind,
    Frequency,
    ReportRun,
    RunState,
    SavedReport,
)
from portal.reports.services.fetching import gather
from portal.reports.services.rows import gaps
from portal.translation import gettext as _, in_language_of
from portal.ui import exports
from portal.ui.ranges import Range
from portal.work.leases import release_soon
from portal.work.queue import FAULT, WorkQueue, single_turn
from portal.work.separately import separately
from portal.work.slots import Urgency

LARGEST_ATTACHMENT = 10_000_000  # octets; what is larger is a link
_READ_WITHIN = timedelta(hours=6)
_MAILED_WITHIN = timedelta(days=1)
_LOOKED_AT_EVERY = timedelta(seconds=5)
_RETRY = timedelta(minutes=2)
_DAY = timedelta(days=1)
_AT_ONCE = 2000
_log = structlog.get_logger(__name__)


def next_time(saved: SavedReport, now: datetime) -> datetime:
    """Returns the next time after now: at its hour in its zone, on the first day that fits."""
    zone = ZoneInfo(saved.zone)
    day = now.astimezone(zone).date()
    while True:
        at = datetime.combine(day, time(saved.hour), zone).astimezone(UTC)
        if at > now and _is_on(saved, day):
            return at
        day += _DAY


def days_of(saved: SavedReport, due_at: datetime) -> tuple[date, date]:
    """Returns the days of a report that is due: all of them are over in its zone."""
    today = due_at.astimezone(ZoneInfo(saved.zone)).date()
    if saved.frequency in (Frequency.MONTHLY, Frequency.LAST_MONTH):
        last = today.replace(day=1) - _DAY
        return last.replace(day=1), last
    return today - (7 if saved.frequency == Frequency.WEEKLY else 1) * _DAY, today - _DAY


@app.task(name="reports.begin")
def begin(saved_id: int) -> None:
    """Begins a run of a report that is due. Of times that were missed, the last is made up for."""
    with single_turn(SCHEDULES, saved_id) as saved:
        if saved is not None:
            now = clock.now()
            with transaction.atomic():
                begin_run(saved, now)
                SavedReport.objects.filter(pk=saved.pk).update(next_at=next_time(saved, now))


def begin_run(saved: SavedReport, now: datetime) -> ReportRun:
    first, last = days_of(saved, now)
    run = ReportRun.objects.create(saved=saved, first=first, last=last, created_at=now)
    RUNS.wake(run.pk)
    return run


def _report(slug: str) -> Any:
    """Returns the `Report` of this name. The code of its table is large, and a worker loads it when
    a report is due."""
    from portal.reports.definitions import REPORTS  # noqa: PLC0415

    return REPORTS[slug]


def is_allowed(saved: SavedReport, scope: Scope | None) -> bool:
    """Returns whether the owner may still see the report in their present scope; None if they have
    no access."""
    return scope is not None and scope.can_call(_report(saved.slug).source.operation)


def recipients(saved: SavedReport) -> QuerySet[User]:
    """Returns the recipients besides the owner: the chosen people who still see the whole
    connection and may open the report."""
    report = _report(saved.slug)
    seeing = recipients_of(saved.connection, report.source.operation)
    return seeing.filter(pk__in=saved.recipients.all()).exclude(pk=saved.owner_id)


def _end(saved: SavedReport) -> None:
    why = "Its owner may not see it any more."  # untranslated: stored in English
    saved_reports.delete(Origin(), saved, because=why)


def _supported(prefix: str = "") -> Q:
    """Returns the condition of saved reports that this release has: the report, when, and how."""
    names = {"slug": SLUGS, "frequency": Frequency.values, "file": FileKind.values}
    return Q(**{f"{prefix}{field}__in": values for field, values in names.items()})


def end_what_is_not_allowed() -> None:
    """Deletes the reports of owners who may not see them any more."""
    rows = list(SCHEDULES.supported_rows().select_related("owner", "connection__owner"))
    scopes = scopes_between((saved.owner, saved.connection) for saved in rows)
    by_pair = {(one.user, one.connection): one for one in scopes}

    def check(saved: SavedReport) -> None:
        if not is_allowed(saved, by_pair.get((saved.owner, saved.connection))):
            _end(saved)

    list(separately(check, rows))


SCHEDULES = WorkQueue(
    model=SavedReport,
    task="reports.begin",
    waiting=lambda: Q(next_at__lte=clock.now()),
    supported=_supported,
    urgency=Urgency.NIGHT,
    length=lambda: timedelta(minutes=1),
    since="next_at",
    related=("connection__owner", "owner"),
    swept_every=20.0,
    before_sweep=end_what_is_not_allowed,
)
RUNS = WorkQueue(
    model=ReportRun,
    task="reports.send",
    waiting=lambda: Q(mailed_at=None),
    supported=lambda: _supported("saved__"),
    length=lambda: timedelta(minutes=15),
    since="created_at",
    related=("saved__connection__owner", "saved__owner", "job"),
    swept_every=5.0,
)


@app.task(name="reports.send")
def send(run_id: int) -> None:
    """Goes on with a run: has its days read, or mails it, or mails why it failed."""
    run = RUNS.acquire(run_id)
    if run is None:
        return
    if not is_allowed(run.saved, scope_of(run.saved.owner, run.saved.connection)):
        _end(run.saved)
        return
    later: datetime | None = clock.now() + _RETRY
    try:
        with in_language_of(run.saved.owner), timezone.override(ZoneInfo(run.saved.zone)):
            later = _go_on(run)
    except (SMTPException, OSError) as error:
        _log.warning("report not mailed", run=run.key, failure=str(error))
        if clock.now() - run.created_at > _MAILED_WITHIN:
            with in_language_of(run.saved.owner):
                run.reason = _("The email could not be sent: %(error)s.") % {"error": error}
            run.state = RunState.FAILED
            run.mailed_at, later = clock.now(), None
    except Exception:  # the fault of this run alone, which is mailed as why it failed
        _log.exception("a report failed", run=run.key)
        with in_language_of(run.saved.owner):
            run.state, run.reason = RunState.FAILED, _(FAULT)
        later = None if clock.now() - run.created_at > _MAILED_WITHIN else later
        run.mailed_at = clock.now() if later is None else None
    finally:
        written = ("state", "reason", "rows", "job", "is_linked", "mailed_at")
        values = {name: getattr(run, name) for name in written}
        release_soon(run, leased_until=later, **values)


def filters_of(run: ReportRun) -> tuple[Any, ReportFilter]:
    """Returns the definition and filters of a run, in the zone that is active."""
    report = _report(run.saved.slug)
    return report, report.filter_class(_query_of(run))


def _query_of(run: ReportRun) -> QueryDict:
    data = QueryDict(run.saved.query, mutable=True)
    for name, value in (("period", "custom"), ("from_date", run.first), ("to_date", run.last)):
        data[name] = str(value)
    return data


def _refusal(run: ReportRun, scope: Scope) -> str:
    """Returns why a run is not made: it has failed, or its person is outside of the scope, so that
    it would be empty."""
    if run.state == RunState.FAILED:
        return run.reason
    subject = run.saved.subject
    if subject and not is_within(scope, subject):
        return _("Your access no longer includes the person of this report.")
    return ""


def _go_on(run: ReportRun) -> datetime | None:
    """Continues a run. Returns the time of the next try; None if it was mailed."""
    saved = run.saved
    # Nothing beyond the present scope of the owner is read, made or mailed.
    scope = scope_of(saved.owner, saved.connection)
    if refusal := _refusal(run, scope):
        return _mail_failure(run, refusal)
    report, filters = filters_of(run)
    wanted = report.wanted(filters.range, saved.subject)
    try:
        gathered = gather(scope, api_for(scope), wanted, Origin(saved.owner))
    except TokenUnreadable as problem:
        return _mail_failure(run, str(problem))
    is_late = clock.now() - run.created_at > _READ_WITHIN
    if gathered.job is not None:
        run.job = gathered.job
        if not gathered.job.is_open or gathered.job.state == JobState.PAUSED:
            words = gathered.job.shown_reason or _("The job that loads it was stopped.")
            return _mail_failure(run, words)
        if is_late:
            return _mail_failure(run, _("The data could not be loaded within six hours."))
        return clock.now() + _LOOKED_AT_EVERY
    if gathered.fault is not None:
        if is_late or gathered.fault.renew:
            return _mail_failure(run, f"{gathered.fault.title}. {gathered.fault.text}")
        return clock.now() + _RETRY
    lacks = [
        _("%(first)s to %(last)s: %(reason)s")
        % {"first": gap.span.first, "last": gap.span.last, "reason": gap.reason}
        for one in wanted
        for gap in gaps(scope.connection, one)
    ]
    run.reason = "\n".join(lacks)
    _mail_report(run, report, filters)
    return None


def _mail_report(run: ReportRun, report: Any, filters: ReportFilter) -> None:
    from portal.reports.files import in_short  # noqa: PLC0415 - tables, for pages alone

    export, kind = export_of(run), run.saved.file
    run.rows = export.count
    with _file(run, export) as file:
        size = file.seek(0, 2)
        file.seek(0)
        run.is_linked = size > LARGEST_ATTACHMENT
        scope = scope_of(run.saved.owner, run.saved.connection)
        lines = in_short(export, report, filters, (scope, run.saved.subject))
        if run.is_linked:
            link = reverse("reports:run-file", args=[run.saved.connection.key, run.key])
            words = _("The file is too large for a mail. Sign in to download it:")
            lines.append(f"{words}\n{settings.SITE_URL}{link}")
        if run.reason:
            lines.append(_("What could not be had:") + f"\n{run.reason}")
        made = _mail(run, run.saved.name, lines)
        made.to += [person.email for person in recipients(run.saved)]
        if not run.is_linked:
            made.attach(f"{export.name}.{kind}", file.read(), exports.KINDS[kind].partition(";")[0])
        made.send()
    run.state, run.mailed_at = RunState.SENT, clock.now()
    saved_reports.record_mailed(run)


def _mail_failure(run: ReportRun, reason: str) -> datetime | None:
    """Mails why a run failed, which ends it."""
    run.state, run.reason = RunState.FAILED, reason
    chosen = Range(run.first, run.last, ZoneInfo(run.saved.zone))
    days = f"{chosen.in_words} ({chosen.zone_name})"
    lines = [_("The report of %(days)s could not be created.") % {"days": days}, reason]
    _mail(run, _("Failed: %(name)s") % {"name": run.saved.name}, lines).send()
    run.mailed_at = clock.now()
    return None


def _mail(run: ReportRun, subject: str, lines: Sequence[MailPart]) -> EmailMultiAlternatives:
    saved = run.saved
    connection = _("Connection: %(name)s") % {"name": saved.connection.name}
    lines = [*lines, connection, f"{settings.SITE_URL}{_page_of(run)}"]
    state = "failed" if run.state == RunState.FAILED else "sent"
    headers = {"Message-ID": f"<report-{run.key}-{state}@switchboard.invalid>"}
    return mail(f"[Switchboard] {subject}", lines, saved.owner.email, headers=headers)


def _page_of(run: ReportRun) -> str:
    """Returns the address of the report, of the days of the run."""
    saved = run.saved
    about = [saved.subject] if saved.subject else []
    page = reverse(f"reports:{saved.slug}", args=[saved.connection.key, *about])
    return f"{page}?{_query_of(run).urlencode()}"


def export_of(run: ReportRun) -> exports.Export:
    """Returns the file of a run, in the zone that is active."""
    from portal.reports.files import export_of  # noqa: PLC0415 - tables, for pages alone

    report, filters = filters_of(run)
    scope = scope_of(run.saved.owner, run.saved.connection)
    subject = run.saved.subject
    rows = report.rows(scope, filters, filters.range, subject)
    columns = report.table_class([], connection=scope.connection).exported(None)
    is_stored = isinstance(rows, QuerySet)
    return export_of(
        scope.connection,
        report,
        filters,
        (subject, colleague(scope, subject).name if subject else ""),
        what=f"report-{run.saved.slug}",
        columns=columns,
        rows=rows.iterator(chunk_size=_AT_ONCE) if is_stored else iter(rows),
        count=rows.count() if is_stored else len(rows),
    )


def _file(run: ReportRun, export: exports.Export) -> IO[bytes]:
    if run.saved.file == "xlsx":
        facts = exports.facts_of(run.saved.connection.name, str(run.saved.owner), export)
        return exports.as_xlsx(export, facts)
    file = TemporaryFile()  # noqa: SIM115 - the caller closes it
    for piece in exports.as_csv(export.columns, export.rows):
        file.write(piece.encode())
    file.seek(0)
    return file


def _is_on(saved: SavedReport, day: date) -> bool:
    if saved.frequency in ON_A_WEEKDAY:
        return day.weekday() == saved.weekday
    if saved.frequency == Frequency.MONTHLY:
        return day.day == min(saved.day, monthrange(day.year, day.month)[1])
    return True
