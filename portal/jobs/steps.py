"""Steps of jobs about one person, each an item: how one is carried out, resolved and undone.

Each domain declares its own: `Domain.steps`.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from portal.access.scope import Scope
from portal.client import Api
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.jobs.job_types import Done, ItemVerdict, Resolution
from portal.jobs.models import OPEN_ITEMS, UNRESOLVED_ITEMS, ItemState, Job, JobItem
from portal.jobs.row_errors import Unsupported
from portal.translation import gettext as _

# In the data of an item that is carried out only if no step before it has failed.
AFTER_ALL = "after_all"
_FAILED = Q(state=ItemState.FAILED) | UNRESOLVED_ITEMS


@dataclass(frozen=True)
class NewStep:
    """A step of a plan: `target` is what `Step` needs to name it to the service, `object` what its
    verb is about, in words, if that is not the person.

    `before` is set only if the step has a way back; then `title` names the value, and both are in
    words. `changes` are shown instead if one step changes several values.
    """

    step: str
    target: str
    title: str
    after: str
    before: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    object: str = ""
    changes: Sequence[tuple[str, str, str]] = ()


class Step(ABC):
    """The action of an item, whose `data` has `user_id`, `target`, `title` and `after`.

    `inverse` is the name of the step that restores the value of before. `calls` are the operations
    of both; `sends` are those of this step, by default the first of them.
    """

    name: ClassVar[str]
    verb: ClassVar[str]
    inverse: ClassVar[str] = ""
    calls: ClassVar[Sequence[AnyOperation]] = ()
    sends: ClassVar[Sequence[AnyOperation]] = ()

    @abstractmethod
    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        """Carries the step out, see `JobType.carry_out`."""

    def now(self, api: Api, item: JobItem) -> str | None:  # noqa: ARG002
        """Returns the present value, in the form of `after`; None if the service does not report
        it. Raises `NotFound` if the person is gone."""
        return None

    def listed(self, scope: Scope, item: JobItem) -> str:  # noqa: ARG002
        """Returns the value of the portal's lists, for what `now` does not say."""
        return str(item.data["after"])

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        """Asks whether the step was done; a value that the service does not report is sent
        again."""
        is_done = self.now(api, item) == item.data["after"]
        return Resolution(ItemVerdict.DONE if is_done else ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:  # noqa: B027 - as in `JobType`
        """Updates the portal's own tables after the step, see `JobType.ended`."""


_STEPS: dict[str, Step] = {}


def register(*steps: Step) -> None:
    _STEPS.update({one.name: one for one in steps})


def all_steps() -> list[Step]:
    return list(_STEPS.values())


def step_called(name: str) -> Step:
    """Returns the step of this name. Raises `Unsupported`."""
    try:
        return _STEPS[name]
    except KeyError:
        raise Unsupported(name) from None


def verbs() -> dict[str, str]:
    """Returns the title of each step."""
    return {name: step.verb for name, step in _STEPS.items()}


def next_steps(pending: QuerySet[JobItem]) -> QuerySet[JobItem]:
    """Returns the items that have no open step of the same number before them."""
    before = JobItem.objects.filter(
        job=OuterRef("job"), number=OuterRef("number"), pk__lt=OuterRef("pk")
    )
    return pending.exclude(Exists(before.filter(OPEN_ITEMS)))


def numbered(job: Job, items: list[JobItem]) -> list[JobItem]:
    """Sets the place of each item: "2" among the steps of one number, "3.2" among several."""
    numbers = {item.number for item in items}
    steps = job.items.filter(number__in=numbers).order_by("number", "pk")
    places: dict[int, int] = {}
    count = Counter[int]()
    for pk, number in steps.values_list("pk", "number"):
        count[number] += 1
        places[pk] = count[number]
    is_one = len(numbers) == 1 and not job.items.exclude(number__in=numbers).exists()
    for item in items:
        place = places[item.pk]
        item.place = f"{place}" if is_one else f"{item.number}.{place}"  # type: ignore[attr-defined]
    return items


def without_obstructed(job: Job, items: Iterable[JobItem]) -> list[JobItem]:
    """Fails the items that require all steps before them, if one of those has failed, and returns
    the others. Called in the transaction that claims them."""
    items = list(items)
    strict = [item for item in items if item.data.get(AFTER_ALL)]
    if not strict:
        return items
    numbers = {item.number for item in strict}
    failed = job.items.filter(_FAILED, number__in=numbers).values_list("number", flat=True)
    obstructed = set(failed)
    for item in strict:
        if item.number in obstructed:
            item.state, item.ended_at = ItemState.FAILED, clock.now()
            item.message = _("Not carried out, because a step before it failed.")
            item.remember(item.message)
            item.save(update_fields=["state", "ended_at", "message", "words"])
    return [item for item in items if item.state == ItemState.PENDING]
