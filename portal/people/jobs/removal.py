"""The job type that removes chosen people, and gives what they have to a colleague."""

from collections.abc import Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.users import RemovalAction, UserRemoval, Users
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs.job_types import Settled, Verdict
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.refresh import request_refresh
from portal.people.jobs.of_chosen import OnePersonPerRowJob, new_item

_TRANSFERS = {
    "transfer_meeting": "meetings",
    "transfer_webinar": "webinars",
    "transfer_recording": "recordings",
}
_AFTER = {
    RemovalAction.DISASSOCIATE: "Leaves this account",
    RemovalAction.DELETE: "Deleted permanently",
}


class RemovePeople(OnePersonPerRowJob):
    """`parameters["how"]` is a `UserRemoval`. Who was removed does not come back."""

    name = "people.remove"
    verbs = {action.value: action.label for action in RemovalAction}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.delete]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        how = UserRemoval.model_validate(job.parameters["how"])
        changes = [("Account", "On this account", _AFTER[how.action])]
        given = [words for name, words in _TRANSFERS.items() if getattr(how, name)]
        if how.transfer_email and given:
            listed = ", ".join(given).capitalize()
            changes.append((listed, person.name or person.email, how.transfer_email))
        item = new_item(
            number, person, how.action.value, data=job.parameters["how"], changes=changes
        )
        if how.transfer_email and person.email.casefold() == how.transfer_email.casefold():
            item.state = ItemState.INVALID
            item.problems = [
                ("Transfer to", "This person receives what is transferred from the others.")
            ]
        return item

    def note(self, planning: Planning) -> None:
        how = UserRemoval.model_validate(planning.job.parameters["how"])
        left = [
            words
            for name, words in _TRANSFERS.items()
            if not (how.transfer_email and getattr(how, name))
        ]
        if left:
            words = " and ".join(filter(None, (", ".join(left[:-1]), left[-1])))
            what = "are deleted with them" if how.action is RemovalAction.DELETE else "go with them"
            planning.note("warning", f"Their {words} are not transferred: these {what}.")

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.delete(item.object_id, UserRemoval.model_validate(item.data))

    def settle(self, api: Api, item: JobItem) -> Settled:
        try:
            api.users.get(item.object_id)
        except NotFound:
            return Settled(Verdict.DONE)
        return Settled(Verdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.remove(job.connection, [item.object_id for item in items])

    def finished(self, job: Job) -> None:
        request_refresh(job.connection, mirror.USERS)
