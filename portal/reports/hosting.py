"""Hosts, for the pages of other domains: from the stored report on hosts."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from statistics import median
from uuid import uuid4

from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse
from django.utils.dateformat import format as formatted

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, NotAvailable
from portal.config import clock
from portal.config.database import Busy, briefly
from portal.connections.api import api_for
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation
from portal.contract.reports import Reports
from portal.mirror import values
from portal.mirror.hosting import Hosted, UnknownDays
from portal.mirror.mirrored_list import ListReading, MirroredList
from portal.reports.models import StoredRow, StoredWindow
from portal.reports.services import storing
from portal.reports.services.fetching import (
    ReportWindow,
    job_about,
    lacking,
    read_window,
    request_reading,
    whole,
)
from portal.reports.services.rows import NOT_READ
from portal.reports.services.sources import (
    DAILY,
    HOSTS,
    PERSON,
    STORAGE,
    ReportSource,
    SourcePage,
)
from portal.reports.windows import Span, final_day, missing
from portal.sessions.mirror import beginning, host_of
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.home import HomeFigure
from portal.ui.things import Aspect, ThingAspect, first_week, weekly

_DAYS = 30
_READER = "first load"  # untranslated: the reader, for the database
# What was read so lately is reliable up to the day of the reading.
_RECENT = timedelta(days=1)
_A_MONTH = 27  # days, after the first


def _load(reading: ListReading) -> None:
    today = clock.now().date()
    span = Span(today - timedelta(days=_DAYS - 1), today)
    for source in (DAILY, STORAGE, HOSTS):
        lack = lacking(reading.connection, ReportWindow(source, span))
        try:
            for window in lack:
                one = replace(window, source=_renewing(source, reading))
                read_window(reading.connection, reading.api, one, _READER, most=None)
        except NotAvailable:
            reading.notes.append(values.NOT_AVAILABLE)


def _renewing(source: ReportSource, reading: ListReading) -> ReportSource:
    """Returns a source that renews the lease of the reading with each page."""

    def fetch(api: Api, subject: str, span: Span | None) -> Iterator[SourcePage]:
        for page in source.fetch(api, subject, span):
            reading.renew()
            yield page

    return replace(source, fetch=fetch)


USAGE = MirroredList("usage", gettext_lazy("use of the last 30 days"), _load)


class StoredHosts:
    """The report on active hosts. Sums hold for exactly the days of a request: a person in a window
    hosted on one of its days, and a person in none of the windows that cover some days hosted on
    none of these."""

    operation: AnyOperation = Reports.users

    def stored(self, scope: Scope, first: date) -> Hosted:
        now = clock.now()
        report = storing.stored(scope.connection, HOSTS)
        last = max(first, (now - _RECENT).date())
        of_days = storing.windows_of(report, HOSTS, None)
        stored = list(of_days.filter(first__lte=now.date(), last__gte=first))
        # Windows within the days first: others name people who hosted before these days.
        windows = [one for one in stored if one.first and one.first >= first]
        windows += [one for one in stored if one not in windows]
        used, lack = _covering(windows, Span(first, last), now)
        rows = StoredRow.objects.filter(window__in=[window.pk for window in used])
        hosts = rows.annotate(host=KeyTextTransform("id", "data")).exclude(host__isnull=True)
        return Hosted(
            hosts.order_by().values("host"),
            [UnknownDays(each.first, each.last, _reason(each, windows)) for each in lack],
            min((window.read_at for window in used), default=None),
        )

    def read(self, scope: Scope, api: Api, first: date) -> None:
        # What is stored is shown to all who share the connection, so it is read whole.
        connection = scope.connection
        if scope.is_narrow:
            api = api_for(whole(connection))
        reader = f"licences {uuid4().hex[:12]}"
        for window in lacking(connection, _wanted(first)):
            read_window(connection, api, window, reader, most=None)

    def request(self, connection: Connection, origin: Origin, first: date) -> None:
        if job_about(connection, [ReportWindow(HOSTS)]) is None:
            with suppress(Busy), briefly():  # else the next page has it read
                request_reading(connection, origin, [_wanted(first)])

    def is_requested(self, connection: Connection) -> bool:
        job = job_about(connection, [ReportWindow(HOSTS)])
        return job is not None and job.is_open


def _wanted(first: date) -> ReportWindow:
    return ReportWindow(HOSTS, Span(first, max(first, clock.now().date())))


def _covering(
    windows: Sequence[StoredWindow], wanted: Span, now: datetime
) -> tuple[list[StoredWindow], list[Span]]:
    """Returns the windows that cover some of the days, and the days that none covers."""
    used: list[StoredWindow] = []
    spans: list[Span] = []
    for window in windows:
        days = window.span
        end = _reliable_until(window, now)
        is_within = days is not None and days.first >= wanted.first
        if window.failure or days is None or end < days.first:
            continue
        adds = any(gap.first <= end and days.first <= gap.last for gap in missing(wanted, spans))
        if not is_within and not adds:
            continue
        used.append(window)
        if not window.is_short:
            spans.append(Span(days.first, end))
    return used, missing(wanted, spans)


def _reliable_until(window: StoredWindow, now: datetime) -> date:
    """Returns the last reliable day: later ones were not over when the window was read."""
    last: date = window.last or date.min
    if now - window.read_at < _RECENT:
        return min(last, window.read_at.date())
    return min(last, final_day(window.read_at))


def _reason(span: Span, windows: Sequence[StoredWindow]) -> str:
    """Returns why the windows say nothing of some days."""
    for window in windows:
        days = window.span
        if days is None or days.first > span.last or span.first > days.last:
            continue
        if window.failure:
            return str(window.failure)
        if window.is_short:
            return _("The service reports %(reported)s hosts, and listed %(listed)s.") % {
                "reported": number(window.reported or 0),
                "listed": number(window.listed),
            }
    return str(NOT_READ)


HOSTING = StoredHosts()


def _hosted(scope: Scope, user_id: str) -> Aspect:
    """Returns what the person hosted in the last stored days that are about a month together; its
    curves are of the scheduled times."""
    report = storing.stored(scope.connection, HOSTS)
    stored = storing.windows_of(report, HOSTS, None).filter(failure="").order_by("-last", "first")
    used: list[StoredWindow] = []
    first = last = None
    for window in stored:
        days = window.span
        if days is None or window.is_short or (first and days.last != first - timedelta(days=1)):
            continue
        used, first, last = [*used, window], days.first, last or days.last
        if (last - first).days >= _A_MONTH:
            break
    url = reverse("reports:person", args=[scope.connection.key, user_id])
    if not (first and last) or (last - first).days < _A_MONTH:
        unread = HomeFigure(url, about=_("Load the report"))
        return Aspect([(_("Hosted sessions"), unread)])
    rows = StoredRow.objects.filter(window__in=used, data__id=user_id)
    sums = dict.fromkeys(("meetings", "participants", "meeting_minutes"), 0)
    for data in rows.values_list("data", flat=True):
        for name in sums:
            sums[name] += int(data.get(name) or 0)
    held = beginning(scope, first_week(), clock.now()).filter(session__host_id=user_id)
    times = list(held.values_list("start_time", "end_time").order_by())
    span = _("%(first)s to %(last)s") % {
        "first": formatted(first, _("j M")),
        "last": formatted(last, _("j M")),
    }
    length = {"days": number((last - first).days + 1)}
    people = ngettext("%(count)s person", "%(count)s people", sums["participants"])
    each = _("%(minutes)s min each") % {
        "minutes": number(round(sums["meeting_minutes"] / (sums["meetings"] or 1)))
    }
    hosted = HomeFigure(
        url,
        number(sums["meetings"]),
        about=people % {"count": number(sums["participants"])},
        curve=weekly((start, 1) for start, _end in times),
        exact=span,
    )
    spent = HomeFigure(
        url,
        f"{number(sums['meeting_minutes'] / 60, 1)} h" if sums["meetings"] else "0",
        about=each if sums["meetings"] else "",
        exact=span,
        curve=weekly((start, (end - start).total_seconds()) for start, end in times),
    )
    return Aspect(
        [(_("Hosted, %(days)s days") % length, hosted), (_("Time, %(days)s days") % length, spent)]
    )


HOSTED = ThingAspect("person", 20, Reports.users, _hosted)


def _participants(scope: Scope, session_id: str) -> Aspect:
    """Returns how many usually come to a meeting, by the stored report on its host."""
    host = host_of(scope.connection, Meetings.name, session_id)
    if not host:
        return Aspect()
    numbers = [session_id, int(session_id)] if session_id.isdigit() else [session_id]
    rows = StoredRow.objects.filter(
        window__report__connection=scope.connection,
        window__report__source=PERSON.name,
        window__report__subject=host,
        window__is_whole=True,
        data__id__in=numbers,
    )
    counts = {
        moment: int(data.get("participants_count") or 0)
        for moment, data in rows.order_by("moment").values_list("moment", "data")
        if moment
    }
    url = reverse("reports:person", args=[scope.connection.key, host])
    title = _("Usual participants")
    if not counts:
        return Aspect([(title, HomeFigure(url, about=_("Load the report")))])
    about = _("at most %(count)s") % {"count": number(max(counts.values()))}
    usual = number(round(median(counts.values())))
    return Aspect([(title, HomeFigure(url, usual, about=about, curve=list(counts.values())))])


PARTICIPANTS = ThingAspect(Meetings.name, 20, Reports.user_meetings, _participants)
