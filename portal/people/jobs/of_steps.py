"""Base of jobs whose items are steps, taken one after another with each person."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation

from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.jobs import reverting, steps
from portal.jobs.job_types import Done, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import ItemValue, Look, Reversal, changed_by
from portal.jobs.steps import NewStep, all_steps, step_called, verbs
from portal.people.jobs.base import OfPeopleJob
from portal.translation import gettext_lazy

LANGUAGE = "language"  # of the words in the data of an item
REMOVE = "person.remove"  # the step after which nothing of a person can be restored


class StepsJob(OfPeopleJob, reverting.RevertibleJob):
    """The rows of one person have one number, and are carried out in order."""

    noun = (gettext_lazy("step"), gettext_lazy("steps"))
    list_url_name = ""  # its receipt says what was done
    in_order = True
    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    @property
    def verbs(self) -> dict[str, str]:  # type: ignore[override]
        return verbs()

    def calls_of(self, job: Job, action: str) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return step_called(action).calls

    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        return step_called(item.action).carry_out(api, item)

    def settle(self, api: Api, item: JobItem) -> Settled:
        with _as_planned(item):
            return step_called(item.action).settle(api, item)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for action in dict.fromkeys(item.action for item in items):
            step_called(action).ended(job, [item for item in items if item.action == action])

    def undo(self, job: Job) -> Iterator[NewItem] | None:
        items = _way_back(job)
        if not items.exists():
            return None
        left = ((item, {"state": item.data["after"]}.get) for item in items.iterator())
        return (self.undo_item(job, item, now) for item, now in left)

    def takes_back(self, operation: Operation[Any, Any]) -> bool:
        is_restored = any(operation in step.calls for step in all_steps() if step.inverse)
        return is_restored and super().takes_back(operation)

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        look = self.looking(planning)
        items = list(_way_back(earlier))
        for item, now in zip(items, look(items), strict=True):
            planning.add(self.undo_item(planning.job, item, now))

    def looking(self, planning: Planning) -> Look:
        scope = planning.scope

        def ask(item: JobItem) -> tuple[bool, str | None]:
            try:
                with _as_planned(item):
                    return True, step_called(item.action).now(planning.api, item)
            except NotFound:
                return False, None

        def look(items: Sequence[JobItem]) -> Iterator[reverting.Held | None]:
            answers = planning.concurrently(ask, items)
            for item, (is_there, now) in zip(items, answers, strict=True):
                known = _as_listed(scope, item) if now is None else now
                yield {"state": known}.get if is_there else None

        return look

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        data = item.data
        yield ItemValue("state", data["title"], data["before"], data["after"], str)

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:  # noqa: ARG002
        return step_called(item.action).inverse

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        data = {**item.data, "before": item.data["after"], "after": item.data["before"]}
        if "previous" in data:
            data |= {"wanted": item.data["previous"], "previous": item.data["wanted"]}
        data.pop(steps.AFTER_ALL, None)
        return data


def step_item(number: int, label: str, user_id: str, step: NewStep) -> NewItem:
    """The item of a step."""
    data = {
        **step.data,
        "user_id": user_id,
        "target": step.target,
        "title": str(step.title),
        "after": str(step.after),
        LANGUAGE: translation.get_language(),
    }
    if step.before:
        data["before"] = str(step.before)
    item = NewItem(
        number,
        label,
        step.step,
        # What is left out of a plan stays left out by this: one step, not all of the person.
        f"{user_id} {step.step} {step.target}"[:300],
        data=data,
        changes=step.changes or [(step.title, step.before, step.after)],
    )
    if step.problem:
        item.state, item.problems = ItemState.INVALID, [("", step.problem)]
    return item


def _as_planned(item: JobItem) -> AbstractContextManager[None]:
    """The language that the words of an item are in: what is there now is compared with them."""
    return translation.override(item.data.get(LANGUAGE, settings.LANGUAGE_CODE))


def _as_listed(scope: Scope, item: JobItem) -> str:
    with _as_planned(item):
        return step_called(item.action).listed(scope, item)


def _way_back(job: Job) -> QuerySet[JobItem]:
    """Returns the items that can be restored, the last step first, but for people who are gone."""
    gone = job.items.filter(action=REMOVE, state=ItemState.DONE).order_by().values("number")
    return changed_by(job).exclude(number__in=gone).order_by("number", "-pk")


def inverse_of(calls: Sequence[Operation[Any, Any]]) -> Iterator[Operation[Any, Any]]:
    """Yields the operations that restoring calls, by the called ones: both of each pair."""
    for step in all_steps():
        if step.inverse and any(call in calls for call in step.calls):
            yield from step.calls
            yield from step_called(step.inverse).calls
