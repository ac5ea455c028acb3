"""People of a session: which stays of its participants are those of one person.

Stays with one number of the connection are one connection. Connections that share an email, an id
or a registration are one person, unless their names show several people at one link. Others go by
their name: stays of one name that follow each other are one person, also if the service took some
seconds to see that the earlier one had ended; two at once are two. Placeholders such as "iPhone"
are never taken for one person. Time in the waiting room belongs to a person and is no attendance.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import inf
from typing import Generic, Protocol, TypeVar

from portal.sessions.attendance.names import (
    is_compatible,
    is_placeholder,
    own_words,
    same_name,
    spellings,
)

_LINGERING = timedelta(minutes=2)  # a connection that broke counts for less
_WAITING = "waiting"
_MOST_TRIED = 20  # people at one link

Span = tuple[datetime, datetime]


class Recognition(StrEnum):
    """A property that the stays of one person have in common, or a person and a registration."""

    EMAIL = "email"
    REGISTRATION = "registration"
    ACCOUNT = "account"
    NAME = "name"
    CONNECTION = "connection"
    NOT_COMPARED = "uncompared"


class ReportedStay(Protocol):
    """One stay of a participant. Texts that a service does not report are empty."""

    @property
    def id(self) -> str: ...
    @property
    def user_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def registrant_id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def span(self) -> Span | None: ...


StayT = TypeVar("StayT", bound=ReportedStay)


@dataclass(frozen=True)
class SessionPerson(Generic[StayT]):
    """A person with all their stays in the order of time. `attended` are those without the time in
    the waiting room; a person without any was never admitted."""

    recognised_by: Recognition
    stays: Sequence[StayT]

    @property
    def attended(self) -> list[StayT]:
        return [one for one in self.stays if not is_waiting(one.status)]


def is_waiting(status: str) -> bool:
    """Returns whether the status of a stay is that of the waiting room."""
    return _WAITING in status.casefold()


def people_of(stays: Iterable[StayT]) -> list[SessionPerson[StayT]]:
    """Returns each person once, those whom more than a name identifies first."""
    groups = _groups(_connections(stays))
    ids = Counter(one.id for group in groups for each in group for one in each if one.id)
    has_repeated = any(count > 1 for count in ids.values())
    people: list[_Group[StayT]] = []
    named: dict[str, list[_Group[StayT]]] = {}
    for connections in groups:
        flat = [one for each in connections for one in each]
        recognition = _recognition(flat, has_repeated)
        if recognition is not Recognition.NAME:
            people += _by_names(connections, recognition, has_repeated)
            continue
        names = [one.name for one in flat if not is_placeholder(one.name)]
        if names:
            named.setdefault(same_name(names[0]), []).append(_Group(recognition, flat))
        else:
            people.append(_Group(Recognition.CONNECTION, flat))
    people += _by_name(named, people)
    return [SessionPerson(one.recognition, sorted(one.stays, key=_begin)) for one in people]


def spans_of(stays: Iterable[ReportedStay]) -> list[Span]:
    """Returns the spans in which a person was in the session at all, in the order of time."""
    given = (one.span for one in stays if not is_waiting(one.status))
    return _joined(span for span in given if span)


def _joined(given: Iterable[Span]) -> list[Span]:
    spans: list[Span] = []
    for first, last in sorted(given):
        if spans and first <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    return spans


@dataclass
class _Group(Generic[StayT]):
    """Stays of one person, as far as is decided."""

    recognition: Recognition
    stays: list[StayT]
    _spans: list[Span] | None = None

    @property
    def spans(self) -> list[Span]:
        if self._spans is None:
            self._spans = spans_of(self.stays)
        return self._spans

    @property
    def begin(self) -> float:
        return min(map(_begin, self.stays))

    @property
    def only_waited(self) -> bool:
        return all(is_waiting(one.status) for one in self.stays)

    def add(self, other: "_Group[StayT]") -> None:
        self.stays += other.stays
        if self._spans is not None:
            self._spans = _joined([*self._spans, *other.spans])

    def was_free(self, other: "_Group[StayT]") -> bool:
        """Returns whether the other stays are not at the same time, but for a connection that
        lingered."""
        return _overlap(self.spans, other.spans) < _LINGERING


def _connections(stays: Iterable[StayT]) -> list[list[StayT]]:
    """Returns stays of one connection together, such as those in breakout rooms."""
    connections: dict[object, list[StayT]] = {}
    for at, one in enumerate(stays):
        is_number = one.user_id.isdecimal() or (one.user_id and one.user_id == one.id)
        connections.setdefault(one.user_id if is_number else at, []).append(one)
    return list(connections.values())


def _groups(connections: Iterable[list[StayT]]) -> list[list[list[StayT]]]:
    """Returns groups of connections that share an email, an id or a registration, directly or
    through others."""
    group_of: dict[tuple[str, str], list[list[StayT]]] = {}
    keys_of: dict[int, list[tuple[str, str]]] = {}
    groups: dict[int, list[list[StayT]]] = {}
    for connection in connections:
        keys = list(dict.fromkeys(key for one in connection for key in _keys(one)))
        earlier = {id(group_of[key]): group_of[key] for key in keys if key in group_of}
        # The largest group takes in the others, so that a long list takes little time.
        group = max(earlier.values(), key=len, default=[])
        for other in earlier.values():
            if other is not group:
                group += other
                keys += keys_of.pop(id(other))
                del groups[id(other)]
        group.append(connection)
        groups[id(group)] = group
        keys_of.setdefault(id(group), []).extend(keys)
        group_of.update(dict.fromkeys(keys, group))
    return list(groups.values())


def _keys(stay: ReportedStay) -> Iterator[tuple[str, str]]:
    given = {
        "email": stay.email.strip().casefold(),
        "id": stay.id,
        "number": stay.user_id,
        "registrant": stay.registrant_id,
    }
    return (key for key in given.items() if key[1])


def _recognition(stays: Sequence[ReportedStay], has_repeated: bool) -> Recognition:
    if any(one.email for one in stays):
        return Recognition.EMAIL
    if any(one.registrant_id for one in stays):
        return Recognition.REGISTRATION
    if any(_is_of_person(one, has_repeated) for one in stays):
        return Recognition.ACCOUNT
    return Recognition.NAME


def _is_of_person(stay: ReportedStay, has_repeated: bool) -> bool:
    """Returns whether the ids of a stay distinguish its person from others of the same name.

    Both ids of a guest are those of the stay. A number alone is that of the stay, as is an id of a
    list in which none is repeated.
    """
    if not stay.id:
        return bool(stay.user_id) and not stay.user_id.isdecimal()
    return stay.id != stay.user_id if stay.user_id else has_repeated


def _by_names(
    connections: Sequence[list[StayT]], recognition: Recognition, has_repeated: bool
) -> list[_Group[StayT]]:
    """Returns the people behind one link or account: its connections, apart where their names are
    those of several people.

    One who went by another name the next time is the same person if the account is the same.
    """
    named = [(_name(each), _Group(recognition, list(each))) for each in connections]
    # A short form of a name joins the longest one.
    named.sort(key=lambda one: (-len(own_words(one[0])), one[1].begin))
    people: list[tuple[str, _Group[StayT]]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for name, group in named:
        words = own_words(name)
        likely = min((by_word[word] for word in words), key=len) if words else range(len(people))
        likely = likely[:_MOST_TRIED]
        fitting = [at for at in likely if is_compatible(people[at][0], name)]
        fitting = fitting or [at for each in spellings(name) for at in by_word[each]]
        if fitting:
            several = fitting if len(fitting) > 1 else ()
            free = (at for at in several if people[at][1].was_free(group))
            people[next(free, fitting[0])][1].add(group)
            continue
        for word in {*words, *spellings(name)}:
            by_word[word].append(len(people))
        people.append((name, group))
    made = [group for _name, group in people]
    return _by_account(made, has_repeated) if len(made) > 1 else made


def _by_account(groups: list[_Group[StayT]], has_repeated: bool) -> list[_Group[StayT]]:
    people: list[_Group[StayT]] = []
    of_account: dict[str, _Group[StayT]] = {}
    for group in sorted(groups, key=lambda one: one.begin):
        ids = {account_id(one) for one in group.stays if _is_of_person(one, has_repeated)}
        earlier = next((of_account[each] for each in ids if each in of_account), None)
        if earlier and earlier.was_free(group):
            earlier.add(group)
        else:
            earlier = group
            people.append(group)
        of_account.update(dict.fromkeys(ids, earlier))
    return people


def account_id(stay: ReportedStay) -> str:
    """Returns the service's id of the person; a number is that of the stay."""
    return stay.id if stay.id and stay.user_id.isdecimal() else stay.user_id or stay.id


