"""Base of job types that change settings: only differences are sent, and can be undone."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.jobs.job_types import Done
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import Held, ItemValue, Look, Reversal, RevertibleJob
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.settings import Values
from portal.ui.settings.subjects import SubjectKind

CHANGE = "change"
Target = tuple[str, str]  # the id of a subject, and what it is called


@dataclass(frozen=True)
class SettingValue(ItemValue):
    """A setting that was changed."""

    @property
    def obstacle(self) -> str:
        return (
            ""
            if self.before is not None
            else _("There was no previous value, and it cannot be cleared.")
        )


class SettingsJob(RevertibleJob):
    """A job that gives several subjects the same settings.

    What each of them has now is asked of the service when it is planned.
    """

    verbs = {CHANGE: gettext_lazy("Change")}

    @abstractmethod
    def subject_kind(self, given: Mapping[str, Any]) -> SubjectKind:
        """Returns the kind of subject, by the parameters of a job or the data of an item."""

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return [self.subject_kind(job.parameters).changing]

    def compared(
        self, planning: Planning, targets: Sequence[Target], wanted: Values, first: int = 1
    ) -> Iterator[NewItem]:
        """An item for each target, with what differs there from what is wanted."""
        kind = self.subject_kind(planning.job.parameters)
        update = kind.update(wanted)

        def ask(target: Target) -> Values | None:
            return _read(kind, planning.api, target[0])

        found = planning.concurrently(ask, targets)
        for number, (target, now) in enumerate(zip(targets, found, strict=True), start=first):
            object_id, label = target
            item = NewItem(number, label, CHANGE, object_id)
            if now is None:
                item.state, item.problems = ItemState.INVALID, [self.gone]
                yield item
                continue
            different = kind.catalog.changes(now, update)
            item.changes = [
                (f"{one.group}: {one.setting.title}", one.old_words, one.new_words)
                for one in different
            ]
            item.data = {
                **self.context(planning.job),
                "before": {one.setting.name: one.old for one in different},
                "after": {one.setting.name: one.new for one in different},
            }
            if not different:
                item.state = ItemState.UNCHANGED
            yield item

    def context(self, job: Job) -> dict[str, Any]:  # noqa: ARG002
        """Returns the values that `subject_kind` reads in the data of an item."""
        return {}

    def carry_out(self, api: Api, item: JobItem) -> Done:
        kind = self.subject_kind(item.data)
        kind.change(api, item.object_id, kind.update(item.data["after"]))
        return Done(item.object_id, item.data.get("left", ""))

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        before, after = item.data["before"], item.data["after"]
        for group in self.subject_kind(item.data).catalog.groups:
            for setting in group.settings:
                if (name := setting.name) in after:
                    title = f"{group.title}: {setting.title}"
                    yield SettingValue(name, title, before[name], after[name], setting.in_words)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {"before": reversal.replaced, "after": reversal.values}

    def looking(self, planning: Planning) -> Look:
        def ask(item: JobItem) -> Held | None:
            now = _read(self.subject_kind(item.data), planning.api, item.object_id)
            return None if now is None else now.get

        return lambda items: planning.concurrently(ask, items)


def _read(kind: SubjectKind, api: Api, subject_id: str) -> Values | None:
    try:
        return kind.read(api, subject_id)
    except NotFound:
        return None
