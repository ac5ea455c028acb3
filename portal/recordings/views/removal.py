"""Recorded files put into the trash, taken out of it, and deleted for good."""

from django.forms import Form
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.recordings import RecordedMeeting, RecordingRemoval, Recordings
from portal.recordings.services import files as service
from portal.recordings.services.files import File
from portal.recordings.views.source import Source, source_url
from portal.ui.faults import errors_to_form
from portal.ui.forms.confirmation import TypedForm
from portal.ui.pages import go, page
from portal.ui.toasts import toast

TAB = "recordings"


@require_http_methods(["GET", "POST"])
@connected(needs=Recordings.delete)
def remove(
    request: PortalRequest, spec: Source, session_id: str, uuid: str, how: str
) -> HttpResponse:
    """Asks before all files of one time go into the trash, or for good."""
    return _remove(request, spec, session_id, uuid, how)


@require_http_methods(["GET", "POST"])
@connected(needs=Recordings.delete_file)
def remove_file(
    request: PortalRequest, spec: Source, session_id: str, uuid: str, *, file_id: str, how: str
) -> HttpResponse:
    """Asks before one file goes into the trash, or for good."""
    return _remove(request, spec, session_id, uuid, how, file_id=file_id)


def _remove(
    request: PortalRequest,
    spec: Source,
    session_id: str,
    uuid: str,
    how: str,
    *,
    file_id: str = "",
) -> HttpResponse:
    if how not in set(RecordingRemoval):
        raise Http404
    action = RecordingRemoval(how)
    data, files = _meant(request, uuid, file_id)
    if request.method == "GET" and file_id and not files:
        raise Http404
    data_sent = request.POST if request.method == "POST" else None
    form = (TypedForm if action is RecordingRemoval.DELETE else Form)(data_sent)
    if form.is_valid():
        with errors_to_form(form):
            service.remove(request.api, request.connection, uuid, action, file_id)
        if form.is_valid():
            toast(request, "good", _done(action, files))
            return _back(request, spec, session_id, uuid)
    is_final = action is RecordingRemoval.DELETE
    context = {
        "spec": spec,
        "session_id": session_id,
        # The session may be gone: what was recorded stays.
        "topic": (data.topic if data else "") or f"{spec.noun.capitalize()} {session_id}",
        "cancel": source_url(request, spec, session_id, TAB),
        "form": form,
        "files": files,
        "start": data.start_time if data else None,
        "is_one": bool(file_id),
        "is_final": is_final,
        "verb": "Delete permanently" if is_final else "Move to trash",
        "danger": True,
    }
    status = 422 if form.is_bound else 200
    return page(request, "recordings/remove.html", context, status=status)


def _meant(
    request: PortalRequest, uuid: str, file_id: str
) -> tuple[RecordedMeeting | None, list[File]]:
    """What would go; an answer is not lost because that cannot be read just now."""
    try:
        answer = service.recorded(request.api, uuid)
    except ApiError:
        if request.method == "GET":
            raise
        return None, []
    return answer, [one for one in service.files(answer) if file_id in ("", one.id)]


def _done(action: RecordingRemoval, files: list[File]) -> str:
    what = files[0].name if len(files) == 1 else f"{len(files)} files" if files else "The recording"
    verb = "were" if len(files) > 1 else "was"
    if action is RecordingRemoval.DELETE:
        return f"{what} {verb} deleted permanently."
    return f"{what} {verb} moved to the trash."


@require_POST
@connected(needs=Recordings.recover)
def recover(request: PortalRequest, spec: Source, session_id: str, uuid: str) -> HttpResponse:
    """Takes all files of one time out of the trash."""
    service.recover(request.api, request.connection, uuid)
    toast(request, "good", "All files of that instance were recovered.")
    return _back(request, spec, session_id, uuid)


@require_POST
@connected(needs=Recordings.recover_file)
def recover_file(
    request: PortalRequest, spec: Source, session_id: str, uuid: str, file_id: str
) -> HttpResponse:
    """Takes one file out of the trash."""
    service.recover(request.api, request.connection, uuid, file_id)
    toast(request, "good", "The file was recovered.")
    return _back(request, spec, session_id, uuid)


def _back(request: PortalRequest, spec: Source, session_id: str, uuid: str) -> HttpResponse:
    """To the page of that time if it was begun there, or else to the tab."""
    if request.GET.get("from") == "held":
        return go(request, source_url(request, spec, session_id, "held-one", uuid))
    return go(request, source_url(request, spec, session_id, TAB))
