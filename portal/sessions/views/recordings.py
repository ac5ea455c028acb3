"""The tab of a session's recordings: the files, those in the trash, and how they are shared."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.recordings import Recordings
from portal.recordings.files import files, recorded, trash
from portal.recordings.views.sharing import Sharing, sharing_of
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.tabs import session_url, tab
from portal.ui.explain import explain

TAB = "recordings"


@require_GET
@connected(needs=Recordings.get)
def recordings(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the recordings of the last time, those in the trash, and who may watch."""
    return recordings_tab(request, spec, session_id)


def recordings_tab(
    request: PortalRequest, spec: SessionSpec, session_id: str, part: Sharing | None = None
) -> HttpResponse:
    answer = recorded(request.api, session_id)
    session = None if answer else _session(request, spec, session_id)
    host_id = answer.host_id if answer else session.host.id if session else ""
    context = {
        "recorded": answer,
        "files": files(answer),
        "part": part or sharing_of(request, answer),
        "held_url": session_url(request, spec, session_id, "held"),
        **_trash(request, host_id, session_id),
    }
    status = 422 if part and part.form and part.form.errors else 200
    return tab(
        request,
        spec,
        session_id,
        "sessions/recordings.html",
        context,
        current=TAB,
        session=session,
        status=status,
    )


def _session(request: PortalRequest, spec: SessionSpec, session_id: str) -> SessionRecord | None:
    """Returns the host of the session; if the session is gone, its trash is not known."""
    try:
        return read(request.api, request.scope, spec, session_id)
    except ApiError:
        return None


def _trash(request: PortalRequest, host_id: str, session_id: str) -> dict[str, Any]:
    """The trash; that it cannot be read now spoils nothing else."""
    if not host_id:
        return {}
    try:
        return {"trash": trash(request.api, request.scope, host_id, session_id)}
    except ApiError as error:
        return {"trash_fault": explain(error).title}