def _name(stays: Iterable[ReportedStay]) -> str:
    """Returns the longest name that was given in a connection."""
    return max((one.name for one in stays), key=lambda name: len(own_words(name)))


def _by_name(
    named: dict[str, list[_Group[StayT]]], others: Sequence[_Group[StayT]]
) -> list[_Group[StayT]]:
    """Returns the people whom a name alone identifies. Stays of one of the others, if a name is
    theirs alone, are added to them."""
    of_name: dict[str, list[_Group[StayT]]] = defaultdict(list)
    for other in others:
        for name in {same_name(one.name) for one in other.stays}:
            of_name[name].append(other)
    people = []
    for name, groups in named.items():
        own = of_name[name]
        made = []
        for lane in _in_turn(one for one in groups if not one.only_waited):
            if len(own) == 1 and own[0].was_free(lane):
                own[0].add(lane)
            else:
                made.append(lane)
        # A person of that name who was admitted is the one who waited before.
        for lane in _in_turn(one for one in groups if one.only_waited):
            admitted = next((one for one in made if _end(one) >= lane.begin), None)
            if home := admitted or (own[0] if len(own) == 1 else None) or next(iter(made), None):
                home.add(lane)
            else:
                made.append(lane)
        people += made
    return people


def _end(group: _Group[StayT]) -> float:
    return group.spans[-1][1].timestamp() if group.spans else inf


