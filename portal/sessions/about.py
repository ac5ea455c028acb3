"""Marks that distinguish one session from others of its topic: its host, its time, its number."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import dateformat, timezone

from portal.client import NotFound
from portal.config import clock
from portal.contract.registrants import MeetingRegistrants
from portal.directory.colleagues import Colleague, colleague
from portal.jobs.planning import Planning, Unplannable
from portal.sessions.specs import RegistrantFamily
from portal.sessions.times import day_and_time, known_zone
from portal.translation import gettext as _
from portal.ui.numbers import spaced
from portal.ui.times import aware

ABOUT = "about"  # the key of it in the data of a job's row
# How rows are searched by it.
SEARCHED = ("data__about__host", "data__about__number", "data__about__topic")


def about(details: Any, host: str) -> dict[str, str]:
    """As JSON keeps it; `details` is a session as the service reports it."""
    known = Colleague(details.host_id or "", host or details.host_id or "")
    start, zone = next_start(details), details.timezone or ""
    return about_details(details.topic or "", known, str(details.id or ""), start, zone)


def about_details(
    topic: str, host: Colleague, number: str, start: datetime | None, zone: str = ""
) -> dict[str, str]:
    return {
        "topic": topic,
        "host": host.name,
        "host_id": host.id,
        "number": number,
        "start": start.isoformat() if start else "",
        "timezone": zone,
    }


def next_start(details: Any) -> datetime | None:
    """Returns the next time; the last one if all are over, None without a fixed time."""
    times = sorted(aware(each) for each in details.starts)
    coming = [each for each in times if each >= clock.now()]
    return next(iter(coming), times[-1] if times else None)


def in_words(data: Mapping[str, str]) -> list[str]:
    """Host, time and number; the time is that of whoever looks, and says its zone."""
    return list(filter(None, (data.get("host"), when(data), spaced(data.get("number", "")))))


def when(data: Mapping[str, str]) -> str:
    """The time where the reader is."""
    if not data.get("start"):
        return _("No fixed time")
    local = timezone.localtime(datetime.fromisoformat(data["start"]))
    return f"{day_and_time(local)} {local.tzname()}"


def when_there(data: Mapping[str, str]) -> str:
    """The time in the session's own zone, which is named."""
    if not data.get("start"):
        return _("no fixed time")
    zone = known_zone(data.get("timezone", ""))
    local = datetime.fromisoformat(data["start"]).astimezone(ZoneInfo(zone))
    written = dateformat.format(local, _("l, j F Y, H:i"))
    return f"{written} ({zone})"


def session_of(planning: Planning, family: RegistrantFamily, session_id: str) -> dict[str, str]:
    """The session that people register for, read once for all rows of a plan."""
    calls = planning.api.meetings if family is MeetingRegistrants else planning.api.webinars
    try:
        details: Any = calls.get(session_id)
    except NotFound:
        raise Unplannable(_("This session no longer exists on the service.")) from None
    host = colleague(planning.scope, details.host_id or "")
    return about(details, host.name)


def of_registrant(data: Mapping[str, str]) -> list[str]:
    """The session of a registrant, in words."""
    return [data["topic"], *in_words(data)] if data.get("topic") else in_words(data)
