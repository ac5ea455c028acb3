"""Approving, denying and cancelling registrants, as many as are meant, 30 in a request."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from portal.client import Api, ApiError, Invalid, NotFound
from portal.contract.references import PersonReference
from portal.contract.registrants import (
    RegistrantAction,
    RegistrantDetails,
    RegistrantStatusChange,
)
from portal.contract.sessions import OccurrenceQuery
from portal.sessions.services.registrants import name_of
from portal.sessions.specs import RegistrantFamily

CHUNK = 30  # the service takes no more in one request
AT_ONCE = 300  # as many are changed while the browser waits


@dataclass(frozen=True)
class Refusal:
    """A registrant whom the service did not change, and its words."""

    name: str
    words: str


@dataclass
class Report:
    """What became of each. `stopped` is the failure after which nothing more was sent."""

    done: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    stopped: ApiError | None = None

    @property
    def is_complete(self) -> bool:
        return not (self.refused or self.unknown or self.untried)


@dataclass(frozen=True)
class Decision:
    """What is to become of registrants of a session, for all it covers or for one occurrence."""

    family: RegistrantFamily
    session_id: str
    action: RegistrantAction
    occurrence_id: str = ""

    def send(self, api: Api, people: Iterable[RegistrantDetails]) -> None:
        """One request, for at most `CHUNK` of them. Raises `ApiError`."""
        named = [PersonReference(id=one.id, email=one.email or None) for one in people]
        body = RegistrantStatusChange(action=self.action, registrants=named)
        about: list[OccurrenceQuery] = []
        if self.occurrence_id:
            about.append(OccurrenceQuery(occurrence_id=self.occurrence_id))
        api.caller(self.family.change_status.call(self.session_id, *about, body))


def carry_out(api: Api, decision: Decision, people: Sequence[RegistrantDetails]) -> Report:
    """Changes all of them as far as the service does.

    Where it refuses a chunk, each of it is tried alone, so that one who is gone holds up nobody.
    """
    report = Report()
    for chunk in _chunks(people):
        _carry_out(api, decision, chunk, report)
    return report


def _carry_out(
    api: Api, decision: Decision, chunk: Sequence[RegistrantDetails], report: Report
) -> None:
    names = [name_of(one) for one in chunk]
    if report.stopped:
        report.untried += names
        return
    try:
        decision.send(api, chunk)
    except (NotFound, Invalid) as refusal:
        if len(chunk) == 1:
            report.refused.append(Refusal(names[0], refusal.message))
            return
        for one in chunk:
            _carry_out(api, decision, [one], report)
    except ApiError as error:
        report.stopped = error
        (report.unknown if error.may_have_happened else report.untried).extend(names)
    else:
        report.done += names


def _chunks(people: Sequence[RegistrantDetails]) -> Iterator[Sequence[RegistrantDetails]]:
    for start in range(0, len(people), CHUNK):
        yield people[start : start + CHUNK]
