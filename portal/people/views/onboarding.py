"""Onboarding templates: listed, added, changed, deleted, and applied to chosen people."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.access.parts import NoPart
from portal.contract.users import Users
from portal.directory.groups import GROUPS
from portal.mirror.refresh import mark_viewed
from portal.people.forms.onboarding import ApplyTemplateForm, OnboardingTemplateForm
from portal.people.models import OnboardingTemplate
from portal.people.services import onboarding
from portal.people.services.onboarding import TemplateRefused
from portal.people.views.chosen import ChosenPeopleView
from portal.translation import gettext as _
from portal.ui.pages import page
from portal.ui.views import ActionView, Labels


@require_GET
@connected(needs=Users.list)
def templates(request: PortalRequest) -> HttpResponse:
    """All templates, with what each gives and what of it is gone."""
    _require_whole(request)
    rows = [
        (one, onboarding.effects(one), onboarding.gone(request.scope, one))
        for one in onboarding.of_connection(request.scope)
    ]
    return page(request, "people/onboarding.html", {"rows": rows})


class _TemplateActionView(ActionView):
    needs = Users.create
    template: OnboardingTemplate | None = None

    def prepare(self) -> None:
        _require_whole(self.request)
        mark_viewed(self.request.connection, GROUPS)
        if key := self.kwargs.get("onboarding_id"):
            own = OnboardingTemplate.objects.select_related("connection")
            self.template = get_object_or_404(own, pk=key, connection=self.request.connection)

    def cancel_url(self) -> str:
        return reverse("people:onboarding", args=[self.request.connection.key])

    def context(self) -> dict[str, Any]:
        people = reverse("people:list", args=[self.request.connection.key])
        return {"trail": [(_("People"), people), (_("Onboarding templates"), self.cancel_url())]}


class EditTemplateView(_TemplateActionView):
    """Adds a template, or changes one."""

    template_name = "people/onboarding_form.html"

    def labels(self) -> Labels:
        heading = (
            _("Edit %(template)s") % {"template": self.template}
            if self.template
            else _("New onboarding template")
        )
        return Labels(heading, submit=_("Save template"))

    def get_form(self, data: Any = None) -> OnboardingTemplateForm:
        return OnboardingTemplateForm(self.request, data, self.template)

    def perform(self, form: OnboardingTemplateForm) -> str:
        request = self.request
        try:
            saved = onboarding.save(
                origin_of(request), request.connection, form.wanted(), self.template
            )
        except TemplateRefused as refused:
            form.add_error(refused.field, str(refused))
            return ""
        return _("%(saved)s was saved.") % {"saved": saved}

    def context(self) -> dict[str, Any]:
        gone = onboarding.gone(self.request.scope, self.template) if self.template else []
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

    def perform(self, form: Any) -> str:
        template = self.template
        if template is None:
            return ""
        onboarding.delete(origin_of(self.request), template)
        return _("%(template)s was deleted.") % {"template": template}


class ApplyTemplateView(ChosenPeopleView):
    """Gives chosen people what a template says."""

    needs = Users.update
    form_class = ApplyTemplateForm


def _require_whole(request: PortalRequest) -> None:
    """Templates are of the whole account: no part of the people has its own."""
    if request.scope.is_narrow:
        raise NoPart(_("Onboarding templates are for the whole account."))
