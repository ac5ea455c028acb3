"""The job type that removes chosen people, and gives what they have to a colleague."""

from collections.abc import Sequence
from typing import Any

from django.utils.text import capfirst

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.users import RemovalAction, UserRemoval, Users
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs.job_types import ItemVerdict, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.refresh import request_refresh
from portal.people.jobs.base import OnePersonPerRowJob, new_item
from portal.people.labels import TRANSFERRED, listed
from portal.translation import gettext as _
from portal.translation import gettext_lazy, options

_AFTER = {
    RemovalAction.DISASSOCIATE: gettext_lazy("Leaves this account"),
    RemovalAction.DELETE: gettext_lazy("Deleted permanently"),
}


class RemovePeopleJob(OnePersonPerRowJob):
    """`parameters["how"]` is a `UserRemoval`. Who was removed does not come back."""

    name = "people.remove"
    verbs = dict(options(RemovalAction))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.delete]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        how = UserRemoval.model_validate(job.parameters["how"])
        changes = [(_("Account"), _("On this account"), _AFTER[how.action])]
        given = [str(words) for name, words in TRANSFERRED.items() if getattr(how, name)]
        if how.transfer_email and given:
            changes.append(
                (capfirst(", ".join(given)), person.name or person.email, how.transfer_email)
            )
        item = new_item(
            number, person, how.action.value, data=job.parameters["how"], changes=changes
        )
        if how.transfer_email and person.email.casefold() == how.transfer_email.casefold():
            item.state = ItemState.INVALID
            item.problems = [
                (_("Transfer to"), _("This person receives what is transferred from the others."))
            ]
        return item

    def note(self, planning: Planning) -> None:
        how = UserRemoval.model_validate(planning.job.parameters["how"])
        left = [
            words
            for name, words in TRANSFERRED.items()
            if not (how.transfer_email and getattr(how, name))
        ]
        if left:
            if how.action is RemovalAction.DELETE:
                words = _("Their %(what)s are not transferred: these are deleted with them.")
            else:
                words = _("Their %(what)s are not transferred: these go with them.")
            planning.note("warning", words % {"what": listed(left)})

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.delete(item.object_id, UserRemoval.model_validate(item.data))

    def settle(self, api: Api, item: JobItem) -> Settled:
        try:
            api.users.get(item.object_id)
        except NotFound:
            return Settled(ItemVerdict.DONE)
        return Settled(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.remove(job.connection, [item.object_id for item in items])

    def finished(self, job: Job) -> None:
        request_refresh(job.connection, mirror.USERS)
