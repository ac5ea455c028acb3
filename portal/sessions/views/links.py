"""Ways to join: the secrets of a session, shown on request, and its calendar file."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.sessions.services.calendar import calendar_file
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.overview import overview_tab
from portal.sessions.views.specs import spec_view


@require_GET
@never_cache
@spec_view(needs="update")
def secrets(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The start link, which makes whoever has it the host, and the passwords.

    Only for those who may also change them.
    """
    session = read(request.api, request.scope, spec, session_id)
    return overview_tab(request, session, shows_secrets=True)


@require_GET
@spec_view(needs="get")
def calendar(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The session's times as a file for calendars."""
    session = read(request.api, request.scope, spec, session_id)
    name = f'attachment; filename="{spec.code}-{session.id}.ics"'  # untranslated: a header
    return HttpResponse(
        calendar_file(session),
        content_type="text/calendar; charset=utf-8",  # untranslated: a header
        headers={"Content-Disposition": name},
    )
