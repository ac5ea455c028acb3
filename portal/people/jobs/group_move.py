"""The job type that moves chosen people from their groups to another of the same kind."""

from collections.abc import Iterator, Sequence
from typing import Any

from portal.contract.operation import Operation
from portal.directory import groups as groups_mirror
from portal.directory.memberships import GROUP_IDS
from portal.directory.models import GroupKind, MirroredUser
from portal.jobs.models import ItemState, Job
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.steps import NewStep
from portal.mirror.refresh import request_refresh
from portal.people.jobs.base import label_of
from portal.people.jobs.of_steps import StepsJob, step_item
from portal.people.jobs.reverting import INSIDE, OUTSIDE
from portal.people.selection import PeopleSelection
from portal.people.services.group_types import GROUPS, IM_GROUPS
from portal.translation import gettext as _

KIND = "people.move_group"
_TYPES = {each.mirrored: each for each in (GROUPS, IM_GROUPS)}


class MoveGroupJob(StepsJob):
    """`parameters` are the id, kind and name of the group that people join, and in `leaves` that of
    the one group that they leave; without it they leave all others of its kind."""

    name = KIND

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        family = _TYPES[GroupKind(job.parameters["group_kind"])].family
        return [family.add_members, family.remove_member]

    def plan(self, planning: Planning) -> None:
        job = planning.job
        rows = list(PeopleSelection.of(job.parameters["chosen"]).rows(planning.scope))
        if not rows:
            raise Unplannable(_("None of the selected people is on the account any more."))
        kind = GroupKind(job.parameters["group_kind"])
        names = dict(groups_mirror.choices(planning.scope)[kind])
        for number, row in enumerate(rows, start=1):
            steps = list(_steps(job.parameters, row, names))
            for step in steps:
                planning.add(step_item(number, label_of(row), row.user_id, step))
            if not steps:
                item = NewItem(number, label_of(row), state=ItemState.UNCHANGED)
                item.data = {"user_id": row.user_id}
                planning.add(item)

    def finished(self, job: Job) -> None:
        request_refresh(job.connection, groups_mirror.GROUPS)


def _steps(
    parameters: dict[str, Any], row: MirroredUser, names: dict[str, str]
) -> Iterator[NewStep]:
    """Yields first the joining, so that nobody is in no group for a while."""
    kind, to = GroupKind(parameters["group_kind"]), parameters["group_id"]
    title = _TYPES[kind].title
    mine: Sequence[str] = getattr(row, GROUP_IDS[kind])

    def step(name: str, group: str, after: str, before: str) -> NewStep:
        data = {"group_id": group, "kind": kind.value}
        what = f"{title} {names.get(group, parameters['group_name'] if group == to else group)}"
        return NewStep(name, group, what, after, before, data=data)

    if to not in mine:
        yield step("group.join", to, INSIDE, OUTSIDE)
    for group in mine:
        if group != to and parameters.get("leaves") in (None, group):
            yield step("group.leave", group, OUTSIDE, INSIDE)
