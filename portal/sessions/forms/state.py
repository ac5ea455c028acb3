"""Initial values of a form: those of a session, or of another one like it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from portal.config import clock
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.sessions.forms.tracking import rows_for
from portal.sessions.services.session import SessionRecord
from portal.sessions.times import known_zone, local_time

_PLAIN = {"topic", "agenda", "type", "duration", "timezone", "password"}
_USUAL_LENGTH = 60  # minutes


def held_by(session: SessionRecord, tracking: Iterable[TrackingFieldDetails]) -> dict[str, Any]:
    """Returns the values of the session, with its start as the wall time of its zone."""
    details = session.details
    data = details.model_dump(mode="json", warnings=False, include=_PLAIN, exclude_none=True)
    data["timezone"] = session.timezone
    if details.settings:
        data["settings"] = details.settings.model_dump(
            mode="json", warnings=False, exclude_unset=True, exclude_none=True
        )
    if session.has_fixed_time and details.start_time:
        data["start_time"] = local_time(details.start_time, session.timezone).isoformat()
    data["tracking_fields"] = rows_for(tracking, details.tracking_fields)
    return data


def like(session: SessionRecord, tracking: Iterable[TrackingFieldDetails]) -> dict[str, Any]:
    """Returns the initial values of another session like this one, without its passwords."""
    values = held_by(session, tracking)
    values.pop("password", None)
    if "start_time" in values:
        values["start_time"] = _coming(values["start_time"], session.timezone)
    return values


def usual(zone: str) -> dict[str, Any]:
    """Returns the initial values of a new session, which starts at the next full hour."""
    now = local_time(clock.now(), zone)
    start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return {
        "start_time": start.isoformat(),
        "timezone": known_zone(zone),
        "duration": _USUAL_LENGTH,
    }


def _coming(start: str, zone: str) -> str:
    """Returns this time of day, on its own day or else on tomorrow's."""
    now, moment = local_time(clock.now(), zone), datetime.fromisoformat(start)
    if moment > now:
        return start
    return datetime.combine(now.date() + timedelta(days=1), moment.time()).isoformat()
