"""Registration of a session beside its attendance: who of those who registered came.

People are compared by the id of the registration or the email. Who came without an email is
compared by name, if it is that of one registrant alone; else it is unknown whether they registered,
and whether the registrants of that name came.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from portal.reports.services.attendance import Attendee
from portal.sessions.attendance.names import bare, is_placeholder, same_name, spellings
from portal.sessions.attendance.people import Recognition


class SessionRegistrant(NamedTuple):
    """A registrant of a session."""

    name: str
    email: str
    id: str = ""


def each_once(registrants: Iterable[SessionRegistrant]) -> list[SessionRegistrant]:
    """Returns the registrants, each email once."""
    once: dict[str, SessionRegistrant] = {}
    for one in registrants:
        once.setdefault(_address(one.email) or f"{one.id} {one.name}", one)
    return list(once.values())


def with_registration(
    attendees: Sequence[Attendee],
    registrants: Iterable[SessionRegistrant],
    answering: Iterable[tuple[str, str]],
) -> list[Attendee]:
    """Returns attendees with their registration and answers, and registrants who did not come.

    People who answered are pairs of a name and an email.
    """
    listed = _Registrants(registrants)
    answers = _Answering(answering, attendees)
    made = []
    for one in attendees:
        at, known_by = listed.by_key(one)
        if at is None and not one.email:
            at, known_by = listed.by_name(one.name)
        registrant = None if at is None else listed.all[at]
        is_registered = None if known_by == Recognition.NOT_COMPARED else registrant is not None
        own = {one.email, registrant.email if registrant else ""}
        did_answer = answers.has(one, own)
        named = replace(one, registered=is_registered, came=True, answered=did_answer)
        made.append(replace(named, known_by=known_by))
        if at is not None:
            listed.came.add(at)
    return made + [listed.absent(at) for at in listed.missing()]


class _Registrants:
    """The registrants of a session, each once, and the ways to find them."""

    def __init__(self, registrants: Iterable[SessionRegistrant]) -> None:
        self.all = list(registrants)
        self.came: set[int] = set()
        self._ids = {one.id: at for at, one in enumerate(self.all) if one.id}
        self._emails = {_address(one.email): at for at, one in enumerate(self.all) if one.email}
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._spelled: dict[str, set[int]] = defaultdict(set)
        self._unsure: set[int] = set()
        for at, one in enumerate(self.all):
            self._exact[same_name(one.name)].add(at)
            for spelling in spellings(one.name):
                self._spelled[spelling].add(at)

    def by_key(self, one: Attendee) -> tuple[int | None, Recognition]:
        """Returns the place of the registrant by the id of the registration or the email."""
        if (at := self._ids.get(one.registrant_id)) is not None:
            return at, Recognition.REGISTRATION
        return self._emails.get(
            _address(one.email)
        ), Recognition.EMAIL if one.email else Recognition.NOT_COMPARED

    def by_name(self, name: str) -> tuple[int | None, Recognition]:
        """Returns the place of the one registrant of this name."""
        if is_placeholder(name):
            return None, Recognition.NOT_COMPARED
        named = self._exact.get(same_name(name)) or self._spelling(name)
        if len(named) == 1:
            return next(iter(named)), Recognition.NAME
        self._unsure |= named
        return None, Recognition.NOT_COMPARED

    def _spelling(self, name: str) -> set[int]:
        for written in (name, bare(name)):
            named = {at for each in spellings(written) for at in self._spelled.get(each, ())}
            if named:
                return named
        return set()

    def missing(self) -> list[int]:
        return [at for at in range(len(self.all)) if at not in self.came]

    def absent(self, at: int) -> Attendee:
        """Returns a registrant who did not come, or may be one who was not compared."""
        one, is_unsure = self.all[at], at in self._unsure
        known_by = (
            Recognition.NOT_COMPARED
            if is_unsure
            else Recognition.EMAIL
            if one.email
            else Recognition.NAME
        )
        absent = Attendee(one.name, one.email, "", known_by, registrant_id=one.id, registered=True)
        return replace(
            absent,
            came=None if is_unsure else False,
            left_early=False,
            answered=False,
            seconds=None if is_unsure else 0,
        )


class _Answering:
    """People who answered. A name counts for an attendee without an email if it is theirs alone."""

    def __init__(self, answering: Iterable[tuple[str, str]], people: Iterable[Attendee]) -> None:
        self._emails: set[str] = set()
        self._names: set[str] = set()
        self._all_names: set[str] = set()
        for name, email in answering:
            self._all_names.add(same_name(name))
            if email:
                self._emails.add(_address(email))
            else:
                self._names.add(same_name(name))
        self._count = Counter(same_name(one.name) for one in people)

    def has(self, one: Attendee, emails: set[str]) -> bool:
        if self._emails & {_address(each) for each in emails if each}:
            return True
        name = same_name(one.name)
        names = self._names if one.email else self._all_names
        return name in names and self._count[name] == 1 and not is_placeholder(one.name)


def _address(email: str) -> str:
    return email.strip().casefold()
