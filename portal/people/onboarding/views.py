"""The pages of onboarding templates, and their forms."""

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.access.form_fields import choices_of, field_of, offer_choices
from portal.access.http import PortalRequest, origin_of
from portal.access.scope import PageOutOfScope
from portal.connections.connected import connected
from portal.contract.model import JsonDict
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import LicenceType, Users
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.colleagues import PeopleField, called
from portal.directory.settings import PEOPLE
from portal.jobs.views.drafting import Draft
from portal.people.chosen import ChosenPeopleForm, ChosenPeopleView, SettingsForm, Who
from portal.people.labels import job_title, offer_licences
from portal.people.models import OnboardingTemplate
from portal.people.onboarding import templates as onboarding
from portal.people.onboarding.jobs import KIND
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.translation import gettext as _, gettext_lazy, lazily
from portal.ui.autocomplete import split
from portal.ui.forms.widgets import Picks
from portal.ui.pages import page
from portal.ui.settings.catalog import ChosenSettings, values_of
from portal.ui.views import ActionView, FormT, Labels

_KINDS = {"groups": GROUPS, "im_groups": IM_GROUPS}


def _picks(label: str, help_text: str = "") -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, required=False, help_text=help_text, widget=Picks)


class OnboardingTemplateForm(ChosenSettings[UserSettingsUpdate], SettingsForm):
    """A template; a setting for which nothing is chosen stays as a new person has it."""

    catalog = PEOPLE.catalog
    about = (
        "name",
        "departments",
        "new_departments",
        "licence",
        "groups",
        "im_groups",
        "assistants",
    )

    name = forms.CharField(max_length=100, label=gettext_lazy("Name"))
    departments = _picks(
        gettext_lazy("Departments"),
        gettext_lazy("New people of these departments get this template."),
    )
    new_departments = forms.CharField(
        label=gettext_lazy("Departments that nobody has yet"),
        required=False,
        help_text=gettext_lazy("Several are separated by semicolons."),
    )
    licence = forms.TypedChoiceField(
        label=gettext_lazy("Licence"),
        choices=lambda: [("", _("As it is")), *((one.value, one.label) for one in LicenceType)],
        coerce=int,
        empty_value=None,
        required=False,
    )
    groups = _picks(lazily(lambda: GROUPS.title_of_many))  # type: ignore[assignment]
    im_groups = _picks(lazily(lambda: IM_GROUPS.title_of_many))
    assistants = PeopleField(
        label=gettext_lazy("Assistants"),
        several=True,
        help_text=gettext_lazy("They may schedule for everybody who gets this template."),
    )

    def __init__(
        self, request: PortalRequest, data: QueryDict | None, template: OnboardingTemplate
    ) -> None:
        super().__init__(data, initial={})
        self._scope = request.scope
        self._names: dict[str, str] = {}  # of groups, by their ids
        self.offer_to_leave(template.settings)
        own = {name: dict(getattr(template, name)) for name in (*_KINDS, "assistants")}
        self.initial = {
            **self.initial,
            **{name: getattr(template, name) for name in ("name", "departments", "licence")},
            **{name: list(own[name]) for name in _KINDS},
            "assistants": ",".join(own["assistants"]),
        }
        departments = dict.fromkeys([*mirror.departments(self._scope), *template.departments])
        offer_licences(self, "licence", request.connection)
        offer_choices(self, "departments", [(one, one) for one in departments])
        offered = groups_mirror.choices(self._scope)
        for name, kind in _KINDS.items():
            names = dict(offered[kind.mirrored])
            missing = {key: words for key, words in own[name].items() if key not in names}
            self._names |= names | missing
            gone = [(key, _("%(name)s (gone)") % {"name": one}) for key, one in missing.items()]
            offer_choices(self, name, [*names.items(), *gone])
        field_of(self, "assistants", PeopleField).offer_people(request.scope, request.path)

    @property
    def about_fields(self) -> list[forms.BoundField]:
        """Returns the fields beside the settings, without departments where there are none."""
        departments = choices_of(self, "departments")
        names = (name for name in self.about if name != "departments" or departments)
        return [self[name] for name in names]

    def wanted(self) -> JsonDict:
        cleaned = self.cleaned_data
        typed = (one.strip() for one in cleaned["new_departments"].split(";"))
        people = called(self._scope, split(cleaned["assistants"]))
        return {
            "name": cleaned["name"],
            "departments": list(dict.fromkeys([*cleaned["departments"], *filter(None, typed)])),
            "licence": cleaned["licence"],
            **{name: [[key, self._names[key]] for key in cleaned[name]] for name in _KINDS},
            "assistants": [[one.id, one.name] for one in people],
            "settings": values_of(self.changes()),
        }


