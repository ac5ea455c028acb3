"""The form that creates a person."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import ValidationError

from portal.access.scope import Scope
from portal.contract.problems import problems
from portal.contract.users import CreateAction, NewUser, UserUpdate
from portal.directory import groups as groups_mirror
from portal.directory import users as mirror
from portal.people.models import OnboardingTemplate
from portal.people.services import onboarding
from portal.people.services.creation import Further
from portal.people.services.group_types import GROUPS, IM_GROUPS, GroupType
from portal.people.services.groups import GroupMembership
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.widgets import Picks

EMAIL = "user_info.email"
PASSWORD = "user_info.password"  # noqa: S105 - the name of a field
PROFILE = ("dept", "timezone")
GROUP_FIELDS: dict[str, GroupType] = {"groups": GROUPS, "im_groups": IM_GROUPS}
# What a creation does not take: it is set by calls after it.
FURTHER = (*PROFILE, *GROUP_FIELDS)

# Fields whose labels say as much as their descriptions.
_SELF_EVIDENT = ("action", "user_info.type", "user_info.first_name", "user_info.last_name")
_Asked: type[ContractForm] = contract_form(NewUser)
_profile = contract_form(UserUpdate, fields=PROFILE).base_fields
_NO_TEMPLATE = "none"
_GONE = gettext_lazy("This group is not on the account any more.")


def _groups(label: str) -> forms.MultipleChoiceField:
    data = {"invalid_choice": _GONE}
    return forms.MultipleChoiceField(label=label, required=False, widget=Picks, error_messages=data)


class NewPersonForm(_Asked):  # type: ignore[valid-type, misc]
    """All that the interface takes, and what is set right after."""

    dept = _profile["dept"]
    timezone = _profile["timezone"]
    groups = _groups(gettext_lazy("Groups"))
    im_groups = _groups(gettext_lazy("IM groups"))

    def __init__(
        self,
        scope: Scope,
        data: QueryDict | None = None,
        *,
        suggest: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, suggest=suggest)
        self.initial |= {name: (suggest or {}).get(name) for name in FURTHER}
        for name in ("action", "user_info.type"):
            # One of these is always chosen, so that "required" would say nothing.
            self.fields[name].required = self.fields[name].widget.is_required = False
        words = _("At least 8 characters. Only for “%(label)s”.")
        self.fields[PASSWORD].help_text = words % {"label": CreateAction.AUTO_CREATE.label}
        for name in _SELF_EVIDENT:
            self.fields[name].help_text = ""
        self.departments = mirror.departments(scope)
        self.fields["dept"].widget.attrs["list"] = "departments"
        offered = groups_mirror.choices(scope)
        for name, kind in GROUP_FIELDS.items():
            field: Any = self.fields[name]
            field.choices = offered[kind.mirrored]
        self._profile: UserUpdate | None = None
        self.templates = onboarding.of_connection(scope)
        if self.templates:
            choices = [("", _("By department")), (_NO_TEMPLATE, _("No template"))]
            choices += [(str(one.pk), one.name) for one in self.templates]
            self.fields["template"] = forms.ChoiceField(
                label=_("Onboarding template"),
                choices=choices,
                required=False,
                help_text=_("Applied by a job of its own, right after the person is created."),
            )

    @property
    def template(self) -> OnboardingTemplate | None:
        """The template that was chosen, or else that of the department."""
        wanted = self.cleaned_data.get("template", "")
        if wanted:
            return next((one for one in self.templates if str(one.pk) == wanted), None)
        return onboarding.for_department(self.templates, self.cleaned_data.get("dept") or "")

    @property
    def template_effects(self) -> list[tuple[OnboardingTemplate, list[str]]]:
        """Returns the effects of each template, in words."""
        return [(one, onboarding.effects(one)) for one in self.templates]

    @property
    def group_fields(self) -> list[forms.BoundField]:
        """Those in which there is something to choose."""
        fields: Any = self.fields
        return [self[name] for name in GROUP_FIELDS if fields[name].choices]

    @property
    def groups_are_open(self) -> bool:
        return any(field.value() or field.errors for field in self.group_fields)

    @property
    def further(self) -> Further:
        """Returns the values that are set once the person is there."""
        chosen = self.cleaned_data
        fields: Any = self.fields
        return Further(
            self._profile,
            tuple(
                (kind, GroupMembership(key, dict(fields[name].choices)[key]))
                for name, kind in GROUP_FIELDS.items()
                for key in chosen.get(name) or ()
            ),
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        action, password = cleaned.get("action"), cleaned.get(PASSWORD)
        label = CreateAction.AUTO_CREATE.label
        if password and action and action != CreateAction.AUTO_CREATE:
            self.add_error(
                PASSWORD,
                _("Only “%(label)s” takes a password. Choose that, or empty this field.")
                % {"label": label},
            )
        if action == CreateAction.AUTO_CREATE and not password and PASSWORD not in self.errors:
            self.add_error(PASSWORD, _("Set the password that they first sign in with."))
        if data := {name: cleaned[name] for name in PROFILE if cleaned.get(name)}:
            try:
                self._profile = UserUpdate.model_validate(data)
            except ValidationError as error:
                for problem in problems(error):
                    self.add_error(problem.field, problem.message)
        return cleaned
