"""Form and preview, shared by planning a new session and changing one."""

from typing import Any

from django.http import HttpResponse, QueryDict

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.sessions.forms.plan import PlanForm
from portal.sessions.forms.proposal import proposed
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview, preview
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_page, spec_url
from portal.translation import gettext as _
from portal.ui.explain import cause_of
from portal.ui.pages import toast
from portal.ui.picking import FIND

TEMPLATE = "sessions/plan.html"
LOOK = "look"  # the button that shows the dates, for those without scripts
ZONE = "use_zone"  # the button that plans in the host's time zone


def asked(request: PortalRequest) -> list[TrackingFieldDetails]:
    """The account's tracking fields. A session can be planned without: where they cannot be read
    a form has none, and says why when it is opened."""
    try:
        return planning.tracking_fields(request.api, request.connection)
    except ApiError as error:
        if request.method == "GET":
            words = _("Tracking fields could not be loaded: %(why)s")
            toast(request, "warning", words % {"why": cause_of(error)})
        return []


def previewed(
    request: PortalRequest, form: PlanForm, session: SessionRecord | None = None
) -> Preview:
    """The preview of the form. `form` is validated by that."""
    return preview(request.api, request.connection, proposed(form, session))


def is_only_looked_at(request: PortalRequest) -> bool:
    """Returns whether a button that searches or previews was pressed: a missing value is no error
    yet."""
    return any(button in request.POST for button in (FIND, LOOK, ZONE))


def typed(request: PortalRequest) -> QueryDict:
    """Returns what was typed, in the host's time zone if that was chosen."""
    if ZONE not in request.POST:
        return request.POST
    data = request.POST.copy()
    data["timezone"] = request.POST.get(ZONE, "")
    return data


def is_warned(request: PortalRequest, seen: Preview) -> bool:
    """Returns whether something speaks against the plan that this person was not shown yet."""
    return bool(seen.signature) and request.POST.get("seen") != seen.signature


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
