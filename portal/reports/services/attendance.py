"""Attendance of a session, each person once, however often they joined.

Stays that share an email, an id or a number belong to one person. If a service reports only ids
that differ for each stay, stays of one name that follow each other are joined: two devices of one
name that were connected at once are two people. Time in which a person was connected twice counts
once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Any

from pydantic import TypeAdapter

from portal.mirror.values import integer, moment, text

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


@dataclass(frozen=True)
class Attendee:
    """A person. `known_by` is what identified their stays; `seconds` counts no time twice.

    The last four have values for webinars with registration, else None.
    """

    name: str
    email: str
    user_id: str
    known_by: str
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


# What identified the stays of a person, and the stays.
_Person = tuple[str, list[AttendanceStay]]


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
    )


def merged(stays: Iterable[AttendanceStay], end: datetime | None = None) -> list[Attendee]:
    """Returns each person once; with the `end` of the session also whether they left early."""
    return [_attendee(person, end) for person in _people(stays)]


def with_registration(
    attendees: Sequence[Attendee],
    registrants: Iterable[tuple[str, str]],
    answering: Iterable[tuple[str, str]],
) -> list[Attendee]:
    """Returns attendees with their registration and answers, and registrants who did not come.

    Registrants and people who answered are pairs of a name and an email.
    """
    signed_up = {email.casefold(): (name, email) for name, email in registrants if email}
    answers = {(email or name).casefold() for name, email in answering}
    made = []
    for one in attendees:
        email = one.email.casefold()
        is_registered = bool(email) and email in signed_up
        did_answer = bool(answers & {email, one.name.casefold()} - {""})
        made.append(replace(one, registered=is_registered, came=True, answered=did_answer))
    here = {one.email.casefold() for one in attendees}
    for email, (name, written) in signed_up.items():
        if email not in here:
            absent = Attendee(name, written, "", "email", registered=True, came=False)
            made.append(replace(absent, left_early=False, answered=False, seconds=0))
    return made


def present(stays: Sequence[AttendanceStay], moments: Sequence[datetime]) -> list[int]:
    """Returns the number of people who were connected at each moment."""
    spans = [span for _known_by, own in _people(stays) for span in _spans(own)]
    return [sum(start <= at < end for start, end in spans) for at in moments]


def _people(stays: Iterable[AttendanceStay]) -> list[_Person]:
    groups = _joined_by_ids(stays)
    ids = Counter(stay.id for group in groups for stay in group if stay.id)
    has_repeated = any(count > 1 for count in ids.values())
    people: list[_Person] = []
    named: dict[str, list[list[AttendanceStay]]] = {}
    for group in groups:
        name = next((stay.name.casefold() for stay in group if stay.name), "")
        if any(stay.email for stay in group):
            people.append(("email", group))
        elif any(_is_of_person(stay, has_repeated) for stay in group):
            people.append(("account", group))
        elif name:
            named.setdefault(name, []).append(group)
        else:
            people.append(("nothing", group))
    people += [("name", one) for same in named.values() for one in _in_turn(same)]
    return people


def _joined_by_ids(stays: Iterable[AttendanceStay]) -> list[list[AttendanceStay]]:
    """Returns groups of stays that share an email or an id, directly or through other stays."""
    group_of: dict[tuple[str, str], list[AttendanceStay]] = {}
    keys_of: dict[int, list[tuple[str, str]]] = {}
    groups: dict[int, list[AttendanceStay]] = {}
    for stay in stays:
        given = {"email": stay.email.casefold(), "id": stay.id, "number": stay.user_id}
        keys = [key for key in given.items() if key[1]]
        earlier = {id(group_of[key]): group_of[key] for key in keys if key in group_of}
        # The largest group takes in the others, so that a long list takes little time.
        group = max(earlier.values(), key=len, default=[])
        for other in earlier.values():
            if other is not group:
                group += other
                keys += keys_of.pop(id(other))
                del groups[id(other)]
        group.append(stay)
        groups[id(group)] = group
        keys_of.setdefault(id(group), []).extend(keys)
        group_of.update(dict.fromkeys(keys, group))
    return list(groups.values())


def _is_of_person(stay: AttendanceStay, has_repeated: bool) -> bool:
    """Returns whether the ids of a stay distinguish its person from others of the same name.

    Both ids of a guest are those of the stay. A number alone is that of the stay, as is an id of a
    list in which none is repeated.
    """
    if not stay.id:
        return bool(stay.user_id) and not stay.user_id.isdecimal()
    return stay.id != stay.user_id if stay.user_id else has_repeated


def _in_turn(groups: Iterable[list[AttendanceStay]]) -> list[list[AttendanceStay]]:
    """Returns groups of one name, joined if one came after another had left."""
    people: list[tuple[float, list[AttendanceStay]]] = []
    for group in sorted(groups, key=lambda one: min(map(_joined, one))):
        spans = _spans(group)
        first = spans[0][0].timestamp() if spans else inf
        last = spans[-1][1].timestamp() if spans else 0.0
        free = next((at for at, (left, _) in enumerate(people) if left <= first), len(people))
        left, stays = people.pop(free) if free < len(people) else (0.0, [])
        people.insert(free, (max(left, last), stays + group))
    return [stays for _, stays in people]


def _account_id(stay: AttendanceStay) -> str:
    """Returns the service's id of the person; a number is that of the stay."""
    return stay.id if stay.id and stay.user_id.isdecimal() else stay.user_id or stay.id


def _attendee(person: _Person, end: datetime | None) -> Attendee:
    known_by, own = person
    stays = sorted(own, key=_joined)
    last_stay = stays[-1]
    spans = _spans(stays)
    unplaced = [stay.seconds for stay in stays if _span(stay) is None]
    seconds = sum((last - first).total_seconds() for first, last in spans)
    lengths = [value for value in unplaced if value is not None]
    has_length = bool(spans or lengths)
    last = max((last for _, last in spans), default=None)
    return Attendee(
        name=last_stay.name or next((one.name for one in stays if one.name), ""),
        email=next((one.email for one in stays if one.email), ""),
        user_id=_account_id(last_stay),
        known_by=known_by,
        stays=len(stays),
        seconds=int(seconds) + sum(lengths) if has_length else None,
        first=min((first for first, _ in spans), default=None),
        last=last,
        left_early=last < end - _LEFT_EARLY if last and end else None,
    )


def _spans(stays: Iterable[AttendanceStay]) -> list[tuple[datetime, datetime]]:
    """Returns the spans in which a person was connected at all, in the order of time."""
    spans: list[tuple[datetime, datetime]] = []
    for first, last in sorted(span for stay in stays if (span := _span(stay))):
        if spans and first <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    return spans


def _span(stay: AttendanceStay) -> tuple[datetime, datetime] | None:
    if stay.joined is None:
        return None
    if stay.left is not None:
        return stay.joined, stay.left
    return stay.joined, stay.joined + timedelta(seconds=max(stay.seconds or 0, 0))


def _joined(stay: AttendanceStay) -> float:
    return stay.joined.timestamp() if stay.joined else 0.0


def moment_of(value: Any) -> datetime | None:
    """Returns a moment of a stored record; None if there is none, or it is unreadable."""
    try:
        return moment(_MOMENT.validate_python(value)) if value else None
    except ValueError:
        return None
