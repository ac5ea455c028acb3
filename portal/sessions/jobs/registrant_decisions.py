"""The job type that approves, denies or cancels many registrants of a session."""

from collections.abc import Sequence
from typing import Any

from portal.client import Api
from portal.contract.operation import Operation
from portal.contract.registrants import RegistrantAction, RegistrantDetails, RegistrantStatus
from portal.jobs.job_types import BatchJobType, Done
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.sessions.about import ABOUT, SEARCHED, of_registrant, session_of
from portal.sessions.registrant_selection import RegistrantSelection
from portal.sessions.services.decisions import CHUNK, Decision
from portal.sessions.services.registrants import RegistrantLookup, name_of
from portal.sessions.specs import REGISTRANT_FAMILIES, RegistrantFamily
from portal.translation import gettext as _
from portal.translation import gettext_lazy, options, pgettext_lazy

_BECOMES = {
    RegistrantAction.APPROVE: pgettext_lazy("registration", "Approved"),
    RegistrantAction.DENY: gettext_lazy("Denied"),
    RegistrantAction.CANCEL: pgettext_lazy("registration", "Cancelled"),
}
_TOGETHER = 300  # registrants between two words about the progress


def parameters(
    family: RegistrantFamily, session_id: str, action: RegistrantAction, chosen: RegistrantSelection
) -> dict[str, Any]:
    """The parameters of a job: whom it is about, and what is to become of them."""
    return {
        "family": family.name,
        "session_id": session_id,
        "action": action.value,
        "status": chosen.wanted.status.value,
        "occurrence_id": chosen.wanted.occurrence_id,
        "search": chosen.wanted.search,
        "ids": list(chosen.ids),
        "is_all": chosen.is_all,
    }


class DecideRegistrantsJob(BatchJobType):
    """`parameters` are those that `parameters` makes."""

    name = "registrants.decide"
    noun = (gettext_lazy("registrant"), gettext_lazy("registrants"))
    verbs = dict(options(RegistrantAction)) | {
        RegistrantAction.CANCEL.value: gettext_lazy("Cancel registration")
    }
    batch = CHUNK
    searched = SEARCHED

    def about(self, item: JobItem) -> Sequence[str]:
        return of_registrant(item.data.get(ABOUT, {}))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return [_decision(job).family.change_status]

    def plan(self, planning: Planning) -> None:
        parameters = planning.job.parameters
        decision = _decision(planning.job)
        wanted = RegistrantLookup(
            RegistrantStatus(parameters["status"]),
            parameters["occurrence_id"],
            parameters["search"],
        )
        chosen = RegistrantSelection(wanted, tuple(parameters["ids"]), parameters["is_all"])
        session = session_of(planning, decision.family, decision.session_id)
        people = chosen.people(planning.api, decision.family, decision.session_id)
        for number, person in enumerate(people, start=1):
            item = _item(number, person, decision, wanted.status)
            item.data[ABOUT] = session
            planning.add(item)
            if number % _TOGETHER == 0:
                planning.progress(number, len(people))
        if not people:
            raise Unplannable(_("None of the selected registrants is in the list any longer."))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        self.carry_out_together(api, [item])
        return Done(item.object_id)

    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        decision = _decision(items[0].job)
        decision.send(api, [_person(item) for item in items])


def _decision(job: Job) -> Decision:
    parameters = job.parameters
    return Decision(
        REGISTRANT_FAMILIES[parameters["family"]],
        parameters["session_id"],
        RegistrantAction(parameters["action"]),
        parameters["occurrence_id"],
    )


def _item(
    number: int, person: RegistrantDetails, decision: Decision, status: RegistrantStatus
) -> NewItem:
    name = name_of(person)
    label = f"{name}, {person.email}" if person.email and name != person.email else name
    return NewItem(
        number,
        label,
        decision.action.value,
        object_id=person.id,
        data={"email": person.email},
        changes=[(_("Status"), status.label, _BECOMES[decision.action])],
        batch_key=decision.session_id,
    )


def _person(item: JobItem) -> RegistrantDetails:
    return RegistrantDetails(id=item.object_id, email=item.data["email"])
