"""Possessions that the account gives a leaving person: sign-in, licence, assistants, groups."""

from collections.abc import Iterable, Iterator, Sequence

from portal.client import Api
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.groups import Group
from portal.contract.operation import AnyOperation
from portal.contract.users import LicenceType, UserDetails, Users
from portal.directory.colleagues import reported
from portal.directory.models import licence_label
from portal.jobs.offboarding import (
    HAND_OVER,
    LEAVE,
    REMOVE,
    SHOWN,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Leaving,
    Option,
    Phase,
    Recipient,
)
from portal.jobs.steps import NewStep
from portal.people.jobs.base import INSIDE, IS, IS_NOT, OUTSIDE
from portal.people.services import groups
from portal.people.services.groups import GROUPS, IM_GROUPS, GroupType
from portal.people.services.person import PersonRecord
from portal.translation import gettext as _, gettext_lazy, lazily
from portal.translation.phrases import joined

_FREE = (None, LicenceType.BASIC.value)
REVOKED = gettext_lazy("Revoked")


def leaver_of(details: UserDetails) -> Leaver:
    return Leaver(
        details.id,
        details.email or "",
        PersonRecord(details).name,
        None if details.type is None else int(details.type),
        tuple(details.group_ids or ()),
        tuple(details.im_group_ids or ()),
    )


class SignIn(Holding):
    """The SSO token, which the service revokes without saying whether there was one."""

    name, title, icon, place = "sign_in", gettext_lazy("Sign-in"), "unplug", 40
    phase = Phase.SIGN_IN
    removed_by = (Users.revoke_token,)
    hint = gettext_lazy(
        "The service lists no sign-in sessions. Revoking the SSO token signs them out; tokens "
        "that start meetings in their name cannot be revoked: they expire, most within two hours."
    )
    options = (
        Option(REMOVE, gettext_lazy("Revoke the SSO token before anything else")),
        Option(LEAVE, gettext_lazy("Leave it")),
    )
    needs = Users.get

    def summary(self, inventory: Inventory) -> HoldingSummary:
        return HoldingSummary(None, _("The service does not report this"))

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        yield NewStep("token.revoke", "", _("SSO token"), REVOKED)


class Licence(Holding):
    """The licence, which a removal frees by itself."""

    name, title, icon, place = "licence", gettext_lazy("Licence"), "badge-check", 50
    phase = Phase.ACCOUNT
    ends_with_removal = True
    removed_by = (Users.update,)
    hint = gettext_lazy("Removing the person frees the licence. Deactivating alone does not.")
    options = (
        Option(REMOVE, gettext_lazy("Free it: change the licence to Basic")),
        Option(LEAVE, gettext_lazy("Leave it")),
    )
    needs = Users.get

    def summary(self, inventory: Inventory) -> HoldingSummary:
        licence = inventory.leaver.licence
        return HoldingSummary(int(licence not in _FREE), licence_label(licence))

    def steps(self, inventory: Inventory, leaving: Leaving) -> Iterable[NewStep]:
        return () if leaving.ending.removes else super().steps(inventory, leaving)

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        licence = inventory.leaver.licence
        if licence in _FREE:
            return
        before = licence_label(licence)
        data = {"wanted": LicenceType.BASIC.value, "previous": licence}
        yield NewStep(
            "licence.change", "", _("Licence"), LicenceType.BASIC.label, before, data=data
        )


class _OfDelegates(Holding):
    """The base of holdings that are people; `name` is the attribute of the API."""

    def read(self, api: Api, leaver: Leaver) -> list[tuple[str, str]]:
        listed = getattr(api, self.name).list(leaver.id).assistants
        return [(one.id or "", one.email or "") for one in listed]

    def summary(self, inventory: Inventory) -> HoldingSummary:
        people = reported(inventory.scope, inventory.data)
        first = [(one.name, one.email if one.email != one.name else "") for one in people[:SHOWN]]
        return HoldingSummary(len(people), first=first)


