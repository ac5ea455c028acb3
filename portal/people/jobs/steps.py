"""Steps of jobs with one person who comes or leaves, and their inverses."""

from collections.abc import Sequence
from typing import ClassVar

from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.contract.delegates import Assistants, Delegate, DelegateList
from portal.contract.groups import Groups
from portal.contract.users import (
    LicenceType,
    StatusAction,
    StatusChange,
    UserRemoval,
    Users,
    UserUpdate,
)
from portal.directory import groups as groups_mirror
from portal.directory import users as mirror
from portal.directory.labels import licence_label
from portal.directory.models import GroupKind
from portal.directory.settings import PEOPLE
from portal.jobs.job_types import ItemVerdict, Settled
from portal.jobs.models import Job, JobItem
from portal.jobs.steps import Step
from portal.people.jobs.holdings import IS, IS_NOT
from portal.people.jobs.reverting import INSIDE, OUTSIDE
from portal.people.labels import status_label
from portal.people.services.group_types import GROUPS_OF_KIND
from portal.people.services.status import RESULT
from portal.translation import gettext_lazy
from portal.ui.settings import Values


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
        mirror.note_written(job.connection, written)


class ChangeSettingsStep(Step):
    """Several settings at once; `wanted` and `previous` are by dotted name."""

    name, verb, inverse = "settings.change", gettext_lazy("Change settings"), "settings.change"
    calls = (Users.update_settings,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        PEOPLE.change(api, item.data["user_id"], PEOPLE.update(item.data["wanted"]))

    def now(self, api: Api, item: JobItem) -> str:
        held = PEOPLE.read(api, item.data["user_id"])
        return settings_in_words({name: held.get(name) for name in item.data["wanted"]})


def settings_in_words(values: Values) -> str:
    """Several settings with their values, in the order of the page."""
    return ", ".join(
        f"{setting.title}: {setting.in_words(values[name])}"
        for name, setting in PEOPLE.catalog.editable.items()
        if name in values
    )


class _OfGroupStep(Step):
    """Groups of either kind: `data` has the group's id, and its kind."""

    calls = (Groups.add_members, Groups.remove_member)

    def now(self, api: Api, item: JobItem) -> str:
        person, kind = api.users.get(item.data["user_id"]), GROUPS_OF_KIND[item.data["kind"]]
        return str(INSIDE if kind.has(item.data["group_id"], person) else OUTSIDE)


class LeaveGroupStep(_OfGroupStep):
    name, verb, inverse = "group.leave", gettext_lazy("Leave group"), "group.join"

    def carry_out(self, api: Api, item: JobItem) -> None:
        calls = GROUPS_OF_KIND[item.data["kind"]].calls(api)
        try:
            calls.remove_member(item.data["group_id"], item.data["user_id"])
        except NotFound:
            if self.now(api, item) != OUTSIDE:
                raise

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            kind, ids = GroupKind(item.data["kind"]), [item.data["user_id"]]
            groups_mirror.leave(job.connection, kind, item.data["group_id"], ids)


class JoinGroupStep(_OfGroupStep):
    name, verb, inverse = "group.join", gettext_lazy("Join group"), "group.leave"

    def carry_out(self, api: Api, item: JobItem) -> None:
        data = item.data
        GROUPS_OF_KIND[data["kind"]].add(api, data["group_id"], [data["user_id"]])

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            kind, ids = GroupKind(item.data["kind"]), [item.data["user_id"]]
            groups_mirror.join(job.connection, kind, item.data["group_id"], ids)


class _OfAssistantStep(Step):
    """`data` says whose assistant (`of`) somebody is (`assistant`)."""

    calls = (Assistants.add, Assistants.remove)

    def now(self, api: Api, item: JobItem) -> str:
        listed = api.assistants.list(item.data["of"]).assistants
        names = {name for one in listed for name in (one.id, one.email)}
        return str(IS if item.data["assistant"] in names else IS_NOT)


class RemoveAssistantStep(_OfAssistantStep):
    name, verb, inverse = "assistant.remove", gettext_lazy("Remove assistant"), "assistant.add"

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

    def settle(self, api: Api, item: JobItem) -> Settled:  # noqa: ARG002
        """The service reports nobody's status by itself; to set it again does no harm."""
        return Settled(ItemVerdict.NOT_DONE)

    def listed(self, scope: Scope, item: JobItem) -> str:
        return status_label(mirror.status_of(scope, item.data["user_id"]))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {"status": RESULT[self.action].value}
        mirror.note_written(job.connection, {item.data["user_id"]: written for item in items})


class DeactivateStep(_OfStatusStep):
    name, verb, inverse = "person.deactivate", gettext_lazy("Deactivate"), "person.activate"
    action = StatusAction.DEACTIVATE


class ActivateStep(_OfStatusStep):
    name, verb, inverse = "person.activate", gettext_lazy("Activate"), "person.deactivate"
    action = StatusAction.ACTIVATE


class RemovePersonStep(Step):
    """Transfers what is transferred, in the same request; `how` is a `UserRemoval`."""

    name, verb = "person.remove", gettext_lazy("Remove")
    calls = (Users.delete,)

    def carry_out(self, api: Api, item: JobItem) -> None:
        how = UserRemoval.model_validate(item.data["how"])
        api.users.delete(item.data["user_id"], how)

    def settle(self, api: Api, item: JobItem) -> Settled:
        try:
            api.users.get(item.data["user_id"])
        except NotFound:
            return Settled(ItemVerdict.DONE)
        return Settled(ItemVerdict.NOT_DONE)

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
