"""Base of the pages about one aspect of a session: their trail, and the way back."""

from typing import Any

from django.http import HttpResponse

from portal.access.grants import Can, CanFamily
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.operation import Family
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_page
from portal.sessions.views.tabs import session_url


def may_call(request: PortalRequest, family: type[Family]) -> CanFamily:
    """Which of a family's operations this person may call, for templates."""
    can: CanFamily = getattr(Can(request.scope), family.name)
    return can


def part_page(
    request: PortalRequest,
    spec: SessionSpec,
    session_id: str,
    template: str,
    context: dict[str, Any],
    *,
    tab: str,
    topic: str = "",
    status: int = 200,
) -> HttpResponse:
    """A page below one of the session's tabs, such as a form; `topic` spares reading the session.

    What was typed is not lost because the session cannot be read now: it then goes by its
    number.
    """
    shared = {
        "session_id": session_id,
        "topic": topic or _topic(request, spec, session_id),
        "session_url": session_url(request, spec, session_id),
        "cancel": session_url(request, spec, session_id, tab),
    }
    return spec_page(request, spec, template, shared | context, status=status)


def _topic(request: PortalRequest, spec: SessionSpec, session_id: str) -> str:
    try:
        return read(request.api, request.scope, spec, session_id).topic
    except ApiError:
        if request.method == "GET":
            raise
        return spec.called(session_id)