def _in_turn(groups: Iterable[_Group[StayT]]) -> list[_Group[StayT]]:
    """Returns groups of one name, joined if one came after another had left."""
    lanes: list[_Group[StayT]] = []
    ends: list[float] = []
    for group in sorted(groups, key=lambda one: one.begin):
        first = group.spans[0][0].timestamp() if group.spans else inf
        last = group.spans[-1][1].timestamp() if group.spans else 0.0
        # Shorter ones are of a connection that lingered, or of one that broke at once.
        least = first + _LINGERING.total_seconds()
        free = next((at for at, end in enumerate(ends) if end < least), len(ends))
        free = 0 if lanes and last < least else free
        if free == len(ends):
            lanes.append(group)
            ends.append(last)
        else:
            lanes[free].add(group)
            ends[free] = max(ends[free], last)
    return lanes


def _overlap(one: Sequence[Span], other: Sequence[Span]) -> timedelta:
    """Returns for how long both spans last; each is in the order of time."""
    total, at, beside = timedelta(0), 0, 0
    while at < len(one) and beside < len(other):
        (first, last), (begin, end) = one[at], other[beside]
        total += max(min(last, end) - max(first, begin), timedelta(0))
        if last <= end:
            at += 1
        else:
            beside += 1
    return total


def _begin(stay: ReportedStay) -> float:
    return stay.span[0].timestamp() if stay.span else 0.0
