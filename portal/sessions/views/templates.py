"""Templates: what new sessions can begin with."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.http import PortalRequest
from portal.sessions.forms.state import like
from portal.sessions.forms.templates import TemplateForm
from portal.sessions.kinds import Kind
from portal.sessions.people import host_of
from portal.sessions.services import templates
from portal.sessions.services.session import read
from portal.sessions.views.asking import asked
from portal.sessions.views.kinds import kind_page, kind_url, of_kind
from portal.ui.pages import go
from portal.ui.toasts import toast


@require_GET
@of_kind(needs="create")
def listing(request: PortalRequest, kind: Kind) -> HttpResponse:
    """One's own templates."""
    found = [
        (template, host_of(request.connection, template.values.get("host", "")))
        for template in templates.templates_of(request.user, request.connection, kind)
    ]
    return kind_page(request, kind, "sessions/templates.html", {"templates": found})


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def keep(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Makes a template of a session."""
    session = read(request.api, request.connection, kind, session_id)
    others = templates.templates_of(request.user, request.connection, kind)
    data = request.POST if request.method == "POST" else None
    form = TemplateForm(data, others=others, initial={"name": session.topic[:100]})
    if form.is_valid():
        values = templates.values_of(
            like(session, asked(request)), session.recurrence, session.host.id
        )
        name = form.cleaned_data["name"]
        templates.keep(request.user, request.connection, kind, name, values)
        toast(request, "good", f"The template “{name}” is saved.")
        return go(request, kind_url(request, kind, "session", session_id))
    cancel = kind_url(request, kind, "session", session_id)
    return _ask(request, kind, form, "Save template", cancel, title="Save as a template")


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def rename(request: PortalRequest, kind: Kind, template_id: int) -> HttpResponse:
    """Gives a template another name."""
    others = templates.templates_of(request.user, request.connection, kind)
    template = get_object_or_404(others, pk=template_id)
    data = request.POST if request.method == "POST" else None
    form = TemplateForm(
        data, others=others.exclude(pk=template.pk), initial={"name": template.name}
    )
    if form.is_valid():
        template.name = form.cleaned_data["name"]
        template.save(update_fields=["name", "changed_at"])
        return go(request, kind_url(request, kind, "templates"))
    cancel = kind_url(request, kind, "templates")
    return _ask(request, kind, form, "Rename", cancel, title=f"Rename “{template.name}”")


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def delete(request: PortalRequest, kind: Kind, template_id: int) -> HttpResponse:
    """Asks before a template is deleted."""
    found = templates.templates_of(request.user, request.connection, kind)
    template = get_object_or_404(found, pk=template_id)
    if request.method == "POST":
        template.delete()
        toast(request, "good", f"The template “{template.name}” is deleted.")
        return go(request, kind_url(request, kind, "templates"))
    context = {
        "template": template,
        "verb": "Delete template",
        "danger": True,
        "cancel": kind_url(request, kind, "templates"),
    }
    return kind_page(request, kind, "sessions/template_delete.html", context)


def _ask(
    request: PortalRequest, kind: Kind, form: forms.Form, verb: str, cancel: str, **more: Any
) -> HttpResponse:
    context = {"form": form, "verb": verb, "cancel": cancel}
    status = 422 if form.errors else 200
    return kind_page(request, kind, "sessions/template_name.html", context | more, status=status)
