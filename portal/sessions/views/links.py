"""How people get in: the secrets of a session, shown when asked for, and its calendar file."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.sessions.services.calendar import calendar_file
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.overview import overview_tab


@require_GET
@never_cache
@of_kind(needs="update")
def secrets(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """The start link, which makes whoever has it the host, and the passwords.

    Only for those who may also change them.
    """
    session = read(request.api, request.connection, kind, session_id)
    return overview_tab(request, session, shows_secrets=True)


@require_GET
@of_kind(needs="get")
def calendar(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """The session's times as a file for calendars."""
    session = read(request.api, request.connection, kind, session_id)
    return HttpResponse(
        calendar_file(session),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{kind.noun}-{session.id}.ics"'},
    )
