"""The job type that gives chosen people the same licence, department or time zone."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from portal.client import Api
from portal.contract.described import Titles
from portal.contract.operation import Operation
from portal.contract.users import Users, UserUpdate
from portal.directory import users as mirror
from portal.directory.labels import licence_label
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.jobs.job_types import Done
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.people.jobs.base import OnePersonPerRowJob, new_item
from portal.people.jobs.reverting import PeopleUndoJob, PersonValue, Reversal
from portal.people.services import seats
from portal.translation import gettext_lazy

_TITLES = Titles(UserUpdate)


class ProfileChangeJob(OnePersonPerRowJob, PeopleUndoJob):
    """`parameters["changes"]` are fields of `UserUpdate` that lists of people contain; `seats` is
    how many of each licence the account has."""

    name = "people.profile"
    verbs = {"change": gettext_lazy("Change")}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.update]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        wanted: dict[str, Any] = job.parameters["changes"]
        different = {
            name: value for name, value in wanted.items() if getattr(person, name) != value
        }
        changes = [
            (_TITLES[name], in_words(name, getattr(person, name)), in_words(name, value))
            for name, value in different.items()
        ]
        before = {name: getattr(person, name) for name in different}
        data = {"profile": different, "before": before}
        return new_item(number, person, "change", data=data, changes=changes)

    def note(self, planning: Planning) -> None:
        job = planning.job
        licence = job.parameters["changes"].get("type")
        if licence is None:
            return
        everybody = mirror.find(job.scope, UserFilter()).order_by()
        tally = seats.SeatTally.of(everybody.values_list("type", flat=True))
        waiting = job.items.filter(state=ItemState.PENDING).values("object_id")
        changed = everybody.filter(user_id__in=waiting).values_list("type", flat=True)
        for before in changed:
            tally.count(before, licence)
        known = {int(kind): count for kind, count in job.parameters.get("seats", {}).items()}
        for tone, words in tally.notes(known):
            planning.note(tone, words)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        api.users.update(item.object_id, UserUpdate.model_validate(item.data["profile"]))
        return Done(item.object_id, item.data.get("left", ""))

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        for name, value in item.data["profile"].items():
            yield PersonValue(
                name, _TITLES[name], item.data["before"][name], value, partial(in_words, name)
            )

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {"profile": reversal.values, "before": reversal.replaced}

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        by_change: dict[str, list[JobItem]] = {}
        for item in items:
            by_change.setdefault(repr(sorted(item.data["profile"].items())), []).append(item)
        for same in by_change.values():
            mirror.change(
                job.scope.connection, [item.object_id for item in same], **same[0].data["profile"]
            )


def in_words(name: str, value: Any) -> str:
    """A value of a profile as it is read."""
    return licence_label(value) if name == "type" else str(value or "")
