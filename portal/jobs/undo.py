"""The undo of a job: each value returns to that of before, unless it was changed since."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, ClassVar

from django.db.models import QuerySet

from portal.audit.undo.members import is_same
from portal.client import Api, NotFound
from portal.contract.inverse import NoWayBack, Recreates
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.jobs.job_types import JobType
from portal.jobs.models import ROWS, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.row_errors import RowReading
from portal.translation import gettext as _
from portal.translation.phrases import joined

CHANGED_SINCE = "changed_since"  # the data of an item that is left, since its values changed
_TOGETHER = 500
# Present value of an object, by name.
CurrentValue = Callable[[str], Any]
# Present values of the objects of some items, in their order; None for an object that is gone.
CurrentValues = Callable[[Sequence[JobItem]], Iterable[CurrentValue | None]]


@dataclass(frozen=True)
class ItemValue:
    """Value that a job changed; `words` returns a value as users read it."""

    name: str
    title: str
    before: Any
    after: Any
    words: Callable[[Any], str]

    @property
    def obstacle(self) -> str:
        """Returns why the value cannot be restored; empty if it can."""
        return ""


@dataclass
class Reversal:
    """Undo of an item: `values` are to be sent in place of those `replaced`; `left` are titles of
    values that are not restored, with the reason."""

    values: JsonDict = field(default_factory=dict)
    replaced: JsonDict = field(default_factory=dict)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    changed_since: bool = False


class RevertibleJob(JobType):
    """Job type that can be undone: the data of its items have the values `before`.

    `gone` is the problem of an object that does not exist any more, as a title and words.
    """

    gone: ClassVar[tuple[str, str]]

    @abstractmethod
    def values(self, item: JobItem) -> Iterator[ItemValue]:
        """Yields the values that a done item has changed."""

    def now(self, api: Api, item: JobItem) -> CurrentValue | None:
        """Returns the present values of an item's object; None, or `NotFound`, if it is gone."""
        raise NotImplementedError

    def current_values(self, planning: Planning) -> CurrentValues:
        """Returns the reader of the objects' present values, which reads one by one."""

        def fetch(item: JobItem) -> CurrentValue | None:
            try:
                return self.now(planning.api, item)
            except NotFound:
                return None

        return lambda items: map(current_of, planning.read_each(fetch, items))

    @abstractmethod
    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        """Returns the data of the item that undoes this one."""

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:  # noqa: ARG002
        return item.action

    def undo_batch_key(self, item: JobItem) -> str:  # noqa: ARG002
        return ""

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        return changed_by(job)

    def undo(self, job: Job) -> Iterable[NewItem] | None:
        items = self.undoable(job)
        if not items.exists():
            return None

        def left(item: JobItem) -> CurrentValue:
            return {value.name: value.after for value in self.values(item)}.get

        return (self.undo_item(job, item, left(item)) for item in items.iterator())

    def reverts(self, operation: AnyOperation) -> bool:
        # An object that is created again is another one than the deleted.
        return not isinstance(operation.inverse, NoWayBack | Recreates)

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        current, items = self.current_values(planning), self.to_undo(planning, earlier)
        for start in range(0, len(items), _TOGETHER):
            some = items[start : start + _TOGETHER]
            for item, now in zip(some, current(some), strict=True):
                planning.add(self.undo_planned(planning, item, now))
            words = _("Comparing %(noun)s") % {"noun": self.noun[1]}
            planning.progress(start + len(some), len(items), words)

    def to_undo(self, planning: Planning, earlier: Job) -> list[JobItem]:
        """Returns the items that a job restores: of all rows, or of those that were selected."""
        chosen = planning.job.parameters.get(ROWS)
        numbers = None if chosen is None else set(chosen)
        items = self.undoable(earlier)
        return [one for one in items.iterator() if numbers is None or one.number in numbers]

    def undo_planned(self, planning: Planning, item: JobItem, now: CurrentValue | None) -> NewItem:
        """Returns the item that undoes another, or says why that cannot be planned."""
        make = partial(self.undo_item, planning.job, item, now)
        return planning.item(item.number, item.phrase(item.label), make, item.object_id)

    def undo_item(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:  # noqa: ARG002
        """Returns the item that undoes another; it becomes an item of `job`."""
        reversal = Reversal(left=[self.gone])
        if now:
            reversal = _sorted_out(self.values(item), now)
        label = item.phrase(item.label)
        made = NewItem(item.number, label, item.action, item.object_id, problems=reversal.left)
        if not reversal.changes:
            made.state = ItemState.INVALID if reversal.left else ItemState.UNCHANGED
            made.data = {**self.undo_context(item), CHANGED_SINCE: reversal.changed_since}
            return made
        made.action, made.changes = self.undo_action(item, reversal), reversal.changes
        made.batch_key = self.undo_batch_key(item)
        made.data = {**self.undo_context(item), **self.undo_data(item, reversal)}
        if reversal.left:
            made.data["left"] = joined(
                " ",
                *(
                    _("Not restored: %(title)s. %(why)s") % {"title": title, "why": why}
                    for title, why in reversal.left
                ),
            )
        return made

    def undo_context(self, item: JobItem) -> dict[str, object]:  # noqa: ARG002
        """Returns the data of an item that identify its object."""
        return {}


def current_of(reading: RowReading[CurrentValue | None]) -> CurrentValue | None:
    """Returns the present values that were read; what failed is raised when one is asked for."""

    def failing(_name: str) -> Any:
        return reading.value

    return failing if reading.error else reading.result


def changed_by(job: Job) -> QuerySet[JobItem]:
    """Returns the items that changed values, and have those of before."""
    return job.items.filter(state=ItemState.DONE, data__has_key="before")


def _sorted_out(values: Iterable[ItemValue], now: CurrentValue) -> Reversal:
    reversal = Reversal()
    for value in values:
        present = _plain(now(value.name))
        if is_same(present, value.before):
            continue
        if not is_same(present, value.after):
            words = value.words(present) or _("nothing")
            reversal.changed_since = True
            reversal.left.append(
                (value.title, _("Changed since, to %(words)s.") % {"words": words})
            )
        elif value.obstacle:
            reversal.left.append((value.title, value.obstacle))
        else:
            restored = "" if value.before is None else value.before
            reversal.values[value.name], reversal.replaced[value.name] = restored, present
            reversal.changes.append((value.title, value.words(present), value.words(restored)))
    return reversal


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
