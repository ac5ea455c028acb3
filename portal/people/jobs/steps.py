"""Steps of jobs with one person who comes or leaves, their inverses, and the base of such jobs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation

from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.contract.delegates import Assistants, Delegate, DelegateList
from portal.contract.groups import Groups
from portal.contract.operation import AnyOperation
from portal.contract.users import (
    LicenceType,
    StatusAction,
    StatusChange,
    UserRemovalToday,
    Users,
    UserUpdate,
)
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.models import GroupKind, MirroredUser, licence_label
from portal.directory.settings import PEOPLE
from portal.jobs import steps
from portal.jobs.job_types import Done, ItemVerdict, Resolution
from portal.jobs.labels import verb_of
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.row_errors import RowReading
from portal.jobs.steps import NewStep, Step, all_steps, step_called, verbs
from portal.jobs.undo import (
    CurrentValue,
    CurrentValues,
    ItemValue,
    Reversal,
    RevertibleJob,
    changed_by,
)
from portal.people.jobs.base import (
    INSIDE,
    IS,
    IS_NOT,
    OUTSIDE,
    OfPeopleJob,
    PeopleSelection,
    removal_outcome,
)
from portal.people.labels import RESULT, status_label
from portal.people.services.groups import GROUPS_OF_KIND
from portal.translation import gettext as _, gettext_lazy, pgettext
from portal.translation.phrases import joined
from portal.ui.settings.catalog import Values

LANGUAGE = "language"  # of the words in the data of an item
REMOVE = "person.remove"  # the step after which nothing of a person can be restored


class StepsJob(OfPeopleJob, RevertibleJob):
    """The rows of one person have one number, and are carried out in order."""

    noun = (gettext_lazy("step"), gettext_lazy("steps"))
    list_url_name = ""  # its receipt says what was done
    in_order = True
    is_by_action = True
    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    @property
    def verbs(self) -> dict[str, str]:
        return verbs()

    def people(self, planning: Planning) -> list[MirroredUser]:
        """Returns the selected people. Raises `Unplannable` if none is left."""
        selection = PeopleSelection.of(planning.job.parameters["chosen"])
        rows = list(selection.rows(planning.scope))
        if not rows:
            raise Unplannable(_("None of the selected people is on the account any more."))
        return rows

    def title_of(self, item: JobItem) -> str:
        """Returns what the step does, as "Leave group Sales"; steps of earlier releases say it by
        the name of their value."""
        if not item.action or not item.changes:
            return super().title_of(item)
        verb = verb_of(self, item.action)
        called = item.data.get("object")
        if called is None:
            return _("%(verb)s: %(what)s") % {"verb": verb, "what": item.read(item.data["title"])}
        words = {"verb": verb, "what": item.read(called)}
        return pgettext("step", "%(verb)s %(what)s") % words if called else verb

    def calls_of(self, job: Job, action: str) -> Sequence[AnyOperation]:
        step = step_called(action)
        return step.sends or step.calls[:1]

    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        return step_called(item.action).carry_out(api, item)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        with _as_planned(item):
            return step_called(item.action).resolve(api, item)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for action in dict.fromkeys(item.action for item in items):
            step_called(action).ended(job, [item for item in items if item.action == action])

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        return _way_back(job)

    def undo(self, job: Job) -> Iterator[NewItem] | None:
        items = self.undoable(job)
        if not items.exists():
            return None
        left = ((item, {"state": item.data["after"]}.get) for item in items.iterator())
        return (self.undo_item(job, item, now) for item, now in left)

    def reverts(self, operation: AnyOperation) -> bool:
        is_restored = any(operation in step.calls for step in all_steps() if step.inverse)
        return is_restored and super().reverts(operation)

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        current = self.current_values(planning)
        items = self.to_undo(planning, earlier)
        for item, now in zip(items, current(items), strict=True):
            planning.add(self.undo_planned(planning, item, now))

    def current_values(self, planning: Planning) -> CurrentValues:
        scope = planning.scope

        def fetch(item: JobItem) -> tuple[bool, str | None]:
            try:
                with _as_planned(item):
                    return True, step_called(item.action).now(planning.api, item)
            except NotFound:
                return False, None

        def state_of(item: JobItem, reading: RowReading[tuple[bool, str | None]]) -> CurrentValue:
            def state(_name: str) -> str | None:
                now = reading.value[1]
                with _as_planned(item):
                    return step_called(item.action).listed(scope, item) if now is None else now

            return state

        def current(items: Sequence[JobItem]) -> Iterator[CurrentValue | None]:
            for item, one in zip(items, planning.read_each(fetch, items), strict=True):
                is_there = one.error or one.value[0]
                yield state_of(item, one) if is_there else None

        return current

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        data = item.data
        title = item.phrase(data["title"])
        yield ItemValue("state", title, data["before"], data["after"], item.phrase)

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return step_called(item.action).inverse

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        data = {**item.data, "before": item.data["after"], "after": item.data["before"]}
        for name in ("title", "object", "before", "after"):
            data[name] = item.phrase(data.get(name, ""))
        if "previous" in data:
            data |= {"wanted": item.data["previous"], "previous": item.data["wanted"]}
        data.pop(steps.AFTER_ALL, None)
        return data


def step_item(number: int, label: str, user_id: str, step: NewStep) -> NewItem:
    data = {
        **step.data,
        "user_id": user_id,
        "target": step.target,
        "title": str(step.title),
        "object": str(step.object),
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


def add_steps(
    planning: Planning, number: int, row: MirroredUser, steps: Callable[[], Iterable[NewStep]]
) -> None:
    """Plans the steps for a person, who is unchanged without any."""

    def make() -> Iterator[NewItem]:
        for step in steps():
            yield step_item(number, row.label, row.user_id, step)

    items = planning.items(number, row.label, make, row.user_id)
    unchanged = NewItem(number, row.label, state=ItemState.UNCHANGED, data={"user_id": row.user_id})
    for item in items or [unchanged]:
        planning.add(item)


def _as_planned(item: JobItem) -> AbstractContextManager[None]:
    """Activates the language of an item's words, with which present values are compared."""
    return translation.override(item.data.get(LANGUAGE, settings.LANGUAGE_CODE))


