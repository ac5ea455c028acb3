"""People who are or were in a session: each stay as the service reports it, and stays by person.

The service lists only those who are in a live session; those who left while a viewer watched are
stored here, so that they do not vanish.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2s

from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import cache, clock
from portal.contract.dashboards import SessionMetric, SessionParticipant
from portal.contract.model import JsonDict
from portal.dashboards.services.past import FEATURES, seconds_of
from portal.dashboards.services.session.readings import (
    LIVE,
    PAST,
    Board,
    Place,
    StoredReading,
    cached,
    peek,
)
from portal.mirror.values import integer, moment, text
from portal.translation import gettext as _

_LONGEST = timedelta(days=7)
_AHEAD = timedelta(minutes=5)
UNNAMED = gettext_noop("Unnamed participant")  # what is kept of it
_SEEN_FOR = 24 * 3600
_PAGE = 300
_SHARED = {
    "share_application": gettext_noop("Application"),
    "share_desktop": gettext_noop("Desktop"),
    "share_whiteboard": gettext_noop("Whiteboard"),
}


@dataclass(frozen=True)
class DashboardSession:
    """A meeting or webinar. What is not reported, or cannot be, is empty or `None`; what was `used`
    are names of `FEATURES`."""

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
        return self.uuid or self.number


def find(api: Api, connection: Connection, board: Board, session_id: str) -> Place:
    """Returns the place of a session that may run, or have ended. Raises `ApiError`."""
    place = Place(board, session_id, LIVE)
    try:
        get(api, connection, place)
    except NotFound:
        place = Place(board, session_id, PAST)
        get(api, connection, place)
    return place


def get(api: Api, connection: Connection, place: Place) -> tuple[DashboardSession, StoredReading]:
    """Raises `ApiError`."""

    def read() -> JsonDict:
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
            "used": [name for name in FEATURES if getattr(metric, name) is True],
        }

    reading = cached(connection, place, "session", read)
    data = reading.value
    start, end = _span(data["start"], data["end"])
    return DashboardSession(**{**data, "start": start, "end": end}), reading


def _iso(value: object) -> str | None:
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


@dataclass(frozen=True)
class SessionStay:
    """One time that somebody was in a session. What is not reported is empty, or `None`.

    `gone_by` is when somebody was first missing from the live list, which is all that is known of
    when they left.
    """

    id: str
    user_id: str
    name: str
    device: str
    network: str
    connection: str
    location: str
    data_center: str
    version: str
    ip_address: str
    computer: str
    domain: str
    microphone: str
    speaker: str
    machine: str
    joined: datetime | None
    left: datetime | None
    shared: str
    recorded: bool | None
    gone_by: datetime | None = None

    @classmethod
    def of(cls, one: SessionParticipant, now: datetime) -> "SessionStay":
        joined, left = sane(one.join_time, now), sane(one.leave_time, now)
        shared = [words for name, words in _SHARED.items() if getattr(one, name) is True]
        return cls(
            id=text(one.id),
            user_id=text(one.user_id),
            name=text(one.user_name) or UNNAMED,
            device=text(one.device),
            network=text(one.network_type),
            connection=text(one.connection_type),
            location=text(one.location),
            data_center=text(one.data_center),
            version=text(one.version),
            ip_address=text(one.ip_address),
            computer=text(one.pc_name),
            domain=text(one.domain),
            microphone=text(one.microphone),
            speaker=text(one.speaker),
            machine=text(one.mac_addr) or text(one.harddisk_id),
            joined=joined,
            left=left if left and (joined is None or left >= joined) else None,
            shared=", ".join(shared),
            recorded=one.recording,
        )

    @property
    def ended(self) -> datetime | None:
        return self.left or self.gone_by

    @property
    def key(self) -> str:
        """Returns the key that distinguishes this stay from all others of the session."""
        return stay_key(self.user_id or self.id, self.joined)

    @property
    def address(self) -> str:
        """Returns the id by which the service is asked for this stay's quality."""
        return self.id or self.user_id

    @property
    def person(self) -> str:
        """Identifies a person over all their stays, as far as that can be known: guests by
        their name and their machine. A number is that of the stay, beside an id of the person."""
        account_id = self.id if self.user_id.isdecimal() else self.user_id
        if account_id and self.user_id != self.id:
            return f"user {account_id}"
        if self.machine and self.name != UNNAMED:
            return f"machine {self.machine} {self.name}"
        return f"stay {self.id or self.key}"


