"""The page that adds a person, and its form."""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET
from pydantic import ValidationError

from portal.access.form_fields import choices_of, offer_choices
from portal.access.http import PortalRequest, origin_of
from portal.access.scope import Scope
from portal.client import ApiError, Conflict
from portal.connections.connected import connected
from portal.contract.groups import Group
from portal.contract.problems import problems
from portal.contract.users import CreateAction, CreatedUser, NewUser, Users, UserUpdate
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.colleagues import Colleague
from portal.people import placing
from portal.people.labels import licences_of, offer_licences
from portal.people.models import OnboardingTemplate
from portal.people.onboarding import templates as onboarding
from portal.people.onboarding.jobs import draft_for_new
from portal.people.services import creation as service
from portal.people.services.creation import FollowUpValues, Holder
from portal.people.services.groups import GROUPS, IM_GROUPS, GroupType
from portal.people.services.person import PersonRecord
from portal.people.views.person import person_url
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_fields, contract_form
from portal.ui.forms.widgets import Picks
from portal.ui.pages import go, page, toast
from portal.ui.views.create import CheckedCreateView

EMAIL = "user_info.email"
PASSWORD = "user_info.password"  # noqa: S105 - the name of a field
PROFILE = ("dept", "timezone")
GROUP_FIELDS: dict[str, GroupType] = {"groups": GROUPS, "im_groups": IM_GROUPS}
# What a creation does not take: it is set by calls after it.
FURTHER = (*PROFILE, *GROUP_FIELDS)
# A user who sees a part of the account has to fill one of these fields.
_PLACES = ("dept", "groups")
# Fields whose labels say as much as their descriptions.
_SELF_EVIDENT = ("action", "user_info.type", "user_info.first_name", "user_info.last_name")
_profile = contract_form(UserUpdate, fields=PROFILE).base_fields
_NO_TEMPLATE = "none"
_GONE = gettext_lazy("This group is not on the account any more.")


def _groups(label: str) -> forms.MultipleChoiceField:
    data = {"invalid_choice": _GONE}
    return forms.MultipleChoiceField(label=label, required=False, widget=Picks, error_messages=data)


@contract_fields(NewUser)
class NewPersonForm(ContractForm[NewUser]):
    """All that the interface takes, and what is set right after."""

    dept = _profile["dept"]
    timezone = _profile["timezone"]

    def __init__(
        self,
        scope: Scope,
        data: QueryDict | None = None,
        *,
        suggest: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, suggest=suggest)
        self.fields["groups"] = _groups(_("Groups"))
        self.fields["im_groups"] = _groups(_("IM groups"))
        self.initial.update({name: (suggest or {}).get(name) for name in FURTHER})
        for name in ("action", "user_info.type"):
            # One of these is always chosen, so that "required" would say nothing.
            self.fields[name].required = self.fields[name].widget.is_required = False
        words = _("At least 8 characters. Only for “%(label)s”.")
        self.fields[PASSWORD].help_text = words % {"label": CreateAction.AUTO_CREATE.label}
        offer_licences(self, "user_info.type", scope.connection)
        for name in _SELF_EVIDENT:
            self.fields[name].help_text = ""
        self.departments = mirror.departments(scope)
        self.fields["dept"].widget.attrs["list"] = "departments"
        offered = groups_mirror.choices(scope)
        for name, kind in GROUP_FIELDS.items():
            offer_choices(self, name, offered[kind.mirrored])
        self._profile: UserUpdate | None = None
        self._is_narrow = scope.is_narrow
        if scope.is_narrow:
            self.fields["dept"] = forms.ChoiceField(label=self.fields["dept"].label, required=False)
            placing.offer_places(self, scope, *_PLACES)
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
        """Returns the template that was chosen, or else that of the department."""
        wanted = self.cleaned_data.get("template", "")
        if wanted:
            return next((one for one in self.templates if str(one.pk) == wanted), None)
        return onboarding.for_department(self.templates, self.cleaned_data.get("dept") or "")

    @property
    def template_effects(self) -> list[tuple[OnboardingTemplate, list[str]]]:
        return [(one, onboarding.effects(one)) for one in self.templates]

    @property
    def group_fields(self) -> list[forms.BoundField]:
        """Returns the fields of groups that offer any."""
        names = (name for name in GROUP_FIELDS if name in self.fields)
        return [self[name] for name in names if choices_of(self, name)]

    @property
    def groups_are_open(self) -> bool:
        needed = any(field.field.required for field in self.group_fields)
        return needed or any(field.value() or field.errors for field in self.group_fields)

    @property
    def further(self) -> FollowUpValues:
        """Returns the values that are set once the person is there."""
        chosen = self.cleaned_data
        return FollowUpValues(
            self._profile,
            tuple(
                (kind, Group(id=key, name=choices_of(self, name)[key]))
                for name, kind in GROUP_FIELDS.items()
                for key in chosen.get(name) or ()
            ),
        )

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean()
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
        if self._is_narrow:
            placing.check_place(self, _PLACES)
        if data := {name: cleaned[name] for name in PROFILE if cleaned.get(name)}:
            try:
                self._profile = UserUpdate.model_validate(data)
            except ValidationError as error:
                for problem in problems(error):
                    self.add_error(problem.field, problem.message)
        return cleaned


