"""The session itself: found among those that run or those that ended, and what is said of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.dashboards import SessionMetric
from portal.dashboards.services.past import seconds_of
from portal.dashboards.services.session.board import LIVE, PAST, Board, Place
from portal.dashboards.services.session.kept import StoredReading, kept
from portal.mirror.values import integer, moment, text
from portal.translation import gettext as _

_LONGEST = timedelta(days=7)
_AHEAD = timedelta(minutes=5)
_USED = {
    "has_video": gettext_noop("Video"),
    "has_screen_share": gettext_noop("Screen sharing"),
    "has_recording": gettext_noop("Recording"),
    "has_voip": gettext_noop("Computer audio"),
    "has_pstn": gettext_noop("Telephone"),
    "has_3rd_party_audio": gettext_noop("Third-party audio"),
    "has_sip": gettext_noop("H.323 or SIP device"),
}


@dataclass(frozen=True)
class DashboardSession:
    """A meeting or webinar. What is not reported, or cannot be, is empty or `None`; what was `used`
    is kept as the portal itself speaks."""

    uuid: str
    number: str
    topic: str
    host: str
    email: str
    licence: str
    start: datetime | None
    end: datetime | None
    duration: str
    participants: int | None
    used: list[str]

    @property
    def name(self) -> str:
        return self.topic or self.number or self.uuid or _("Without a topic")

    @property
    def seconds(self) -> int | None:
        return seconds_of(self.duration, self.start, self.end)

    @property
    def key(self) -> str:
        """Returns the key under which records of it are stored."""
        return self.uuid or self.number


@dataclass(frozen=True)
class FoundSession:
    session: DashboardSession
    reading: StoredReading


def find(api: Api, connection: Connection, board: Board, session_id: str) -> Place:
    """Returns the place of a session that may run, or have ended. Raises `ApiError`."""
    place = Place(board, session_id, LIVE)
    try:
        get(api, connection, place)
    except NotFound:
        place = Place(board, session_id, PAST)
        get(api, connection, place)
    return place


def get(api: Api, connection: Connection, place: Place) -> FoundSession:
    """Raises `ApiError`."""

    def read() -> dict[str, Any]:
        metric: SessionMetric = api.caller(place.call(place.board.get))
        return {
            "uuid": text(metric.uuid),
            "number": "" if metric.id is None else text(metric.id),
            "topic": text(metric.topic),
            "host": text(metric.host),
            "email": text(metric.email),
            "licence": text(metric.user_type),
            "start": _iso(metric.start_time),
            "end": _iso(metric.end_time),
            "duration": text(metric.duration),
            "participants": integer(metric.participants),
            "used": [words for name, words in _USED.items() if getattr(metric, name) is True],
        }

    reading = kept(connection, place, "session", read)
    data = reading.value
    start, end = _span(data["start"], data["end"])
    return FoundSession(DashboardSession(**{**data, "start": start, "end": end}), reading)


def _iso(value: Any) -> str | None:
    at = moment(value)
    return at.isoformat() if at else None


def _span(start: str | None, end: str | None) -> tuple[datetime | None, datetime | None]:
    """Moments that can be: no session begins in the future or lasts for weeks."""
    now = clock.now() + _AHEAD
    first = datetime.fromisoformat(start) if start else None
    last = datetime.fromisoformat(end) if end else None
    first = first if first and first.year >= 2000 and first <= now else None
    last = last if last and last.year >= 2000 and last <= now else None
    if first and last and not first <= last <= first + _LONGEST:
        last = None
    return first, last