class MyAssistants(_OfDelegates):
    """The people who may schedule for the person."""

    name, title, icon, place = "assistants", gettext_lazy("Their assistants"), "users", 60
    removed_by = (Assistants.remove,)
    options = (
        Option(REMOVE, gettext_lazy("Remove them as assistants")),
        Option(LEAVE, gettext_lazy("Leave them")),
    )
    needs = Assistants.list

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        for one in reported(inventory.scope, inventory.data):
            data = {"of": inventory.leaver.id, "assistant": one.key}
            title = _("%(name)s as assistant") % {"name": one.name}
            yield NewStep(
                "assistant.remove", one.key, title, IS_NOT, IS, data=data, object=one.name
            )


class MySchedulers(_OfDelegates):
    """The people for whom the person may schedule."""

    name, title = "schedulers", gettext_lazy("People they schedule for")
    icon, place = "calendar-days", 65
    removed_by = (Assistants.remove,)
    options = (
        Option(REMOVE, gettext_lazy("Remove the person as their assistant")),
        Option(HAND_OVER, gettext_lazy("The recipient becomes their assistant instead")),
        Option(LEAVE, gettext_lazy("Leave it")),
    )
    needs = Schedulers.list

    def calls(self, choice: str) -> Sequence[AnyOperation]:
        if choice == HAND_OVER:
            return [Assistants.add, Assistants.remove]
        return super().calls(choice)

    def steps(self, inventory: Inventory, leaving: Leaving) -> Iterable[NewStep]:
        if leaving.choice(self.name) == HAND_OVER:
            return self._handed_over(inventory, leaving.recipient)
        return super().steps(inventory, leaving)

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        return self._handed_over(inventory, None)

    def _handed_over(self, inventory: Inventory, heir: Recipient | None) -> Iterator[NewStep]:
        leaver = inventory.leaver
        for one in reported(inventory.scope, inventory.data):
            if heir and heir.id != one.id:
                data = {"of": one.key, "assistant": heir.id}
                title, pair = _assists(heir.name, one.name)
                key = f"{one.key} {heir.id}"
                yield NewStep("assistant.add", key, title, IS, IS_NOT, data=data, object=pair)
            data = {"of": one.key, "assistant": leaver.id}
            title, pair = _assists(leaver.name, one.name)
            yield NewStep("assistant.remove", one.key, title, IS_NOT, IS, data=data, object=pair)


class MyGroups(Holding):
    """The groups of a kind that the person is in."""

    def __init__(self, kind: GroupType, place: int) -> None:
        self._kind = kind
        self.name, self.title = kind.slug.replace("-", "_"), lazily(lambda: kind.title_of_many)
        self.icon, self.place = "boxes", place
        self.removed_by = (kind.family.remove_member,)
        self.options = (
            Option(REMOVE, gettext_lazy("Remove the person from them")),
            Option(LEAVE, gettext_lazy("Leave them")),
        )

    @property
    def needs(self) -> AnyOperation:
        return self._kind.family.list

    def summary(self, inventory: Inventory) -> HoldingSummary:
        mine = self._of(inventory)
        return HoldingSummary(len(mine), first=[(one.name or one.id, "") for one in mine[:SHOWN]])

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        for one in self._of(inventory):
            data = {"group_id": one.id, "kind": self._kind.mirrored.value}
            name = one.name or one.id
            title = joined(" ", self._kind.title, name)
            yield NewStep("group.leave", one.id, title, OUTSIDE, INSIDE, data=data, object=name)

    def _of(self, inventory: Inventory) -> list[Group]:
        ids = getattr(inventory.leaver, self._kind.ids)
        return groups.chosen(inventory.scope, self._kind, ids)


HOLDINGS: tuple[Holding, ...] = (
    SignIn(),
    Licence(),
    MyAssistants(),
    MySchedulers(),
    MyGroups(GROUPS, place=70),
    MyGroups(IM_GROUPS, place=71),
)


def _assists(name: str, other: str) -> tuple[str, str]:
    """Returns the title of a step on an assistant, and what its verb is about."""
    words = {"name": name, "other": other}
    return _("%(name)s as assistant of %(other)s") % words, _("%(name)s for %(other)s") % words
