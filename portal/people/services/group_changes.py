"""Members added to a group and removed from it, any number at a time.

One request adds so many people at most, and removes one: these are the service's limits, not those
of whoever administers it. What the requests did is told person by person, so that nothing is left
half said when one of them fails.
"""

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from portal.access.models import Connection
from portal.client import (
    Answered,
    Api,
    ApiError,
    Invalid,
    NotFound,
    ServerFault,
    Throttled,
    Unauthorized,
    Unexpected,
)
from portal.contract.groups import AddedMembers
from portal.contract.references import PersonReference
from portal.mirror import groups as mirror
from portal.people.services.colleagues import Colleague
from portal.people.services.group_kinds import Kind
from portal.people.services.groups import settle

AT_ONCE_SECONDS = 20.0


@dataclass(frozen=True)
class Wanted:
    """Somebody to add or to remove: as the service is told, and as the page calls them."""

    name: str
    id: str = ""
    email: str = ""

    @property
    def reference(self) -> PersonReference:
        """The email of somebody with an id is sent for the audit trail to be readable."""
        return PersonReference(id=self.id or None, email=self.email or None)


@dataclass
class Outcome:
    """What became of each. `unknown` may have been carried out; `unsent` were not asked for.

    `error` is what stopped it; without one, and with people unsent, the time was over.
    """

    done: list[Wanted] = field(default_factory=list)
    refused: list[tuple[Wanted, str]] = field(default_factory=list)
    unknown: list[Wanted] = field(default_factory=list)
    unsent: list[Wanted] = field(default_factory=list)
    error: ApiError | None = None

    @property
    def is_whole(self) -> bool:
        return not (self.refused or self.unknown or self.unsent)

    @property
    def left(self) -> list[Wanted]:
        """All of whom it is not certain that it was done."""
        return [*(one for one, _ in self.refused), *self.unknown, *self.unsent]


def wanted(picked: Iterable[Colleague], emails: Iterable[str] = ()) -> list[Wanted]:
    """People who were picked, and others by the address that was typed."""
    people = [Wanted(one.name, one.id, one.email) for one in picked]
    known = {one.email.casefold() for one in people}
    return people + [Wanted(each, email=each) for each in emails if each.casefold() not in known]


def add(
    api: Api,
    connection: Connection,
    kind: Kind,
    group_id: str,
    people: Sequence[Wanted],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> Outcome:
    """Adds people in as many requests as it takes, for so many seconds. Raises nothing of the
    service's: `Outcome` tells it."""
    work = _Adding(api, connection, kind, group_id, time.monotonic() + seconds)
    for start in range(0, len(people), kind.most):
        work.take(people[start : start + kind.most])
    if work.outcome.done:
        settle(api, connection, kind, group_id)
    return work.outcome


def remove(
    api: Api,
    connection: Connection,
    kind: Kind,
    group_id: str,
    people: Sequence[Wanted],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> Outcome:
    """Removes people one by one, for so many seconds. Who is no member any more is done."""
    work = _Removing(api, connection, kind, group_id, time.monotonic() + seconds)
    for one in people:
        work.take([one])
    mirror.leave(connection, kind.mirrored, group_id, [one.id for one in work.outcome.done])
    if work.outcome.done:
        settle(api, connection, kind, group_id)
    return work.outcome


class _Work(ABC):
    """Requests one after the other, until one fails in a way that the next would too."""

    def __init__(
        self, api: Api, connection: Connection, kind: Kind, group_id: str, until: float
    ) -> None:
        self.calls = kind.calls(api)
        self.connection, self.kind, self.group_id = connection, kind, group_id
        self.until = until
        self.outcome = Outcome()

    def take(self, people: Sequence[Wanted]) -> None:
        if self.outcome.unsent or self.outcome.error or time.monotonic() > self.until:
            self.outcome.unsent += people
            return
        try:
            self.ask(people)
        except ApiError as error:
            self.outcome.error = error
            open_ended = error.may_have_happened
            (self.outcome.unknown if open_ended else self.outcome.unsent).extend(people)

    @abstractmethod
    def ask(self, people: Sequence[Wanted]) -> None:
        """Asks for it, and tells `outcome` what became of each. Raises `ApiError`."""


class _Adding(_Work):
    def ask(self, people: Sequence[Wanted]) -> None:
        """Whoever the service refuses is left out, and the others asked for again."""
        body = self.kind.naming(members=[one.reference for one in people])
        try:
            answer: AddedMembers = self.calls.add_members(self.group_id, body)
        except Invalid as error:
            blamed = _blamed(error, people)
            if not blamed and len(people) > 1:
                for one in people:
                    self.take([one])
                return
            self.outcome.refused += blamed or [(one, error.message) for one in people]
            rest = [one for one in people if one not in {who for who, _ in blamed}]
            if blamed and rest:
                self.take(rest)
            return
        self.outcome.done += people
        ids = {*filter(None, answer.ids.split(",")), *(one.id for one in people if one.id)}
        mirror.join(self.connection, self.kind.mirrored, self.group_id, ids)


class _Removing(_Work):
    def ask(self, people: Sequence[Wanted]) -> None:
        [one] = people
        try:
            self.calls.remove_member(self.group_id, one.id)
        except NotFound:
            pass  # somebody else was faster
        except Answered as error:
            if isinstance(error, Unauthorized | Throttled | ServerFault | Unexpected):
                raise
            self.outcome.refused.append((one, error.message))
            return
        self.outcome.done.append(one)


def _blamed(error: Invalid, people: Sequence[Wanted]) -> list[tuple[Wanted, str]]:
    """Whom the service names, as in `members.3.email`, each with its words."""
    found: dict[int, str] = {}
    for problem in error.fields:
        place = re.match(r"members\.(\d+)\.", problem.field)
        if place and int(place[1]) < len(people):
            found.setdefault(int(place[1]), problem.message)
    return [(people[at], words) for at, words in sorted(found.items())]
