"""What a session is: when, how, and how people join it."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.sessions.kinds import Kind
from portal.sessions.services.overview import setting_lines, times
from portal.sessions.services.session import Session, read
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.tabs import tab

TEMPLATE = "sessions/overview.html"


@require_GET
@of_kind(needs="get")
def overview(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Everything that the service tells of a session, but for its secrets."""
    return overview_tab(request, read(request.api, request.connection, kind, session_id))


def overview_tab(
    request: PortalRequest, session: Session, *, shows_secrets: bool = False
) -> HttpResponse:
    context = {
        "times": times(session),
        "settings": setting_lines(session),
        "shows_secrets": shows_secrets,
    }
    return tab(
        request,
        session.kind,
        session.id,
        TEMPLATE,
        context,
        current="session",
        session=session,
    )
