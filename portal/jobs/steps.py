"""Steps that jobs take with one person, each an item: how one is carried out, settled and undone.

Each domain declares its own: `Domain.steps`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.operation import Operation
from portal.jobs.job_types import Done, ItemVerdict, Settled
from portal.jobs.models import Job, JobItem


@dataclass(frozen=True)
class NewStep:
    """A step as a plan makes it: `target` is what `Step` needs to name it to the service.

    `before` is known only of what has a way back; then `title` names it, and both are in words.
    `changes` are shown instead of these, where one step changes several things.
    """

    step: str
    target: str
    title: str
    after: str
    before: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    changes: Sequence[tuple[str, str, str]] = ()


class Step(ABC):
    """The action of an item, whose `data` has `user_id`, `target`, `title` and `after`.

    `inverse` is the name of the step that restores what was there before.
    """

    name: ClassVar[str]
    verb: ClassVar[str]
    inverse: ClassVar[str] = ""
    calls: ClassVar[Sequence[Operation[Any, Any]]] = ()

    @abstractmethod
    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        """Does it, see `JobType.carry_out`."""

    def now(self, api: Api, item: JobItem) -> str | None:  # noqa: ARG002
        """Returns the present value, in the form of `after`; None if the service does not report
        it. Raises `NotFound` if the person is gone."""
        return None

    def listed(self, scope: Scope, item: JobItem) -> str:  # noqa: ARG002
        """The same as the portal's lists have it, for what `now` does not say."""
        return str(item.data["after"])

    def settle(self, api: Api, item: JobItem) -> Settled:
        """Asks whether it was done; what the service does not report may be done again."""
        is_done = self.now(api, item) == item.data["after"]
        return Settled(ItemVerdict.DONE if is_done else ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:  # noqa: B027 - as in `JobType`
        """Notes in the portal's own tables what was done, see `JobType.ended`."""


_STEPS: dict[str, Step] = {}


def register(*steps: Step) -> None:
    _STEPS.update({one.name: one for one in steps})


def all_steps() -> list[Step]:
    return list(_STEPS.values())


def step_called(name: str) -> Step:
    return _STEPS[name]


def verbs() -> dict[str, str]:
    """Returns the title of each step."""
    return {name: step.verb for name, step in _STEPS.items()}
