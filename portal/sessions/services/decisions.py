"""Approving, denying and cancelling registrants, as many as are meant, 30 in a request."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.client import Api, Invalid, NotFound
from portal.contract.problems import PersonReference
from portal.contract.registrants import (
    RegistrantAction,
    RegistrantDetails,
    RegistrantStatusChange,
)
from portal.contract.sessions import OccurrenceQuery
from portal.sessions.services.registrants import name_of
from portal.sessions.specs import RegistrantFamily
from portal.ui import many
from portal.ui.many import ManyOutcome

CHUNK = 30  # the service takes no more in one request
AT_ONCE = 300  # as many are changed while the browser waits


@dataclass(frozen=True)
class Registered:
    """A registrant whom something is done to."""

    person: RegistrantDetails
    problem: str = ""

    @property
    def name(self) -> str:
        return name_of(self.person)


@dataclass(frozen=True)
class Decision:
    """A decision on registrants of a session, for all it covers or for one occurrence."""

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


def carry_out(
    api: Api, decision: Decision, people: Sequence[Registered]
) -> ManyOutcome[Registered]:
    """Changes all of them as far as the service does.

    Where it refuses a request, each of it is tried alone, so that one who is gone holds up nobody.
    """

    def ask(some: Sequence[Registered]) -> None:
        decision.send(api, [one.person for one in some])

    refusals = (NotFound, Invalid)
    return many.carry_out(people, ask, at_once=CHUNK, refusals=refusals)
