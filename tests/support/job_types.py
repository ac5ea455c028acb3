"""A kind of job for the tests of jobs themselves: people are created, one a row."""

from collections.abc import Iterable, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    NewUserInfo,
    RemovalAction,
    UserRemoval,
    Users,
    UserUpdate,
)
from portal.jobs import job_types
from portal.jobs.job_types import Done, ItemVerdict, JobType, Resolution
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning


class CreatePeople(JobType):
    """Creates the people whose addresses are the job's parameter."""

    name = "tests.create"
    noun = ("person", "people")
    verbs = {"create": "Create"}
    columns = ("email",)

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.create]

    def plan(self, planning: Planning) -> None:
        for number, email in enumerate(planning.job.parameters["emails"], start=2):
            planning.add(NewItem(number, email, "create"))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        info = NewUserInfo(email=item.label, type=LicenceType.BASIC)
        created = api.users.create(NewUser(action=CreateAction.CUST_CREATE, user_info=info))
        return Done(created.id)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        try:
            return Resolution(
                ItemVerdict.DONE, api.users.get(item.label).id, "Found on the service."
            )
        except NotFound:
            return Resolution(ItemVerdict.NOT_DONE)

    def row_of(self, item: JobItem) -> dict[str, str]:
        return {"email": item.label}


job_types.register(CreatePeople())


class DeletePeople(JobType):
    """Deletes the people whose ids are the job's parameter, which has no way back."""

    name = "tests.delete"
    noun = ("person", "people")
    verbs = {"delete": "Delete"}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.delete]

    def plan(self, planning: Planning) -> None:
        for number, user_id in enumerate(planning.job.parameters["ids"], start=2):
            planning.add(NewItem(number, user_id, "delete", user_id))

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.delete(item.object_id, UserRemoval(action=RemovalAction.DELETE))


job_types.register(DeletePeople())


class ChangeDepartment(JobType):
    """Moves the people whose ids are the job's parameter to a department, and back."""

    name = "tests.department"
    noun = ("person", "people")
    verbs = {"change": "Change"}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.update]

    def plan(self, planning: Planning) -> None:
        wanted = planning.job.parameters
        for number, user_id in enumerate(wanted["ids"], start=2):
            person = planning.api.users.get(user_id)
            planning.add(self._item(number, person.email, user_id, person.dept, wanted["dept"]))

    def undo(self, job: Job) -> Iterable[NewItem]:
        return (
            self._item(item.number, item.label, item.object_id, item.data["to"], item.data["from"])
            for item in job.items.filter(state=ItemState.DONE)
        )

    def _item(
        self, number: int, label: str, user_id: str, before: str | None, after: str
    ) -> NewItem:
        return NewItem(
            number,
            label,
            "change",
            user_id,
            data={"from": before or "", "to": after},
            changes=[("Department", before or "", after)],
        )

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.update(item.object_id, UserUpdate(dept=item.data["to"]))


job_types.register(ChangeDepartment())
