"""Initial data of a new session: nothing, another one, or a template; and making a template."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone

from portal.access.http import PortalRequest
from portal.directory.colleagues import Colleague, colleague
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.forms.proposal import proposed
from portal.sessions.forms.state import like, usual
from portal.sessions.services import templates
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.plan_page import asked
from portal.translation import gettext as _
from portal.ui.forms.layout import nested
from portal.ui.numbers import whole
from portal.ui.pages import toast

_LONGEST_NAME = 100
KEEP = "keep"  # the button that makes a template of what is filled in


def initial_form(request: PortalRequest, spec: SessionSpec) -> PlanForm:
    """The form as it opens: like the session in `copy`, by the template in `template`, or empty,
    for the host in `host`. Without a host's time zone it begins in the viewer's."""
    tracking = asked(request)
    given: dict[str, Any] = {"scope": request.scope, "tracking": tracking}
    if copied := request.GET.get("copy"):
        session = read(request.api, request.scope, spec, copied)
        host = session.host
        given |= {"suggest": like(session, tracking), "recurrence": session.recurrence}
    elif (template_id := whole(request.GET.get("template", ""))) is not None:
        own = templates.templates_of(request.user, request.connection, spec)
        template = get_object_or_404(own, pk=template_id)
        host = _named(request) or colleague(request.scope, template.values.get("host", ""))
        plan = template.values.get("plan", {})
        zone = plan.get("timezone") or host.timezone or timezone.get_current_timezone_name()
        given |= {
            "suggest": {**usual(zone), **plan},
            "recurrence": templates.recurrence_of(template),
        }
    else:
        host = _named(request) or colleague(request.scope, "")
        given["suggest"] = usual(host.timezone or timezone.get_current_timezone_name())
    form = plan_form(spec)(**given)
    form.initial["host"] = host.id
    return form


def keep_as_template(request: PortalRequest, spec: SessionSpec, form: PlanForm) -> None:
    """Keeps what is filled in rightly; `form` has been checked."""
    name = request.POST.get("template_name", "").replace("\x00", "").strip()
    if not name:
        toast(request, "bad", _("Enter a name for the template."))
        return
    if len(name) > _LONGEST_NAME:
        words = _("The name of a template can have at most %(most)s characters.")
        toast(request, "bad", words % {"most": _LONGEST_NAME})
        return
    cleaned = form.cleaned_data
    flat = {
        spec: value
        for spec, value in cleaned.items()
        if spec in form.plain_fields and value not in (None, "", [])
    }
    plan = {**nested(flat), "tracking_fields": form.tracking.values()}
    values = templates.values_of(plan, proposed(form).recurrence, cleaned.get("host", ""))
    templates.save(request.user, request.connection, spec, name, values)
    toast(request, "good", _("Template “%(name)s” saved.") % {"name": name})


def _named(request: PortalRequest) -> Colleague | None:
    named = request.GET.get("host", "")
    return colleague(request.scope, named) if named else None
