"""Overview of a session: its times, its settings, and how people join it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from operator import itemgetter

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from icalendar import Calendar, Event

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.config import clock
from portal.contract.model import fields, title_of
from portal.contract.path import NotAnId
from portal.jobs.history import TEMPLATE as HISTORY_TEMPLATE, history_of
from portal.sessions import recurrence as recurring
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.times import in_words
from portal.sessions.views.base import spec_view, tab
from portal.translation import gettext as _
from portal.ui.error_messages import explain

_PRODUCT = "-//Switchboard//Sessions//EN"
_USUAL_LENGTH = 60  # minutes
TEMPLATE = "sessions/overview.html"


@dataclass(frozen=True)
class Time:
    id: str
    words: str
    is_past: bool


@dataclass(frozen=True)
class Times:
    """The times of a session, in its own zone. `host` and `viewer` are empty if the host's clock,
    or the reader's, shows the same."""

    words: str = ""
    host: str = ""
    viewer: str = ""
    rule: str = ""
    each: tuple[Time, ...] = ()

    @property
    def coming(self) -> list[Time]:
        return [one for one in self.each if not one.is_past]


@dataclass(frozen=True)
class OverviewLine:
    """A setting: `is_off` if nothing is on or chosen."""

    title: str
    words: str
    is_off: bool


@dataclass(frozen=True)
class OverviewLines:
    title: str
    lines: list[OverviewLine]

    @property
    def on(self) -> list[OverviewLine]:
        return [one for one in self.lines if not one.is_off]

    @property
    def off(self) -> list[OverviewLine]:
        return [one for one in self.lines if one.is_off]

    @property
    def off_titles(self) -> str:
        return ", ".join(one.title for one in self.off)


def times(session: SessionRecord) -> Times:
    details, zone = session.details, session.timezone
    start = details.start_time
    if session.details.occurrences and start not in session.dates:
        start = next(iter(session.dates), None)  # the first occurrence was deleted
    if start is None:
        return Times()
    words = in_words(start, zone, details.duration)
    host_zone = session.host.timezone
    host = in_words(start, host_zone, details.duration) if host_zone else ""
    rule = ""
    if session.recurrence and session.dates:
        rule = recurring.in_words(session.dates[0], zone, session.recurrence)
    viewer = in_words(start, timezone.get_current_timezone_name(), details.duration)
    return Times(
        words=words,
        host=host if host != words else "",
        viewer=viewer if viewer != words else "",
        rule=rule,
        each=tuple(_each(session)),
    )


def _each(session: SessionRecord) -> Iterator[Time]:
    now = clock.now()
    for one in session.occurrences:
        if one.start_time is None:
            continue
        ends = one.start_time + timedelta(minutes=one.duration or 0)
        words = in_words(one.start_time, session.timezone, one.duration)
        yield Time(str(one.occurrence_id), words, ends < now)


def setting_lines(session: SessionRecord) -> list[OverviewLines]:
    """The settings that the service reported, in the groups of the form."""
    settings = session.details.settings
    if settings is None:
        return []
    declared = dict(fields(type(settings)))
    data = {name: getattr(settings, name) for name in settings.model_fields_set if name in declared}
    groups = []
    for group in session.spec.setting_groups:
        names = [name for name in group.fields if name in data]
        lines = [_line(title_of(declared[name], name), data[name]) for name in names]
        if lines:
            groups.append(OverviewLines(group.title, lines))
    return groups


def _line(title: str, value: object) -> OverviewLine:
    if isinstance(value, bool):
        return OverviewLine(title, _("On") if value else _("Off"), not value)
    if isinstance(value, Enum):
        return OverviewLine(title, str(getattr(value, "label", value.value)), is_off=False)
    return OverviewLine(title, str(value) if value not in (None, "") else _("Not set"), not value)


def calendar_file(session: SessionRecord) -> bytes:
    """An event for each time that it takes place; none for what has no fixed time.

    It holds the join link, and neither the start link nor a password.
    """
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    details = session.details
    if details.occurrences or session.has_fixed_time:
        for number, start, minutes in sorted(details.times, key=itemgetter(1)):
            calendar.add_component(_event(session, number, start, minutes))
    return bytes(calendar.to_ical())


def _event(session: SessionRecord, occurrence: str, start: datetime, minutes: int | None) -> Event:
    details = session.details
    event = Event()
    event.add("uid", "-".join(filter(None, (session.spec.code, session.id, occurrence))))
    event.add("dtstamp", clock.now())
    event.add("dtstart", start.astimezone(UTC))
    event.add("dtend", start.astimezone(UTC) + timedelta(minutes=minutes or _USUAL_LENGTH))
    event.add("summary", session.topic)
    link = details.join_url and f"Join: {details.join_url}"  # untranslated: goes to anyone
    values = (details.agenda, link)
    event.add("description", "\n\n".join(filter(None, values)))
    if details.join_url:
        event.add("location", details.join_url)
        event.add("url", "".join(details.join_url.split()))
    return event


@require_GET
@never_cache
@spec_view(needs="update")
def secrets(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the start link, which makes its owner the host, and the passwords.

    Only for those who may also change them.
    """
    session = read(request.api, request.scope, spec, session_id)
    return overview_tab(request, session, shows_secrets=True)


@require_GET
@spec_view(needs="get")
def calendar(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    session = read(request.api, request.scope, spec, session_id)
    name = f'attachment; filename="{spec.code}-{session.id}.ics"'  # untranslated: a header
    return HttpResponse(
        calendar_file(session),
        content_type="text/calendar; charset=utf-8",  # untranslated: a header
        headers={"Content-Disposition": name},
    )


@require_GET
@spec_view(needs="get")
def overview(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Everything that the service reports about a session, but for its secrets."""
    return overview_tab(request, read(request.api, request.scope, spec, session_id))


def overview_tab(
    request: PortalRequest, session: SessionRecord, *, shows_secrets: bool = False
) -> HttpResponse:
    context = {
        "times": times(session),
        "settings": setting_lines(session),
        "shows_secrets": shows_secrets,
        "links": [link for link in session.spec.links if request.scope.can_call(link.needs)],
        **_polls(request, session),
    }
    return tab(
        request,
        session.spec,
        session.id,
        TEMPLATE,
        context,
        current="session",
        session=session,
    )


def _polls(request: PortalRequest, session: SessionRecord) -> dict[str, object]:
    """Returns the polls, or the fault if they cannot be read now: it spoils nothing else."""
    if not request.scope.may(session.spec.polls.list):
        return {}
    try:
        polls = session.spec.polls(request.api.caller)
        return {"has_polls": True, "polls": polls.list(session.id).polls}
    except NotAnId:  # the service calls the session otherwise than its polls may be asked for
        return {}
    except ApiError as error:
        return {"has_polls": True, "polls_fault": explain(error)}


@require_GET
@spec_view(needs="get")
def history(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Its changes, and those of its registrants, polls and the like, newest first."""
    context = history_of(request.scope, spec.family, session_id, request.GET.get("page"))
    return tab(request, spec, session_id, HISTORY_TEMPLATE, context, current="history")
