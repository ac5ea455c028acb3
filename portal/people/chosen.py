"""Bulk actions on the people selected in a list.

Each has a page with its small form; what comes of it is a job, whose plan is approved on the job's
own page.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from typing_extensions import TypeVar

from portal.access.form_fields import offer_choices
from portal.access.http import PortalRequest
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import LicenceType, StatusAction, Users, UserUpdate
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.models import GroupKind
from portal.directory.settings import PEOPLE
from portal.directory.users import state_of
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.people.jobs.base import PeopleSelection
from portal.people.jobs.group_membership import JOINING, JOINING_JOBS, LEAVING, MOVE_GROUP
from portal.people.labels import job_title, licences_of, people_in_words, settings_in_words
from portal.people.listing import PeopleFilter
from portal.people.services.groups import GROUP_TYPES
from portal.translation import gettext as _, gettext_lazy, lazily, options
from portal.ui.forms import ContractForm, contract_fields
from portal.ui.selection import SelectionRefused
from portal.ui.settings.catalog import ChosenSettings
from portal.ui.views import FormT, Labels
from portal.ui.views.chosen import ChosenView

Consequence = tuple[str, str]  # an icon and words
Who = Callable[[], str]  # in the language of the moment


class ChosenPeopleForm(forms.Form):
    """The base of forms on selected people; `heading` has `who`, such as 14 people."""

    heading: ClassVar[str]
    consequences: ClassVar[tuple[Consequence, ...]] = ()
    beside: ClassVar[tuple[str, ...]] = ()  # fields that the contract does not have
    beside_shown_with: ClassVar[str] = ""  # where a script shows them: another field's value

    def __init__(
        self, request: PortalRequest, data: QueryDict | None = None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.request = request

    def plan(self, who: Who) -> Draft | None:
        """Returns the job for `who`, such as "14 people"; None where errors say why there is none.
        It asks the service for nothing: the plan of the job reads what is true then."""
        raise NotImplementedError


PeopleFormT = TypeVar("PeopleFormT", bound=ChosenPeopleForm, default=ChosenPeopleForm)


class SelectedPeopleView(ChosenView[FormT]):
    """An action on people selected in a list; `words` are its filters if all of it is selected."""

    above: ClassVar[Sequence[tuple[str, str]]] = ((gettext_lazy("People"), "people:list"),)

    words: str
    count: int

    @property
    def who(self) -> str:
        return people_in_words(self.count)

    @property
    def lead(self) -> str:
        words = _("All %(who)s of the list: %(words)s.") % {"who": self.who, "words": self.words}
        return words if self.words else ""

    def listed_from(self) -> str:
        return state_of(self.request.connection).notes_in_words


class ChosenPeopleView(SelectedPeopleView[PeopleFormT], ChosenJobView[PeopleFormT]):
    """An action that a job takes on people selected in the list of people, as its form says."""

    needs: ClassVar[Any] = None
    form_class: type[Any] = ChosenPeopleForm  # which takes the request
    template_name = "people/chosen.html"

    chosen: PeopleSelection

    def resolve(self) -> PeopleSelection:
        """Returns the selected people. Raises `SelectionRefused`."""
        filters_of = partial(PeopleFilter, scope=self.request.scope)
        return PeopleSelection.resolve(self.selection, filters_of)

    def choose(self) -> None:
        self.chosen = self.resolve()
        self.words = self.chosen.words
        self.count = self.chosen.rows(self.request.scope).count()
        if not self.count:
            raise SelectionRefused(_("None of the selected people is on the account any more."))

    def labels(self) -> Labels:
        form = self.form_class
        return Labels(
            form.heading % {"who": self.who},
            submit=_("Preview changes"),
            lead=self.lead,
            consequences=form.consequences,
            hint=_("Nothing changes yet: you preview the changes first."),
        )

    def get_form(self, data: QueryDict | None = None) -> PeopleFormT:
        form: PeopleFormT = self.form_class(self.request, data)
        return form

    def draft(self, form: PeopleFormT) -> Draft | None:
        plan = form.plan(lambda: self.who)
        parameters = {"chosen": self.chosen.as_parameters()}
        return plan and replace(plan, parameters=parameters | plan.parameters)


@contract_fields(UserUpdate, fields=("type",))
class LicenceForm(ChosenPeopleForm, ContractForm[UserUpdate]):
    heading = gettext_lazy("Change the licence of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["type"].required = True
        offer_choices(self, "type", options(licences_of(request.connection)))

    def plan(self, who: Who) -> Draft:
        licence = LicenceType(int(self.cleaned_data["type"]))
        words = gettext_lazy("Change the licence of %(who)s to %(licence)s")
        title = job_title(words, who, licence=lazily(lambda: licence.label))
        return Draft("people.profile", title, {"changes": {"type": licence.value}})


@contract_fields(UserUpdate, fields=("dept",))
class DepartmentForm(ChosenPeopleForm, ContractForm[UserUpdate]):
    heading = gettext_lazy("Change the department of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["dept"].widget.attrs["list"] = "departments"
        self.fields["dept"].help_text = _("Empty: no department.")
        self.departments = mirror.departments(request.scope)

    def plan(self, who: Who) -> Draft:
        dept = self.cleaned_data.get("dept") or ""
        words = gettext_lazy("Move %(who)s to %(dept)s")
        if not dept:
            words = gettext_lazy("Remove %(who)s from their departments")
        title = job_title(words, who, dept=dept)
        return Draft("people.profile", title, {"changes": {"dept": dept}})


@contract_fields(UserUpdate, fields=("timezone",))
class TimeZoneForm(ChosenPeopleForm, ContractForm[UserUpdate]):
    heading = gettext_lazy("Change the time zone of %(who)s")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["timezone"].required = True

    def plan(self, who: Who) -> Draft:
        zone = self.cleaned_data["timezone"]
        words = gettext_lazy("Change the time zone of %(who)s to %(zone)s")
        title = job_title(words, who, zone=zone)
        return Draft("people.profile", title, {"changes": {"timezone": zone}})


class _GroupForm(ChosenPeopleForm):
    group = forms.ChoiceField(label=gettext_lazy("Group"))

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        by_kind = groups_mirror.choices(request.scope)
        offered = [
            (kind.title_of_many, [(f"{kind.mirrored} {key}", name) for key, name in groups])
            for kind in GROUP_TYPES.values()
            if (groups := by_kind[kind.mirrored])
        ]
        self._names = {key: name for _, groups in offered for key, name in groups}
        offer_choices(self, "group", offered, unset=_("Choose a group"))

    def _draft(self, job: str, words: str, who: Who, **more: object) -> Draft:
        key = self.cleaned_data["group"]
        kind, _space, group_id = key.partition(" ")
        name = self._names[key]
        parameters = {"group_id": group_id, "group_kind": kind, "group_name": name, **more}
        return Draft(job, job_title(words, who, name=name), parameters)


class JoinForm(_GroupForm):
    heading = gettext_lazy("Add %(who)s to a group")

    def plan(self, who: Who) -> Draft:
        kind = GroupKind(self.cleaned_data["group"].partition(" ")[0])
        return self._draft(JOINING_JOBS[kind], JOINING, who)


class LeaveForm(_GroupForm):
    heading = gettext_lazy("Take %(who)s out of a group")

    def plan(self, who: Who) -> Draft:
        return self._draft("people.leave_group", LEAVING, who)


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
            offer_choices(self, "group", names, unset=_("Choose a group"))

    def plan(self, who: Who) -> Draft:
        leaves = {"leaves": self.leaves.partition(" ")[2]} if self.leaves else {}
        return self._draft(MOVE_GROUP, gettext_lazy("Move %(who)s to %(name)s"), who, **leaves)


class _StatusForm(ChosenPeopleForm):
    action: ClassVar[StatusAction]

    def plan(self, who: Who) -> Draft:
        title = job_title(self.heading, who)
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


@contract_fields(UserSettingsUpdate, lines=["in_meeting.custom_service_instructions"])
class SettingsForm(ContractForm[UserSettingsUpdate]):
    """All settings of a person."""


class ChosenSettingsForm(ChosenPeopleForm, ChosenSettings[UserSettingsUpdate], SettingsForm):
    """Settings of selected people; a setting without a choice stays as each of them has it."""

    heading = gettext_lazy("Change settings of %(who)s")
    catalog = PEOPLE.catalog

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data, initial={})
        self.offer_to_leave({})

    def plan(self, who: Who) -> Draft | None:
        update = self.changes()
        if update is None:
            self.add_error(None, _("No setting was chosen. Choose what to change."))
            return None
        data = update.model_dump(mode="json", by_alias=True, exclude_unset=True)
        count = sum(len(group) for group in data.values())
        words = gettext_lazy("Change %(settings)s of %(who)s")
        title = job_title(words, who, settings=lazily(lambda: settings_in_words(count)))
        return Draft("people.settings", title, {"update": data})


class ChosenSettingsView(ChosenPeopleView[ChosenSettingsForm]):
    needs = Users.update_settings
    form_class = ChosenSettingsForm
    template_name = "people/chosen_settings.html"
