"""Templates of sessions: listed, saved, renamed, deleted."""

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.directory.colleagues import colleague
from portal.sessions.forms.plan import plan_form
from portal.sessions.forms.tracking import left_out, like
from portal.sessions.models import SessionTemplate
from portal.sessions.services import planning
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import SpecActionView, spec_page, spec_url, spec_view
from portal.sessions.views.create import account_fields
from portal.translation import gettext as _, gettext_lazy
from portal.ui.pages import toast
from portal.ui.views import FormT, Labels


class SessionTemplateForm(forms.Form):
    """A name that none of the `others` has."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy("Templates are private to you."),
    )

    def __init__(self, *args: Any, others: QuerySet[SessionTemplate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._others = others

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self._others.filter(name=name).exists():
            raise forms.ValidationError(_("You already have a template with this name."))
        return name


@require_GET
@spec_view(needs="create")
def listing(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    stored = [
        (template, colleague(request.scope, template.values.get("host", "")))
        for template in planning.templates_of(request.user, request.connection, spec)
    ]
    return spec_page(request, spec, "sessions/templates.html", {"templates": stored})


class TemplateActionView(SpecActionView[FormT]):
    operation_name = "create"
    reads = "template"

    @cached_property
    def template(self) -> SessionTemplate:
        return get_object_or_404(self.others(), pk=self.kwargs["template_id"])

    def others(self) -> QuerySet[SessionTemplate]:
        return planning.templates_of(self.request.user, self.request.connection, self.session_spec)

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, "templates")

    def context(self) -> dict[str, object]:
        return super().context() | {"breadcrumbs": "sessions/list_breadcrumbs.html"}


class SaveTemplateView(TemplateActionView[SessionTemplateForm]):
    reads = "session"

    def labels(self) -> Labels:
        hint = _("Sessions made from it get a new password.") if self.session.password else ""
        return Labels(_("Save as a template"), submit=_("Save template"), hint=hint)

    def get_form(self, data: QueryDict | None = None) -> SessionTemplateForm:
        name = self.session.topic[:100]
        return SessionTemplateForm(data, others=self.others(), initial={"name": name})

    def perform(self, form: SessionTemplateForm) -> str:
        request, session, name = self.request, self.session, form.cleaned_data["name"]
        plan = like(session, account_fields(request))
        planning.save_template(
            request.user,
            request.connection,
            session.spec,
            name=name,
            plan=plan,
            recurrence=session.recurrence,
            host_id=session.host.id,
            has_password=bool(session.password),
        )
        copied = plan_form(session.spec)(scope=request.scope, suggest=plan)
        if missing := left_out(session, copied):
            words = _("Not in the template, since no form shows it: %(listed)s.")
            toast(request, "warning", words % {"listed": ", ".join(missing)})
        return _("Template “%(name)s” saved.") % {"name": name}

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, "session", self.session_id)


class RenameTemplateView(TemplateActionView[SessionTemplateForm]):
    def labels(self) -> Labels:
        return Labels(_("Rename “%(name)s”") % {"name": self.template.name}, submit=_("Rename"))

    def get_form(self, data: QueryDict | None = None) -> SessionTemplateForm:
        others = self.others().exclude(pk=self.template.pk)
        return SessionTemplateForm(data, others=others, initial={"name": self.template.name})

    def perform(self, form: SessionTemplateForm) -> str:
        self.template.name = form.cleaned_data["name"]
        self.template.save(update_fields=["name", "changed_at"])
        return ""


class DeleteSessionTemplateView(TemplateActionView):
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Delete the template “%(name)s”?") % {"name": self.template.name},
            submit=_("Delete template"),
            consequences=[
                ("calendar-check", _("Sessions scheduled with it are not changed.")),
                ("undo-2", _("This cannot be undone.")),
            ],
        )

    def perform(self, form: object) -> str:
        self.template.delete()
        return _("Template “%(name)s” deleted.") % {"name": self.template.name}
