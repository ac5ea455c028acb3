"""The page about one session: what it is at the left, and the parts of it in tabs."""

from typing import Any

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.sessions.services.live import course
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_page, spec_url
from portal.ui.explain import explain
from portal.ui.tabs import PANEL, PageTab, wants_panel


def tab(
    request: PortalRequest,
    spec: SessionSpec,
    session_id: str,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    current: str,
    session: SessionRecord | None = None,
    status: int = 200,
) -> HttpResponse:
    """A tab as a whole page, or as the fragment `panel` for a page that is open.

    `current` is the tab's name in `spec.tabs`, `template` what stands below the tabs. The session
    is read here if the page shows it and the view has not; `session` is `None` in the template of a
    tab that is loaded into an open page unless the view gave it.
    """
    if session is None and not wants_panel(request):
        session = read(request.api, request.scope, spec, session_id)
    is_whole = session is not None and not wants_panel(request)
    now = course(request.api, session) if is_whole and session else None
    shared = {
        "course": now,
        "course_fault": explain(now.failure) if now and now.failure else None,
        "session": session,
        "session_id": session_id,
        "session_tabs": [
            PageTab(
                one.name,
                one.label,
                spec_url(request, spec, one.name, session_id),
                one.name == current,
            )
            for one in spec.tabs
            if request.scope.may(one.needs)
        ],
        "panel_template": template,
    }
    fragment = PANEL if wants_panel(request) else "content"
    return spec_page(
        request,
        spec,
        "sessions/session.html",
        shared | (context or {}),
        fragment=fragment,
        status=status,
    )


def session_url(
    request: PortalRequest, spec: SessionSpec, session_id: str, name: str = "session", *more: str
) -> str:
    """Returns the address of a page about this session."""
    return spec_url(request, spec, name, session_id, *more)
