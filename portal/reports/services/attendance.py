"""Attendance of a session, each person once, however often they joined.

Who is one person is decided by `portal.sessions.attendance.people`. Time in which a person was
connected twice counts once, time in the waiting room does not count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from portal.mirror.values import integer, moment, text
from portal.sessions.attendance.names import own_words
from portal.sessions.attendance.people import (
    Recognition,
    SessionPerson,
    Span,
    account_id,
    is_waiting,
    people_of,
    spans_of,
)

_LEFT_EARLY = timedelta(minutes=5)
_MOMENT: TypeAdapter[datetime] = TypeAdapter(datetime)


@dataclass(frozen=True)
class AttendanceStay:
    """One stay of a participant; None if the service does not report a value."""

    id: str
    user_id: str
    name: str
    email: str
    joined: datetime | None
    left: datetime | None
    seconds: int | None
    attentiveness: str
    registrant_id: str = ""
    status: str = ""

    @property
    def span(self) -> Span | None:
        if self.joined is None:
            return None
        if self.left is not None:
            return self.joined, self.left
        return self.joined, self.joined + timedelta(seconds=max(self.seconds or 0, 0))

    @property
    def is_waiting(self) -> bool:
        """Returns whether it is a stay in the waiting room."""
        return is_waiting(self.status)


@dataclass(frozen=True)
class Attendee:
    """A person. `known_by` is a `Recognition` of their stays, or with registration that by which
    they were compared with it; `seconds` counts no time twice. Who has no `stays` was not there.

    The last four have values for webinars with registration, else None; so have the first two of
    them if it is not known.
    """

    name: str
    email: str
    user_id: str
    known_by: Recognition
    registrant_id: str = ""
    stays: int = 0
    seconds: int | None = None
    first: datetime | None = None
    last: datetime | None = None
    registered: bool | None = None
    came: bool | None = None
    left_early: bool | None = None
    answered: bool | None = None

    @property
    def minutes(self) -> int | None:
        """Begun minutes count whole."""
        return None if self.seconds is None else -(-self.seconds // 60)


def stay_of(data: Mapping[str, object]) -> AttendanceStay:
    """Returns the stay of a participant that a report lists."""
    joined, left = moment_of(data.get("join_time")), moment_of(data.get("leave_time"))
    seconds, score = integer(data.get("duration")), data.get("attentiveness_score")
    if joined and left and left < joined:
        left = None
    if seconds is None and joined and left:
        seconds = int((left - joined).total_seconds())
    return AttendanceStay(
        id=text(data.get("id")),
        user_id=text(data.get("user_id")),
        name=text(data.get("name")),
        email=text(data.get("user_email")),
        joined=joined,
        left=left,
        seconds=seconds,
        # As the service writes it; a number below zero is none.
        attentiveness="" if isinstance(score, int) and score < 0 else text(score),
        registrant_id=text(data.get("registrant_id")),
        status=text(data.get("status")),
    )


def merged(stays: Iterable[AttendanceStay], end: datetime | None = None) -> list[Attendee]:
    """Returns each person who was admitted once; with the `end` of the session also whether they
    left early."""
    people = people_of(stays)
    return [_attendee(person, end) for person in people if person.attended]


def only_waited(stays: Sequence[AttendanceStay]) -> int:
    """Returns the number of people who were in the waiting room and never admitted."""
    if not any(one.is_waiting for one in stays):
        return 0
    return sum(not person.attended for person in people_of(stays))


def present(stays: Sequence[AttendanceStay], moments: Sequence[datetime]) -> list[int]:
    """Returns the number of people who were admitted and connected at each moment."""
    spans = [span for person in people_of(stays) for span in spans_of(person.stays)]
    return [sum(start <= at < end for start, end in spans) for at in moments]


def _attendee(person: SessionPerson[AttendanceStay], end: datetime | None) -> Attendee:
    stays = person.attended
    last_stay = stays[-1]
    spans = spans_of(stays)
    unplaced = [stay.seconds for stay in stays if stay.span is None]
    seconds = sum((last - first).total_seconds() for first, last in spans)
    lengths = [value for value in unplaced if value is not None]
    has_length = bool(spans or lengths)
    last = max((last for _, last in spans), default=None)
    # The longest name, as it was given last.
    named = max(reversed(stays), key=lambda one: (len(own_words(one.name)), bool(one.name)))
    return Attendee(
        name=named.name.strip(),
        email=next((one.email for one in person.stays if one.email), ""),
        user_id=account_id(last_stay),
        known_by=person.recognised_by,
        registrant_id=next((one.registrant_id for one in person.stays if one.registrant_id), ""),
        stays=len(stays),
        seconds=int(seconds) + sum(lengths) if has_length else None,
        first=min((first for first, _ in spans), default=None),
        last=last,
        left_early=last < end - _LEFT_EARLY if last and end else None,
    )


def moment_of(value: Any) -> datetime | None:
    """Returns a moment of a stored record; None if there is none, or it is unreadable."""
    try:
        return moment(_MOMENT.validate_python(value)) if value else None
    except ValueError:
        return None