def called(name: str) -> str:
    """A participant's name, and in the reader's language that somebody has none."""
    return _(UNNAMED) if name == UNNAMED else name


def shared_in_words(shared: str) -> str:
    """Returns words for the shares of a stay, in the reader's language."""
    return ", ".join(_(one) for one in shared.split(", ") if one)


def stay_key(user_id: str, joined: datetime | None) -> str:
    """Joins what participants and quality say of the same stay."""
    at = joined.isoformat() if joined else ""
    return blake2s(f"{user_id} {at}".encode(errors="replace"), digest_size=12).hexdigest()


@dataclass(frozen=True)
class People:
    """Everybody who was in a session, as of a reading."""

    stays: Sequence[SessionStay]
    reading: StoredReading

    @property
    def present(self) -> int:
        return sum(one.ended is None for one in self.stays)

    @property
    def persons(self) -> int:
        return len({one.person for one in self.stays})

    def by_address(self, address: str) -> SessionStay | None:
        return next((one for one in self.stays if address in (one.id, one.user_id)), None)

    def by_key(self) -> dict[str, SessionStay]:
        return {one.key: one for one in self.stays}


def people(api: Api, connection: Connection, place: Place, session: DashboardSession) -> People:
    """Raises `ApiError`."""

    def read() -> list[JsonDict]:
        now = clock.now()
        call = place.call(place.board.participants, page_size=_PAGE)
        listed = [one for page in api.caller.pages(call) for one in page.participants]
        stays = list(
            {one.key: one for one in (SessionStay.of(one, now) for one in listed)}.values()
        )
        if place.is_live:
            stays = _with_those_who_left(connection, session, stays, now)
        return [_dump(one) for one in stays]

    reading = cached(connection, place, "participants", read)
    return People([_load(one) for one in reading.value], reading)


def stored_stays(connection: Connection, place: Place) -> list[SessionStay]:
    """Those who are kept of a session that somebody has opened lately; nothing is asked for."""
    return [_load(one) for one in peek(connection, place, "participants") or ()]


def _with_those_who_left(
    connection: Connection, session: DashboardSession, stays: list[SessionStay], now: datetime
) -> list[SessionStay]:
    named = blake2s(f"{connection.key} {session.key}".encode(errors="replace")).hexdigest()
    key = f"session-seen:{named}"
    present = {one.key for one in stays}
    before = [_load(one) for one in cache.get(key) or ()]
    gone = [
        one if one.ended else replace(one, gone_by=now) for one in before if one.key not in present
    ]
    everybody = [*gone, *stays]
    cache.set(key, [_dump(one) for one in everybody], _SEEN_FOR)
    return everybody


def sane(value: object, now: datetime) -> datetime | None:
    """A moment of this age; neither 1890 nor next year."""
    at = moment(value)
    return at if at and at.year >= 2000 and at <= now + _AHEAD else None


def _dump(one: SessionStay) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(one).items()
    }


def _load(data: JsonDict) -> SessionStay:
    moments = {
        name: datetime.fromisoformat(data[name]) if data[name] else None
        for name in ("joined", "left", "gone_by")
    }
    return SessionStay(**{**data, **moments})


def grouped(stays: Iterable[SessionStay]) -> list[list[SessionStay]]:
    """Stays by person, those who came first first."""
    lanes: dict[str, list[SessionStay]] = {}
    for one in sorted(stays, key=_order):
        lanes.setdefault(one.person, []).append(one)
    return list(lanes.values())


def _order(one: SessionStay) -> tuple[bool, float, str]:
    return one.joined is None, one.joined.timestamp() if one.joined else 0.0, one.name
