"""People who are or were in a session: each stay as the service reports it, and stays by person.

The service lists only those who are in a live session; those who left while a viewer watched are
stored here, so that they do not vanish.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import blake2s

from django.utils.translation import gettext_noop
from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import cache, clock
from portal.contract.dashboards import ParticipantQuality, SessionMetric, SessionParticipant
from portal.dashboards.services.past import DashboardSession
from portal.dashboards.services.session.readings import (
    LIVE,
    PAST,
    Board,
    Place,
    StoredReading,
    cached,
    peek,
)
from portal.mirror.values import moment, text
from portal.sessions.attendance.people import SessionPerson, Span, is_waiting, people_of
from portal.translation import gettext as _

_LONGEST = timedelta(days=7)
_AHEAD = timedelta(minutes=5)
_LASTING = datetime.max.replace(tzinfo=UTC)  # the end of a stay that has not ended
UNNAMED = gettext_noop("Unnamed participant")  # as it is stored
_SEEN_FOR = 24 * 3600
_PAGE = 300
_SHARED = {
    "share_application": gettext_noop("Application"),
    "share_desktop": gettext_noop("Desktop"),
    "share_whiteboard": gettext_noop("Whiteboard"),
}


def find(api: Api, connection: Connection, board: Board, session_id: str) -> Place:
    """Returns the place of a session that may run, or have ended. Raises `ApiError`."""
    place = Place(board, session_id, LIVE)
    try:
        get(api, connection, place)
    except NotFound:
        place = Place(board, session_id, PAST)
        get(api, connection, place)
    return place


def get(api: Api, connection: Connection, place: Place) -> StoredReading[DashboardSession]:
    """Raises `ApiError`."""

    def read() -> DashboardSession:
        metric: SessionMetric = api.caller(place.call(place.board.get))
        now = clock.now()
        start, end = sane(metric.start_time, now), sane(metric.end_time, now)
        if start and end and not start <= end <= start + _LONGEST:
            end = None
        return DashboardSession.of(metric, start, end)

    return cached(connection, place, "session", _SESSION, read)


@dataclass(frozen=True)
class SessionStay:
    """One stay of a participant in a session. An unreported value is empty, or `None`.

    `gone_by` is when a participant was first missing from the live list: the service does not
    report when they left.
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
    email: str = ""
    registrant_id: str = ""
    status: str = ""

    @classmethod
    def of(cls, one: SessionParticipant | ParticipantQuality, now: datetime) -> "SessionStay":
        """Returns the stay of a participant. Reports of quality leave much of it out."""
        joined, left = sane(one.join_time, now), sane(one.leave_time, now)
        listed = one if isinstance(one, SessionParticipant) else SessionParticipant()
        shared = [words for name, words in _SHARED.items() if getattr(listed, name) is True]
        return cls(
            id=text(listed.id),
            user_id=text(one.user_id),
            name=text(one.user_name) or UNNAMED,
            device=text(one.device),
            network=text(listed.network_type),
            connection=text(listed.connection_type),
            location=text(one.location),
            data_center=text(listed.data_center),
            version=text(one.version),
            ip_address=text(one.ip_address),
            computer=text(one.pc_name),
            domain=text(one.domain),
            microphone=text(listed.microphone),
            speaker=text(listed.speaker),
            machine=text(one.mac_addr) or text(one.harddisk_id),
            joined=joined,
            left=left if left and (joined is None or left >= joined) else None,
            shared=", ".join(shared),
            recorded=listed.recording,
            email=text(listed.undeclared("email")),
            registrant_id=text(listed.undeclared("registrant_id")),
            status=text(listed.status),
        )

    @property
    def is_waiting(self) -> bool:
        """Returns whether it is a stay in the waiting room."""
        return is_waiting(self.status)

    @property
    def span(self) -> Span | None:
        return (self.joined, self.ended or _LASTING) if self.joined else None

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
        """Returns a text that identifies a person over all their stays as far as possible: guests
        by name and machine. A number beside an id of the person is that of the stay."""
        account_id = self.id if self.user_id.isdecimal() else self.user_id
        if account_id and self.user_id != self.id:
            return f"user {account_id}"
        if self.machine and self.name != UNNAMED:
            return f"machine {self.machine} {self.name}"
        return f"stay {self.id or self.key}"