class CreatePersonView(CheckedCreateView[NewPersonForm]):
    needs = Users.create
    check = gettext_lazy("Check if they exist")
    password = PASSWORD
    uncertain: ClassVar = {
        "absent": (
            gettext_lazy("No one has this email: nothing was created"),
            gettext_lazy("The form can be sent again."),
        ),
        "being_sent": (
            gettext_lazy("This form is being sent already"),
            gettext_lazy(
                "The service has not answered yet. The form is sent once, however often the button "
                "is "
                "pressed. Check if the person exists before you go on."
            ),
        ),
        "unanswered": (
            gettext_lazy("The person may have been created"),
            gettext_lazy(
                "This form is not sent a second time. Check if the person exists. If not, you can "
                "send it again."
            ),
        ),
    }

    holder = Holder(False)
    person: PersonRecord
    answer: CreatedUser

    def url_name(self, endpoint: str) -> str:
        return f"people:create-{endpoint}"

    def first_form(self) -> NewPersonForm:
        groups_mirror.GROUPS.mark_viewed(self.request.connection)
        return NewPersonForm(self.request.scope, suggest=_suggested(self.request))

    def get_form(self) -> NewPersonForm:
        return NewPersonForm(self.request.scope, self.request.POST)

    def perform(self, form: NewPersonForm) -> str:
        request = self.request
        self.answer = service.create(request.api, request.scope, form.model())
        return self.answer.id

    def find(self, form: NewPersonForm) -> str | None:
        request, wanted = self.request, form.model()
        self.holder, person = service.find_created(
            request.api, request.scope, wanted.user_info.email, wanted.action
        )
        if person is None:
            return None
        self.person = person
        return person.id

    def absent(self, form: NewPersonForm) -> None:
        if self.holder.is_taken and self.request.scope.is_narrow:
            form.add_error(EMAIL, _("This email is in use, and not by one of your people."))
        elif self.holder.is_taken:
            form.add_error(EMAIL, _("This email is in use outside this account."))

    def refused(self, error: ApiError | None, form: NewPersonForm) -> dict[str, Any]:
        if not isinstance(error, Conflict):
            return {}
        email = form.model().user_info.email
        return {"holder": service.mirrored_holder(self.request.scope, email)}

    def created(self, form: NewPersonForm, result: str) -> HttpResponse:
        request, created, wanted = self.request, self.answer, form.model()
        name = f"{created.first_name} {created.last_name}".strip() or created.email
        if wanted.action == CreateAction.CREATE:
            toast(
                request,
                "good",
                _("%(name)s was created, and is emailed an activation link.") % {"name": name},
            )
        else:
            toast(request, "good", _("%(name)s was created.") % {"name": name})
        self._complete(form, result, name)
        if "another" not in request.POST:
            return go(request, self.url_of(result))
        values = {"action": wanted.action.value, "type": wanted.user_info.type.value}
        values |= {name: value for name in FURTHER if (value := form.cleaned_data.get(name))}
        url = reverse("people:create", args=[request.connection.key])
        return go(request, f"{url}?{urlencode(values, doseq=True)}")

    def existed(self, form: NewPersonForm, result: str) -> None:
        toast(self.request, "good", _("%(name)s is on the account.") % {"name": self.person.name})
        self._complete(form, result, self.person.name)

    def created_before(self) -> str:
        return _("This person was created by the first click.")

    def url_of(self, result: str) -> str:
        return person_url(self.request, result)

    def show(self, form: NewPersonForm, context: Mapping[str, object]) -> HttpResponse:
        status = 422 if form.errors or context["uncertain"] else 200
        return page(self.request, "people/create.html", {"form": form, **context}, status=status)

    def _complete(self, form: NewPersonForm, user_id: str, name: str) -> None:
        """Sets what the creation does not take; what fails of it leaves the person as they are."""
        who = Colleague(user_id, name, form.model().user_info.email)
        failed = service.complete(self.request.api, self.request.scope, who, form.further)
        if failed:
            words = _("%(name)s is on the account without: %(failed)s.")
            words %= {"name": name, "failed": ", ".join(failed)}
            toast(self.request, "warning", words)
        if template := form.template:
            draft_for_new(origin_of(self.request), self.request.connection, template, [user_id])
            toast(
                self.request,
                "neutral",
                _("The template %(template)s is being applied to %(name)s.")
                % {"template": template, "name": name},
            )


@require_GET
@connected(needs=Users.email_exists)
def email_availability(request: PortalRequest) -> HttpResponse:
    """Shows beside the field whether an address is free; it is no obstacle to sending the form."""
    email = request.GET.get(EMAIL, "").strip()
    context: dict[str, object] = {}
    if "@" in email:
        try:
            context["holder"] = service.holder_of(request.api, request.scope, email)
        except ApiError:
            context["is_unknown"] = True
    return render(request, "people/create_availability.html", context)


def _suggested(request: PortalRequest) -> dict[str, object]:
    """Returns the values that the page's address fills in, so that several alike can be created."""
    action, kind = request.GET.get("action", ""), request.GET.get("type", "")
    return {
        **{name: request.GET.get(name, "") for name in PROFILE},
        **{name: request.GET.getlist(name) for name in GROUP_FIELDS},
        "action": action if action in set(CreateAction) else CreateAction.CREATE.value,
        "user_info": {
            "type": int(kind) if kind in map(str, licences_of(request.connection)) else 1
        },
    }
