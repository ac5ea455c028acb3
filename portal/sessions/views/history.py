"""History of a session: its changes through this portal."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.jobs.history import TEMPLATE, history_of
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_view
from portal.sessions.views.tabs import tab


@require_GET
@spec_view(needs="get")
def history(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Its changes, and those of its registrants, polls and the like, newest first."""
    context = history_of(request.scope, spec.family, session_id, request.GET.get("page"))
    return tab(request, spec, session_id, TEMPLATE, context, current="history")
