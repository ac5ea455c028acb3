"""Jobs that bring objects to a wanted state: they read, plan, send and undo the differences.

A subclass reads an object (`now`), puts a value into words (`value`), and sends changes
(`carry_out`). The data of an item have the values `before`, and those that are sent.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from portal.client import Api, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.row_errors import RowReading
from portal.jobs.undo import CurrentValue, ItemValue, Reversal, RevertibleJob
from portal.translation import gettext as _, gettext_lazy
from portal.ui.settings.catalog import SubjectKind, Values, values_of

CHANGE = "change"
Target = tuple[str, str]  # the id and the label of a subject


@dataclass(frozen=True)
class UnclearableValue(ItemValue):
    """Value that is restored only if there was one before."""

    @property
    def obstacle(self) -> str:
        return (
            _("There was no previous value, and it cannot be cleared.")
            if self.before is None
            else ""
        )


class DesiredStateJob(RevertibleJob):
    """Job that brings objects to a wanted state."""

    wanted_in: ClassVar[str] = "after"  # the key in the data of items below which values are sent

    @abstractmethod
    def value(self, data: Mapping[str, object], name: str, before: Any, after: object) -> ItemValue:
        """Returns a value with its words; `data` are those of its item."""

    def differing(
        self, item: NewItem, before: CurrentValue, wanted: Mapping[str, object]
    ) -> NewItem:
        """Plans the values of an item that differ from the wanted ones."""
        different = {name: new for name, new in wanted.items() if before(name) != new}
        item.data |= {
            "before": {name: before(name) for name in different},
            self.wanted_in: different,
        }
        for name, after in different.items():
            one = self.value(item.data, name, before(name), after)
            item.changes = [
                *item.changes,
                (one.title, one.words(one.before), one.words(one.after)),
            ]
        item.state = ItemState.PENDING if different else ItemState.UNCHANGED
        return item

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        for name, before in item.data.get("before", {}).items():
            yield self.value(item.data, name, before, item.data[self.wanted_in][name])

    def undo_data(self, item: JobItem, reversal: Reversal) -> JsonDict:  # noqa: ARG002
        return {"before": reversal.replaced, self.wanted_in: reversal.values}


class SettingsJob(DesiredStateJob):
    """Job that gives several subjects the same settings.

    The present settings of each are read from the service when the job is planned.
    """

    verbs = {CHANGE: gettext_lazy("Change")}

    @abstractmethod
    def subject_kind(self, given: Mapping[str, object]) -> SubjectKind:
        """Returns the kind of subject, by the parameters of a job or the data of an item."""

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [self.subject_kind(job.parameters).changing]

    def compared(
        self, planning: Planning, targets: Sequence[Target], wanted: Values, first: int = 1
    ) -> Iterator[NewItem]:
        """Yields an item for each target, with the values that differ from the wanted ones."""
        kind = self.subject_kind(planning.job.parameters)
        update = values_of(kind.update(wanted))
        in_order = {name: update[name] for name in kind.catalog.editable if name in update}

        def fetch(target: Target) -> Values | None:
            try:
                return kind.read(planning.api, target[0])
            except NotFound:
                return None

        def compare(item: NewItem, reading: RowReading[Values | None]) -> NewItem:
            if (now := reading.value) is None:
                item.state, item.problems = ItemState.INVALID, [self.gone]
                return item
            return self.differing(item, now.get, in_order)

        result = planning.read_each(fetch, targets)
        for number, ((key, label), reading) in enumerate(zip(targets, result, strict=True), first):
            item = NewItem(number, label, CHANGE, key, data=self.context(planning.job))
            yield planning.item(number, label, partial(compare, item, reading), key)

    def context(self, job: Job) -> dict[str, object]:  # noqa: ARG002
        """Returns the values that `subject_kind` reads in the data of an item."""
        return {}

    def carry_out(self, api: Api, item: JobItem) -> None:
        kind = self.subject_kind(item.data)
        kind.change(api, item.object_id, kind.update(item.data["after"]))

    def value(self, data: Mapping[str, object], name: str, before: Any, after: object) -> ItemValue:
        setting = self.subject_kind(data).catalog.editable[name]
        return UnclearableValue(name, setting.full_title, before, after, setting.in_words)

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        """Yields the values in the order of the page, without settings that this release does not
        know."""
        before, after = item.data["before"], item.data["after"]
        for name in self.subject_kind(item.data).catalog.editable:
            if name in after:
                yield self.value(item.data, name, before[name], after[name])

    def now(self, api: Api, item: JobItem) -> CurrentValue:
        return self.subject_kind(item.data).read(api, item.object_id).get
