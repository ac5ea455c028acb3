"""What was done to a session through this portal."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.jobs.history import TEMPLATE, history_of
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.tabs import tab


@require_GET
@of_kind(needs="get")
def history(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """Its changes, and those of its registrants, polls and the like, newest first."""
    context = history_of(request.connection, kind.family, session_id, request.GET.get("page"))
    return tab(request, kind, session_id, TEMPLATE, context, current="history")