class ApplyTemplateForm(ChosenPeopleForm):
    heading = gettext_lazy("Apply an onboarding template to %(who)s")

    template = forms.ChoiceField(label=gettext_lazy("Template"))

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self._templates = {str(one.pk): one for one in onboarding.of_connection(request.scope)}
        offered = []
        for key, one in self._templates.items():
            effects = "; ".join(onboarding.effects(one))
            offered.append((key, f"{one}: {effects}" if effects else str(one)))
        offer_choices(self, "template", offered, unset=_("Choose a template"))
        if not self._templates:
            self.fields["template"].help_text = _(
                "There is no template yet. Add one under People, Onboarding."
            )

    def plan(self, who: Who) -> Draft:
        template = self._templates[self.cleaned_data["template"]]
        parameters = {"template": onboarding.in_fields(template)}
        title = job_title(onboarding.APPLYING, who, template=template)
        return Draft(KIND, title, parameters)


@require_GET
@connected(needs=Users.list)
def templates(request: PortalRequest) -> HttpResponse:
    """Shows the templates, with what each gives and what of it is gone."""
    rows = [
        (one, onboarding.effects(one), onboarding.gone(request.scope, one))
        for one in onboarding.of_connection(request.scope)
    ]
    may_change = request.scope.can_call(Users.create) and not request.scope.is_narrow
    context = {"rows": rows, "may_change": may_change}
    return page(request, "people/onboarding.html", context)


class _TemplateActionView(ActionView[FormT]):
    above = (
        (gettext_lazy("People"), "people:list"),
        (gettext_lazy("Onboarding templates"), "people:onboarding"),
    )
    needs = Users.create
    template: OnboardingTemplate

    def prepare(self) -> None:
        _require_whole(self.request)
        self.template = OnboardingTemplate(connection=self.request.connection)
        groups_mirror.GROUPS.mark_viewed(self.request.connection)
        if key := self.kwargs.get("onboarding_id"):
            own = OnboardingTemplate.objects.select_related("connection")
            self.template = get_object_or_404(own, pk=key, connection=self.request.connection)


class EditTemplateView(_TemplateActionView[OnboardingTemplateForm]):
    template_name = "people/onboarding_form.html"

    def labels(self) -> Labels:
        heading = (
            _("Edit %(template)s") % {"template": self.template}
            if self.template.pk
            else _("Add onboarding template")
        )
        return Labels(heading, submit=_("Save template"))

    def get_form(self, data: QueryDict | None = None) -> OnboardingTemplateForm:
        return OnboardingTemplateForm(self.request, data, self.template)

    def perform(self, form: OnboardingTemplateForm) -> str:
        try:
            onboarding.save(origin_of(self.request), self.template, form.wanted())
        except forms.ValidationError as refused:
            form.add_error(None, refused)
        return _("%(saved)s was saved.") % {"saved": self.template}

    def context(self) -> dict[str, object]:
        gone = onboarding.gone(self.request.scope, self.template)
        return {**super().context(), "gone": gone}


class DeleteOnboardingTemplateView(_TemplateActionView):
    """Deletes a template; people keep what it gave them."""

    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Delete %(template)s?") % {"template": self.template},
            submit=_("Delete template"),
            consequences=[("users", _("People keep what it has given them."))],
        )

    def perform(self, form: object) -> str:
        onboarding.delete(origin_of(self.request), self.template)
        return _("%(template)s was deleted.") % {"template": self.template}


class ApplyTemplateView(ChosenPeopleView[ApplyTemplateForm]):
    needs = Users.update
    form_class = ApplyTemplateForm


def _require_whole(request: PortalRequest) -> None:
    """Raises `PageOutOfScope` to who sees a part of the account: they apply the templates of their
    departments, and change none."""
    if request.scope.is_narrow:
        raise PageOutOfScope(_("Onboarding templates are changed by who sees the whole account."))
