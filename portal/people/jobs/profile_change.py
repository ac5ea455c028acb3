"""The job type that gives chosen people the same licence, department or time zone."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from portal.client import Api
from portal.contract.model import Titles
from portal.contract.operation import Operation
from portal.contract.users import Users, UserUpdate
from portal.directory import users as mirror
from portal.directory.labels import licence_label
from portal.directory.models import MirroredUser
from portal.jobs.desired_state import DesiredStateJob
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.people.jobs.base import OnePersonPerRowJob, label_of
from portal.people.jobs.reverting import PeopleUndoJob, PersonValue
from portal.people.services import seats
from portal.translation import gettext_lazy

_TITLES = Titles(UserUpdate)


class ProfileChangeJob(OnePersonPerRowJob, PeopleUndoJob, DesiredStateJob):
    """`parameters["changes"]` are fields of `UserUpdate` that lists of people contain; `seats` is
    how many of each licence the account has."""

    name = "people.profile"
    verbs = {"change": gettext_lazy("Change")}
    wanted_in = "profile"

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.update]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        item = NewItem(number, label_of(person), "change", person.user_id)
        return self.differing(item, partial(getattr, person), job.parameters["changes"])

    def note(self, planning: Planning) -> None:
        licence = planning.job.parameters["changes"].get("type")
        if licence is not None:
            seats.tell_moves(planning, licence)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.update(item.object_id, UserUpdate.model_validate(item.data["profile"]))

    def value(self, data: Mapping[str, Any], name: str, before: Any, after: Any) -> PersonValue:  # noqa: ARG002
        return PersonValue(name, _TITLES[name], before, after, partial(in_words, name))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {item.object_id: item.data["profile"] for item in items}
        mirror.note_written(job.connection, written)


def in_words(name: str, value: Any) -> str:
    """A value of a profile as it is read."""
    return licence_label(value) if name == "type" else str(value or "")
