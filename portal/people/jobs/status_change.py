"""The job type that activates or deactivates chosen people."""

from collections.abc import Iterator, Sequence
from typing import Any

from portal.client import Api
from portal.contract.operation import Operation
from portal.contract.users import StatusAction, StatusChange, Users
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem
from portal.people.jobs.base import OnePersonPerRowJob, new_item
from portal.people.jobs.reverting import (
    ACTION_TO,
    PeopleUndoJob,
    PersonValue,
    Reversal,
    status_value,
)
from portal.people.labels import status_label
from portal.people.services.status import RESULT
from portal.translation import gettext as _
from portal.translation import options


class ChangeStatusOfPeopleJob(OnePersonPerRowJob, PeopleUndoJob):
    """`parameters["action"]` is a `StatusAction`."""

    name = "people.status"
    verbs = dict(options(StatusAction))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.change_status]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        action = StatusAction(job.parameters["action"])
        after = RESULT[action]
        is_so = person.status == after
        changes = [] if is_so else [(_("Status"), status_label(person.status), after.label)]
        data = {"before": person.status}
        return new_item(number, person, action.value, data=data, changes=changes)

    def carry_out(self, api: Api, item: JobItem) -> None:
        change = StatusChange(action=StatusAction(item.action))
        api.users.change_status(item.object_id, change)

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        yield status_value(item.data["before"], item.action)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {"before": reversal.replaced.get("status", "")}

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return ACTION_TO.get(reversal.values.get("status", ""), item.action)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        after = {item.object_id: RESULT[StatusAction(item.action)].value for item in items}
        mirror.note_written(job.connection, {key: {"status": one} for key, one in after.items()})
