"""Overview of a session: its times, its settings, and how people join it."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.path import NotAnId
from portal.sessions.services.overview import setting_lines, times
from portal.sessions.services.polls import polls
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_view
from portal.sessions.views.tabs import tab
from portal.ui.explain import explain

TEMPLATE = "sessions/overview.html"


@require_GET
@spec_view(needs="get")
def overview(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Everything that the service reports about a session, but for its secrets."""
    return overview_tab(request, read(request.api, request.scope, spec, session_id))


def overview_tab(
    request: PortalRequest, session: SessionRecord, *, shows_secrets: bool = False
) -> HttpResponse:
    context = {
        "times": times(session),
        "settings": setting_lines(session),
        "shows_secrets": shows_secrets,
        **_polls(request, session),
    }
    return tab(
        request,
        session.spec,
        session.id,
        TEMPLATE,
        context,
        current="session",
        session=session,
    )


def _polls(request: PortalRequest, session: SessionRecord) -> dict[str, Any]:
    """Returns the polls, or the fault if they cannot be read now: it spoils nothing else."""
    if not request.scope.may(session.spec.polls.list):
        return {}
    try:
        return {"has_polls": True, "polls": polls(request.api, session.spec, session.id)}
    except NotAnId:  # the service calls the session otherwise than its polls may be asked for
        return {}
    except ApiError as error:
        return {"has_polls": True, "polls_fault": explain(error)}