def called(name: str) -> str:
    """Returns a participant's name, or in the reader's language that they have none."""
    return _(UNNAMED) if name == UNNAMED else name


def shared_in_words(shared: str) -> str:
    """Returns words for the shares of a stay, in the reader's language."""
    return ", ".join(_(one) for one in shared.split(", ") if one)


def stay_key(user_id: str, joined: datetime | None) -> str:
    """Returns the key of a stay, the same for lists of participants and of quality."""
    at = joined.isoformat() if joined else ""
    return blake2s(f"{user_id} {at}".encode(errors="replace"), digest_size=12).hexdigest()


_SESSION = TypeAdapter(DashboardSession)
_STAYS = TypeAdapter(list[SessionStay])


@dataclass(frozen=True)
class People:
    """All people who were in a session, as of a reading."""

    reading: StoredReading[list[SessionStay]]

    @property
    def stays(self) -> list[SessionStay]:
        return self.reading.value

    @cached_property
    def persons(self) -> Sequence[SessionPerson[SessionStay]]:
        return people_of(self.stays)

    @property
    def present(self) -> int:
        """Returns the number of people who are in the session, and not in its waiting room."""
        return sum(any(stay.ended is None for stay in one.attended) for one in self.persons)

    @property
    def admitted(self) -> int:
        """Returns the number of people who are or were in the session."""
        return sum(bool(one.attended) for one in self.persons)

    def with_same_person(self, stays: Iterable[SessionStay]) -> list[SessionStay]:
        """Returns all stays of the people of some stays."""
        wanted = {one.key for one in stays}
        people = (one.stays for one in self.persons)
        return [one for own in people if any(each.key in wanted for each in own) for one in own]

    def by_address(self, address: str) -> SessionStay | None:
        return next((one for one in self.stays if address in (one.id, one.user_id)), None)

    def by_key(self) -> dict[str, SessionStay]:
        return {one.key: one for one in self.stays}


def people(api: Api, connection: Connection, place: Place, session: DashboardSession) -> People:
    """Raises `ApiError`."""

    def read() -> list[SessionStay]:
        now = clock.now()
        call = place.call(place.board.participants, page_size=_PAGE)
        listed = [one for page in api.caller.pages(call) for one in page.participants]
        by_key = {one.key: one for one in (SessionStay.of(one, now) for one in listed)}
        stays = list(by_key.values())
        return _with_those_who_left(connection, session, stays, now) if place.is_live else stays

    return People(cached(connection, place, "participants", _STAYS, read))


def stored_stays(connection: Connection, place: Place) -> list[SessionStay]:
    """Returns the cached stays of a session that was opened lately, without a request."""
    return peek(connection, place, "participants", _STAYS) or []


def _with_those_who_left(
    connection: Connection, session: DashboardSession, stays: list[SessionStay], now: datetime
) -> list[SessionStay]:
    named = blake2s(f"{connection.key} {session.key}".encode(errors="replace")).hexdigest()
    key = f"session-stays:{named}"
    present = {one.key for one in stays}
    before = _STAYS.validate_python(cache.get(key) or [])
    gone = [
        one if one.ended else replace(one, gone_by=now) for one in before if one.key not in present
    ]
    everyone = [*gone, *stays]
    cache.set(key, _STAYS.dump_python(everyone, mode="json"), _SEEN_FOR)
    return everyone


def sane(value: object, now: datetime) -> datetime | None:
    """Returns a plausible moment in GMT, neither of 1890 nor of next year; else None."""
    at = moment(value)
    return at if at and at.year >= 2000 and at <= now + _AHEAD else None


def grouped(stays: Iterable[SessionStay]) -> list[list[SessionStay]]:
    """Returns stays by person, in the order in which the people were admitted."""
    people = (sorted(one.attended, key=_order) for one in people_of(stays) if one.attended)
    return sorted(people, key=lambda own: _order(own[0]))


def _order(one: SessionStay) -> tuple[bool, float, str]:
    return one.joined is None, one.joined.timestamp() if one.joined else 0.0, one.name