def _way_back(job: Job) -> QuerySet[JobItem]:
    """Returns the items that can be restored, the last step first, but for people who are gone."""
    gone = job.items.filter(action=REMOVE, state=ItemState.DONE).order_by().values("number")
    return changed_by(job).exclude(number__in=gone).order_by("number", "-pk")


def inverse_of(calls: Sequence[AnyOperation]) -> Iterator[AnyOperation]:
    """Yields the operations that restoring calls, by the called ones: both of each pair."""
    for step in all_steps():
        if step.inverse and any(call in calls for call in step.calls):
            yield from step.calls
            yield from step_called(step.inverse).calls


class RevokeTokenStep(Step):
    """May be repeated: there is one token or none."""

    name, verb = "token.revoke", gettext_lazy("Revoke token")
    calls = (Users.revoke_token,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.revoke_token(item.data["user_id"])


class ChangeLicenceStep(Step):
    name, verb, inverse = "licence.change", gettext_lazy("Change licence"), "licence.change"
    calls = (Users.update,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        licence = LicenceType(item.data["wanted"])
        api.users.update(item.data["user_id"], UserUpdate(type=licence))

    def now(self, api: Api, item: JobItem) -> str:
        licence = api.users.get(item.data["user_id"]).type
        return licence_label(None if licence is None else int(licence))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {item.data["user_id"]: {"type": item.data["wanted"]} for item in items}
        mirror.record_written(job.connection, written)


class ChangeSettingsStep(Step):
    """Several settings at once; `wanted` and `previous` are by dotted name."""

    name, verb, inverse = "settings.change", gettext_lazy("Change settings"), "settings.change"
    calls = (Users.update_settings,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        PEOPLE.change(api, item.data["user_id"], PEOPLE.update(item.data["wanted"]))

    def now(self, api: Api, item: JobItem) -> str:
        current = PEOPLE.read(api, item.data["user_id"])
        return settings_in_words({name: current.get(name) for name in item.data["wanted"]})


def settings_in_words(values: Values) -> str:
    """Returns several settings with their values, in the order of the page."""
    return joined(
        ", ",
        *(
            joined(": ", setting.title, setting.in_words(values[name]))
            for name, setting in PEOPLE.catalog.editable.items()
            if name in values
        ),
    )


class _OfGroupStep(Step):
    """The base of steps on a group of either kind, whose id and kind are in `data`."""

    calls = (Groups.add_members, Groups.remove_member)
    joins: ClassVar[bool]

    def now(self, api: Api, item: JobItem) -> str:
        person, kind = api.users.get(item.data["user_id"]), GROUPS_OF_KIND[item.data["kind"]]
        return str(INSIDE if kind.has(item.data["group_id"], person) else OUTSIDE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        record = groups_mirror.join if self.joins else groups_mirror.leave
        for item in items:
            kind, ids = GroupKind(item.data["kind"]), [item.data["user_id"]]
            record(job.connection, kind, item.data["group_id"], ids)


class LeaveGroupStep(_OfGroupStep):
    name, verb, inverse = "group.leave", gettext_lazy("Leave group"), "group.join"
    sends = (Groups.remove_member,)
    joins = False

    def carry_out(self, api: Api, item: JobItem) -> None:
        calls = GROUPS_OF_KIND[item.data["kind"]].calls(api)
        try:
            calls.remove_member(item.data["group_id"], item.data["user_id"])
        except NotFound:
            if self.now(api, item) != OUTSIDE:
                raise


class JoinGroupStep(_OfGroupStep):
    name, verb, inverse = "group.join", gettext_lazy("Join group"), "group.leave"
    joins = True

    def carry_out(self, api: Api, item: JobItem) -> None:
        data = item.data
        GROUPS_OF_KIND[data["kind"]].add(api, data["group_id"], [data["user_id"]])


class _OfAssistantStep(Step):
    """The base of steps on an assistant (`assistant` in `data`) of a person (`of`)."""

    calls = (Assistants.add, Assistants.remove)

    def now(self, api: Api, item: JobItem) -> str:
        listed = api.assistants.list(item.data["of"]).assistants
        names = {name for one in listed for name in (one.id, one.email)}
        return str(IS if item.data["assistant"] in names else IS_NOT)


class RemoveAssistantStep(_OfAssistantStep):
    name, verb, inverse = "assistant.remove", gettext_lazy("Remove assistant"), "assistant.add"
    sends = (Assistants.remove,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        try:
            api.assistants.remove(item.data["of"], item.data["assistant"])
        except NotFound:
            if self.now(api, item) != IS_NOT:
                raise


class AddAssistantStep(_OfAssistantStep):
    name, verb, inverse = "assistant.add", gettext_lazy("Add assistant"), "assistant.remove"

    def carry_out(self, api: Api, item: JobItem) -> None:
        name = item.data["assistant"]
        one = Delegate(email=name) if "@" in name else Delegate(id=name)
        api.assistants.add(item.data["of"], DelegateList(assistants=[one]))


class _OfStatusStep(Step):
    action: ClassVar[StatusAction]
    calls = (Users.change_status,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.change_status(item.data["user_id"], StatusChange(action=self.action))

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        """Repeats the step, which does no harm: a single read does not contain the status."""
        return Resolution(ItemVerdict.NOT_DONE)

    def listed(self, scope: Scope, item: JobItem) -> str:
        return status_label(mirror.status_of(scope, item.data["user_id"]))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {"status": RESULT[self.action].value}
        mirror.record_written(job.connection, {item.data["user_id"]: written for item in items})


class DeactivateStep(_OfStatusStep):
    name, verb, inverse = "person.deactivate", gettext_lazy("Deactivate"), "person.activate"
    action = StatusAction.DEACTIVATE


class ActivateStep(_OfStatusStep):
    name, verb, inverse = "person.activate", gettext_lazy("Activate"), "person.deactivate"
    action = StatusAction.ACTIVATE


class RemovePersonStep(Step):
    """Transfers what is transferred, in the same request; `how` is a `UserRemovalToday`."""

    name, verb = "person.remove", gettext_lazy("Remove")
    calls = (Users.delete,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        how = UserRemovalToday.model_validate(item.data["how"])
        api.users.delete(item.data["user_id"], how)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        return removal_outcome(api, item.data["user_id"])

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.remove(job.connection, [item.data["user_id"] for item in items])


STEPS: tuple[Step, ...] = (
    RevokeTokenStep(),
    ChangeLicenceStep(),
    ChangeSettingsStep(),
    LeaveGroupStep(),
    JoinGroupStep(),
    RemoveAssistantStep(),
    AddAssistantStep(),
    DeactivateStep(),
    ActivateStep(),
    RemovePersonStep(),
)
