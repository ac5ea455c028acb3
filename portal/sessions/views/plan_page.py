"""What planning a new session and changing one have in common: the form, shown with its preview."""

from typing import Any

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.sessions.forms.plan import PlanForm
from portal.sessions.forms.proposal import proposed
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview, preview
from portal.sessions.services.session import Session
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_page, spec_url
from portal.ui.picking import FIND

TEMPLATE = "sessions/plan.html"
LOOK = "look"  # the button that shows the dates, for those without scripts


def asked(request: PortalRequest) -> list[TrackingFieldDetails]:
    """The account's tracking fields. What was typed is not lost because they cannot be read."""
    try:
        return planning.tracking_fields(request.api, request.connection)
    except ApiError:
        if request.method == "GET":
            raise
        return []


def previewed(request: PortalRequest, form: PlanForm, session: Session | None = None) -> Preview:
    """The preview of the form. `form` is validated by that."""
    return preview(request.api, request.connection, proposed(form, session))


def is_only_looked_at(request: PortalRequest) -> bool:
    """Whether a button was pressed that searches or previews: what is missing is no error yet."""
    return FIND in request.POST or LOOK in request.POST


def is_warned(request: PortalRequest, seen: Preview) -> bool:
    """Whether something speaks against the plan that this person was not shown yet."""
    return bool(seen.warnings) and request.POST.get("seen") != seen.signature


def show(
    request: PortalRequest,
    spec: SessionSpec,
    form: PlanForm,
    looked: Preview,
    context: dict[str, Any],
) -> HttpResponse:
    """The form with its preview. `context` has `here`, `look`, `verb` and `cancel`."""
    shared = {"form": form, "preview": looked, "people": spec_url(request, spec, "people")}
    needs_work = form.is_bound and (form.errors or context.get("uncertain") or context.get("warns"))
    return spec_page(request, spec, TEMPLATE, shared | context, status=422 if needs_work else 200)
