"""The invitation to a meeting, as the service words it."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.connections.connected import connected
from portal.contract.meetings import Meetings
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import tab_page


@require_GET
@never_cache
@connected(needs=Meetings.update)
def invitation(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The service's invitation, to copy. It holds the password, so it is, as that is elsewhere, for
    those who may also change it."""
    text = request.api.meetings.invitation(session_id).invitation
    context = {"text": text.replace("\r\n", "\n")}
    return tab_page(request, spec, session_id, "meetings/invitation.html", context, tab="session")
