"""Requests that name many people: who cannot be in one is left out and reported with the reason,
and all others are carried out.

A service refuses a whole request for a single wrong address. So the people that it names are left
out and the others are sent again; if it names none, each is sent alone.
"""

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from portal.client import Answered, ApiError, Conflict, Invalid
from portal.translation import gettext
from portal.ui.error_messages import explain


class NamedPeople(Protocol):
    """A person as the page calls them; `problem` says why the service need not be asked."""

    @property
    def name(self) -> str: ...

    @property
    def problem(self) -> str: ...


T = TypeVar("T", bound=NamedPeople)


@dataclass
class ManyOutcome(Generic[T]):
    """The outcome of each. `unknown` may have been carried out; `unsent` were not asked for.

    `error` is what stopped it; without one, and with people unsent, the time was over.
    """

    done: list[T] = field(default_factory=list)
    refused: list[tuple[T, str]] = field(default_factory=list)
    unknown: list[T] = field(default_factory=list)
    unsent: list[T] = field(default_factory=list)
    error: ApiError | None = None

    @property
    def is_whole(self) -> bool:
        return not (self.refused or self.unknown or self.unsent)

    @property
    def left(self) -> list[T]:
        """Returns the people for whom it is not certain that it was done."""
        return [*(one for one, _ in self.refused), *self.unknown, *self.unsent]


def carry_out(
    people: Sequence[T],
    send: Callable[[Sequence[T]], object],
    *,
    at_once: int,
    place: str = "",
    seconds: float = math.inf,
    find_done: Callable[[], Callable[[T], bool]] | None = None,
    refusals: tuple[type[Answered], ...] = (Invalid, Conflict),
) -> ManyOutcome[T]:
    """Sends the people with `send`, some at a time, as far as it goes. Raises no `ApiError`: the
    outcome contains it.

    `place` is the field of the body that lists them, by which a refusal names a person. `find_done`
    reads who is there by now, after a request without an answer. `refusals` may be about a single
    person of a request.
    """
    work = _Work(send, place, time.monotonic() + seconds, find_done, refusals)
    work.outcome.refused += [(one, one.problem) for one in people if one.problem]
    sent = [one for one in people if not one.problem]
    for start in range(0, len(sent), at_once):
        work.send(sent[start : start + at_once])
    return work.outcome


def outcome_context(outcome: ManyOutcome[T] | None, verb: str) -> dict[str, object]:
    """Returns the context of the report on many people."""
    fault = explain(outcome.error) if outcome and outcome.error else None
    return {"outcome": outcome, "fault": fault, "verb_done": gettext(verb)}


@dataclass
class _Work(Generic[T]):
    """Requests one after the other, until one fails in a way that the next would too."""

    request: Callable[[Sequence[T]], object]
    place: str
    until: float
    find_done: Callable[[], Callable[[T], bool]] | None
    refusals: tuple[type[Answered], ...]
    outcome: ManyOutcome[T] = field(default_factory=ManyOutcome)

    def send(self, people: Sequence[T]) -> None:
        if self.outcome.unsent or self.outcome.error or time.monotonic() > self.until:
            self.outcome.unsent += people
            return
        try:
            self.request(people)
        except ApiError as error:
            if isinstance(error, self.refusals):
                self._refused(people, error)
                return
            self.outcome.error = error
            if error.may_have_happened:
                self._find_out(people)
            else:
                self.outcome.unsent += people
        else:
            self.outcome.done += people

    def _refused(self, people: Sequence[T], refusal: Answered) -> None:
        blamed = self._blamed(people, refusal)
        if not blamed and len(people) > 1:
            for one in people:
                self.send([one])
            return
        self.outcome.refused += [(people[at], words) for at, words in sorted(blamed.items())] or [
            (one, refusal.message) for one in people
        ]
        rest = [one for at, one in enumerate(people) if at not in blamed]
        if blamed and rest:
            self.send(rest)

    def _blamed(self, people: Sequence[T], refusal: Answered) -> dict[int, str]:
        """Returns the messages by place, as in `members.3.email`, that the service names."""
        results: dict[int, str] = {}
        for problem in refusal.fields:
            at = re.match(rf"{re.escape(self.place)}\.(\d+)(\.|$)", problem.field)
            if at and int(at[1]) < len(people):
                results.setdefault(int(at[1]), problem.message)
        return results

    def _find_out(self, people: Sequence[T]) -> None:
        try:
            is_there = self.find_done() if self.find_done else None
        except ApiError:
            is_there = None
        if is_there is None:
            self.outcome.unknown += people
            return
        for one in people:
            (self.outcome.done if is_there(one) else self.outcome.unsent).append(one)
