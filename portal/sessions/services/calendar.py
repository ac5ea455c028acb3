"""A session as a file for calendars (RFC 5545). Times are in GMT: no calendar can misread them."""

from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from portal.config import clock
from portal.sessions.services.session import SessionRecord

_PRODUCT = "-//Switchboard//Sessions//EN"
_USUAL_LENGTH = 60  # minutes


def calendar_file(session: SessionRecord) -> bytes:
    """An event for each time that it takes place; none for what has no fixed time.

    It holds the join link, and neither the start link nor a password.
    """
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    for event in _events(session):
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _events(session: SessionRecord) -> list[Event]:
    details = session.details
    if details.occurrences:
        return [
            _event(session, str(one.occurrence_id), one.start_time, one.duration)
            for one in session.occurrences
            if one.start_time
        ]
    if details.start_time and session.has_fixed_time:
        return [_event(session, "", details.start_time, details.duration)]
    return []


def _event(session: SessionRecord, occurrence: str, start: datetime, minutes: int | None) -> Event:
    details = session.details
    event = Event()
    event.add("uid", "-".join(filter(None, (session.spec.code, session.id, occurrence))))
    event.add("dtstamp", clock.now())
    event.add("dtstart", start.astimezone(UTC))
    event.add("dtend", start.astimezone(UTC) + timedelta(minutes=minutes or _USUAL_LENGTH))
    event.add("summary", session.topic)
    link = details.join_url and f"Join: {details.join_url}"  # untranslated: goes to anybody
    values = (details.agenda, link)
    event.add("description", "\n\n".join(filter(None, values)))
    if details.join_url:
        event.add("location", details.join_url)
        event.add("url", "".join(details.join_url.split()))
    return event
