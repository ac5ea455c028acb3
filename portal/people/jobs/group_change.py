"""The job types that put chosen people into a group, or take them out of it."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.directory import groups as mirror
from portal.directory.models import GroupKind, MirroredUser
from portal.jobs.job_types import BatchJobType, ItemVerdict, Settled
from portal.jobs.models import UNDOES, Job, JobItem
from portal.jobs.planning import NewItem
from portal.mirror.refresh import request_refresh
from portal.people.jobs.base import OnePersonPerRowJob, new_item
from portal.people.jobs.reverting import (
    INSIDE,
    OUTSIDE,
    PeopleUndoJob,
    PersonValue,
    Reversal,
    group_value,
)
from portal.people.services.group_types import GROUPS_OF_KIND
from portal.translation import gettext_lazy


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
    verbs: ClassVar[dict[str, str]] = {"join": gettext_lazy("Add"), "leave": gettext_lazy("Remove")}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
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

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {**item.data, "before": not item.data["before"]}

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:  # noqa: ARG002
        return "join" if item.data["before"] else "leave"

    def undo_batch_key(self, item: JobItem) -> str:
        return item.data["group_id"] if item.data["before"] else ""

    def settle(self, api: Api, item: JobItem) -> Settled:
        """Asks the person what groups they are in."""
        try:
            person = api.users.get(item.object_id)
        except NotFound:
            return Settled(ItemVerdict.NOT_DONE)  # sent again, the service says why
        is_in = GROUPS_OF_KIND[item.data["kind"]].has(item.data["group_id"], person)
        is_done = is_in == (item.action == "join")
        return Settled(ItemVerdict.DONE if is_done else ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        kind, group_id = GroupKind(job.parameters["group_kind"]), job.parameters["group_id"]
        for action, note in (("join", mirror.join), ("leave", mirror.leave)):
            ids = [item.object_id for item in items if item.action == action]
            if ids:
                note(job.connection, kind, group_id, ids)

    def finished(self, job: Job) -> None:
        """Has the list of groups read again, which reports the new number of members."""
        request_refresh(job.connection, mirror.GROUPS)


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
