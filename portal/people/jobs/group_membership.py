"""Jobs that put selected people into a group, take them out, or move them to another."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from portal.client import Api, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.directory import groups as mirror
from portal.directory.models import GROUP_IDS, GroupKind, MirroredUser
from portal.jobs.job_types import BatchJobType, ItemVerdict, Resolution
from portal.jobs.models import UNDOES, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.steps import NewStep
from portal.jobs.undo import Reversal
from portal.people.jobs.base import (
    INSIDE,
    OUTSIDE,
    OnePersonPerRowJob,
    PeopleUndoJob,
    PersonValue,
    group_value,
    new_item,
)
from portal.people.jobs.steps import StepsJob, add_steps
from portal.people.services.groups import GROUPS_OF_KIND
from portal.translation import gettext_lazy
from portal.translation.phrases import joined

MOVE_GROUP = "people.move_group"
JOINING = gettext_lazy("Add %(who)s to %(name)s")
LEAVING = gettext_lazy("Remove %(who)s from %(name)s")


class _OfGroupJob(OnePersonPerRowJob, PeopleUndoJob, BatchJobType):
    """`parameters` are the id and the name of the group, and its kind."""

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        parameters = job.parameters
        group_id, kind = parameters["group_id"], parameters["group_kind"]
        is_member, joins = GROUPS_OF_KIND[kind].has(group_id, person), self.joins
        changes = [
            (parameters["group_name"], OUTSIDE, INSIDE)
            if joins
            else (parameters["group_name"], INSIDE, OUTSIDE)
        ]
        return new_item(
            number,
            person,
            "join" if joins else "leave",
            data={
                "group_id": group_id,
                "kind": kind,
                "name": parameters["group_name"],
                "before": is_member,
            },
            changes=[] if is_member == joins else changes,
            batch_key=group_id if joins else "",
        )

    joins = True
    verbs = {"join": gettext_lazy("Add"), "leave": gettext_lazy("Remove")}

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        family: Any = GROUPS_OF_KIND[job.parameters["group_kind"]].family
        if UNDOES in job.parameters:
            return [family.add_members, family.remove_member]
        return [family.add_members if self.joins else family.remove_member]

    def carry_out(self, api: Api, item: JobItem) -> None:
        if item.action == "join":
            self.carry_out_together(api, [item])
            return
        calls = GROUPS_OF_KIND[item.data["kind"]].calls(api)
        calls.remove_member(item.data["group_id"], item.object_id)

    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        data = items[0].data
        ids = [item.object_id for item in items]
        GROUPS_OF_KIND[data["kind"]].add(api, data["group_id"], ids)

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        data = item.data
        yield group_value(GroupKind(data["kind"]), data["group_id"], data["name"], data["before"])

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        return {**item.data, "before": not item.data["before"]}

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return "join" if item.data["before"] else "leave"

    def undo_batch_key(self, item: JobItem) -> str:
        return item.data["group_id"] if item.data["before"] else ""

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        """Asks the person what groups they are in."""
        try:
            person = api.users.get(item.object_id)
        except NotFound:
            return Resolution(ItemVerdict.NOT_DONE)  # if it is sent again, the service reports why
        is_in = GROUPS_OF_KIND[item.data["kind"]].has(item.data["group_id"], person)
        is_done = is_in == (item.action == "join")
        return Resolution(ItemVerdict.DONE if is_done else ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        kind, group_id = GroupKind(job.parameters["group_kind"]), job.parameters["group_id"]
        for action, record_change in (("join", mirror.join), ("leave", mirror.leave)):
            ids = [item.object_id for item in items if item.action == action]
            if ids:
                record_change(job.connection, kind, group_id, ids)

    def finished(self, job: Job) -> None:
        """Requests a refresh of the list of groups, which reports the new number of members."""
        mirror.GROUPS.request(job.connection)


class JoinGroupJob(_OfGroupJob):
    """Puts people into a user group, 30 by one request."""

    name = "people.join_group"
    batch = 30


class JoinImGroupJob(_OfGroupJob):
    """Puts people into an IM group, 10 by one request."""

    name = "people.join_im_group"
    batch = 10


class LeaveGroupJob(_OfGroupJob):
    """Takes people out of a group of either kind; taken back, puts them in, 10 by one request."""

    name = "people.leave_group"
    batch = 10
    joins = False


JOINING_JOBS = {GroupKind.GROUP: JoinGroupJob.name, GroupKind.IM_GROUP: JoinImGroupJob.name}


class MoveGroupJob(StepsJob):
    """`parameters` are the id, kind and name of the group that people join, and in `leaves` that of
    the one group that they leave; without it they leave all others of its kind."""

    name = MOVE_GROUP

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        family = GROUPS_OF_KIND[job.parameters["group_kind"]].family
        return [family.add_members, family.remove_member]

    def plan(self, planning: Planning) -> None:
        job = planning.job
        kind = GroupKind(job.parameters["group_kind"])
        names = dict(mirror.choices(planning.scope)[kind])
        for number, row in enumerate(self.people(planning), start=1):
            steps = partial(_steps, job.parameters, row, names)
            add_steps(planning, number, row, steps)

    def finished(self, job: Job) -> None:
        mirror.GROUPS.request(job.connection)


def _steps(parameters: JsonDict, row: MirroredUser, names: dict[str, str]) -> Iterator[NewStep]:
    """Yields the joining first, so that no person is without a group in between."""
    kind, to = GroupKind(parameters["group_kind"]), parameters["group_id"]
    title = GROUPS_OF_KIND[kind.value].title
    mine: Sequence[str] = getattr(row, GROUP_IDS[kind])

    def step(name: str, group: str, after: str, before: str) -> NewStep:
        data = {"group_id": group, "kind": kind.value}
        called = names.get(group, parameters["group_name"] if group == to else group)
        what = joined(" ", title, called)
        return NewStep(name, group, what, after, before, data=data, object=called)

    if to not in mine:
        yield step("group.join", to, INSIDE, OUTSIDE)
    for group in mine:
        if group != to and parameters.get("leaves") in (None, group):
            yield step("group.leave", group, OUTSIDE, INSIDE)
