"""Forms of the bulk actions on selected people."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from django import forms
from django.forms.forms import DeclarativeFieldsMetaclass
from django.http import QueryDict

from portal.access.http import PortalRequest
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import LicenceType, StatusAction, UserUpdate
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.models import GroupKind
from portal.directory.settings import PEOPLE
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft
from portal.people.jobs.group_membership import MOVE_GROUP, joining_in_words, leaving_in_words
from portal.people.labels import settings_in_words
from portal.people.services import seats
from portal.people.services.groups import GROUP_TYPES
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import contract_form
from portal.ui.settings.catalog import ChosenSettings

Consequence = tuple[str, str]  # an icon and words
Who = Callable[[], str]  # in the language of the moment
_Licence = contract_form(UserUpdate, fields=("type",))
_Department = contract_form(UserUpdate, fields=("dept",))
_TimeZone = contract_form(UserUpdate, fields=("timezone",))
SettingsForm = contract_form(UserSettingsUpdate, lines=["in_meeting.custom_service_instructions"])


class _AbstractForm(ABCMeta, DeclarativeFieldsMetaclass):
    """Makes forms that have abstract methods."""


class ChosenPeopleForm(metaclass=_AbstractForm):
    """The base of forms on selected people; `heading` has `who`, such as 14 people."""

    heading: ClassVar[str] = ""
    consequences: ClassVar[tuple[Consequence, ...]] = ()
    beside: ClassVar[tuple[str, ...]] = ()  # fields that the contract does not have
    beside_shown_with: ClassVar[str] = ""  # where a script shows them: another field's value

    @abstractmethod
    def plan(self, request: PortalRequest, who: Who) -> Draft | None:
        """The job for `who`, such as "14 people"; None where errors say why there is none. Raises
        `ApiError`."""


class LicenceForm(ChosenPeopleForm, _Licence):  # type: ignore[valid-type, misc]
    heading = gettext_lazy("Change the licence of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data)
        self.fields["type"].required = True
        self.fields["type"].choices = [(kind.value, kind.label) for kind in LicenceType]

    def plan(self, request: PortalRequest, who: Who) -> Draft:
        licence = LicenceType(int(self.cleaned_data["type"]))
        totals = seats.totals(request.scope, request.api)
        parameters = {"changes": {"type": licence.value}, "seats": totals}

        def say(who: str) -> str:
            words = _("Change the licence of %(who)s to %(licence)s")
            return words % {"who": who, "licence": licence.label}

        return Draft("people.profile", JobTitle(say, who), parameters)


class DepartmentForm(ChosenPeopleForm, _Department):  # type: ignore[valid-type, misc]
    heading = gettext_lazy("Change the department of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.fields["dept"].widget.attrs["list"] = "departments"
        self.fields["dept"].help_text = _("Empty: no department.")
        self.departments = mirror.departments(request.scope)

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        dept = self.cleaned_data.get("dept") or ""

        def say(who: str) -> str:
            if not dept:
                return _("Remove %(who)s from their departments") % {"who": who}
            return _("Move %(who)s to %(dept)s") % {"who": who, "dept": dept}

        return Draft("people.profile", JobTitle(say, who), {"changes": {"dept": dept}})


class TimeZoneForm(ChosenPeopleForm, _TimeZone):  # type: ignore[valid-type, misc]
    heading = gettext_lazy("Change the time zone of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data)
        self.fields["timezone"].required = True

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        zone = self.cleaned_data["timezone"]

        def say(who: str) -> str:
            words = _("Change the time zone of %(who)s to %(zone)s")
            return words % {"who": who, "zone": zone}

        return Draft("people.profile", JobTitle(say, who), {"changes": {"timezone": zone}})


class _GroupForm(ChosenPeopleForm, forms.Form):
    group = forms.ChoiceField(label=gettext_lazy("Group"))

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(data)
        by_kind = groups_mirror.choices(request.scope)
        offered = [
            (kind.title_of_many, [(f"{kind.mirrored} {key}", name) for key, name in groups])
            for kind in GROUP_TYPES.values()
            if (groups := by_kind[kind.mirrored])
        ]
        self._names = {key: name for _, groups in offered for key, name in groups}
        self.fields["group"].choices = [("", _("Choose a group")), *offered]  # type: ignore[attr-defined]

    def _chosen(self) -> tuple[GroupKind, dict[str, str]]:
        key = self.cleaned_data["group"]
        kind, _, group_id = key.partition(" ")
        name = self._names[key]
        return GroupKind(kind), {"group_id": group_id, "group_kind": kind, "group_name": name}


class JoinForm(_GroupForm):
    heading = gettext_lazy("Add %(who)s to a group")

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        kind, parameters = self._chosen()
        is_im = kind == GroupKind.IM_GROUP
        job = "people.join_im_group" if is_im else "people.join_group"
        title = JobTitle(joining_in_words(parameters["group_name"]), who)
        return Draft(job, title, dict(parameters))


class LeaveForm(_GroupForm):
    heading = gettext_lazy("Take %(who)s out of a group")

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        _kind, parameters = self._chosen()
        title = JobTitle(leaving_in_words(parameters["group_name"]), who)
        return Draft("people.leave_group", title, dict(parameters))


class MoveGroupForm(_GroupForm):
    """`leaves` is the one group that they leave; without it they leave all others of its kind."""

    heading = gettext_lazy("Move %(who)s to another group")
    consequences = (
        ("log-out", gettext_lazy("They leave their other groups of the same kind, IM or not.")),
        ("undo-2", gettext_lazy("This can be undone.")),
    )

    def __init__(
        self, request: PortalRequest, data: QueryDict | None = None, leaves: str = ""
    ) -> None:
        super().__init__(request, data)
        self.leaves = leaves
        if leaves:
            kind, _space, _key = leaves.partition(" ")
            same = [key for key in self._names if key.startswith(f"{kind} ") and key != leaves]
            names = [(key, self._names[key]) for key in same]
            self.fields["group"].choices = [("", _("Choose a group")), *names]  # type: ignore[attr-defined]

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        _kind, parameters = self._chosen()

        def say(who: str) -> str:
            return _("Move %(who)s to %(name)s") % {"who": who, "name": parameters["group_name"]}

        leaves = {"leaves": self.leaves.partition(" ")[2]} if self.leaves else {}
        return Draft(MOVE_GROUP, JobTitle(say, who), {**parameters, **leaves})


class _StatusForm(ChosenPeopleForm, forms.Form):
    action: ClassVar[StatusAction]

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data)

    def plan(self, request: PortalRequest, who: Who) -> Draft:  # noqa: ARG002
        title = JobTitle(lambda who: self.heading % {"who": who}, who)
        return Draft("people.status", title, {"action": self.action.value})


class ActivateForm(_StatusForm):
    heading, action = gettext_lazy("Activate %(who)s"), StatusAction.ACTIVATE

    consequences = (
        ("log-in", gettext_lazy("They can sign in and start meetings again.")),
        (
            "badge-check",
            gettext_lazy("A Pro or Corp licence takes one of those that the account has."),
        ),
    )


class DeactivateForm(_StatusForm):
    heading, action = gettext_lazy("Deactivate %(who)s"), StatusAction.DEACTIVATE

    consequences = (
        ("log-in", gettext_lazy("They can no longer sign in or start meetings.")),
        ("archive", gettext_lazy("Their meetings, recordings and settings stay as they are.")),
        ("undo-2", gettext_lazy("This can be undone: activate them again.")),
    )


class ChosenSettingsForm(ChosenPeopleForm, ChosenSettings, SettingsForm):  # type: ignore[valid-type, misc]
    """Settings of selected people; a setting without a choice stays as each of them has it."""

    heading = gettext_lazy("Change settings of %(who)s")
    catalog = PEOPLE.catalog

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data, initial={})
        self.offer_to_leave({})

    def plan(self, request: PortalRequest, who: Who) -> Draft | None:  # noqa: ARG002
        update = self.changes()
        if update is None:
            self.add_error(None, _("No setting was chosen. Choose what to change."))
            return None
        data = update.model_dump(mode="json", by_alias=True, exclude_unset=True)
        count = sum(len(group) for group in data.values())

        def say(who: str) -> str:
            words = _("Change %(settings)s of %(who)s")
            return words % {"settings": settings_in_words(count), "who": who}

        return Draft("people.settings", JobTitle(say, who), {"update": data})
