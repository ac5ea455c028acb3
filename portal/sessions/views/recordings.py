"""The recordings of a session: the files, those in the trash, and who may watch them."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.recordings import RecordedMeeting, Recordings, RecordingSettings
from portal.sessions.services import recorded as service
from portal.sessions.services.session import Session, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import kind_page
from portal.sessions.views.tabs import session_url, tab
from portal.ui.explain import explain
from portal.ui.faults import errors_to_form
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.edit_conflicts import WAS
from portal.ui.forms.state import unsign
from portal.ui.pages import go
from portal.ui.toasts import toast

TAB = "recordings"
SettingsForm = contract_form(RecordingSettings)


@dataclass(frozen=True)
class Part:
    """Who may watch one time's recordings: as it is read, or with the form that changes it."""

    uuid: str
    settings: RecordingSettings | None
    form: ContractForm | None = None
    shows_password: bool = False
    just_closed: bool = False
    fault: str = ""

    @property
    def rows(self) -> list[service.RecordingSettingRow]:
        return list(service.rows(self.settings)) if self.settings else []


@require_GET
@connected(needs=Recordings.get)
def recordings(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """What was recorded the last time, what of it is in the trash, and who may watch."""
    return _tab(request, kind, session_id)


def _tab(
    request: PortalRequest, kind: SessionSpec, session_id: str, part: Part | None = None
) -> HttpResponse:
    answer = service.recorded(request.api, session_id)
    session = None if answer else _session(request, kind, session_id)
    host_id = answer.host_id if answer else session.host.id if session else ""
    context = {
        "recorded": answer,
        "files": service.files(answer),
        "part": part or _settings(request, answer),
        "held_url": session_url(request, kind, session_id, "held"),
        **_trash(request, host_id, session_id),
    }
    status = 422 if part and part.form and part.form.errors else 200
    return tab(
        request,
        kind,
        session_id,
        "sessions/recordings.html",
        context,
        current=TAB,
        session=session,
        status=status,
    )


def _session(request: PortalRequest, kind: SessionSpec, session_id: str) -> Session | None:
    """Whose the session is; where it is gone, its trash is not known."""
    try:
        return read(request.api, request.connection, kind, session_id)
    except ApiError:
        return None


def _trash(request: PortalRequest, host_id: str, session_id: str) -> dict[str, Any]:
    """The trash; that it cannot be read just now spoils nothing else."""
    if not host_id:
        return {}
    try:
        return {"trash": service.trash(request.api, request.connection, host_id, session_id)}
    except ApiError as error:
        return {"trash_fault": explain(error).title}


def _settings(request: PortalRequest, recording: RecordedMeeting | None) -> Part | None:
    if recording is None or not recording.uuid:
        return None
    try:
        return Part(recording.uuid, request.api.recordings.settings(recording.uuid))
    except ApiError as error:
        return Part(recording.uuid, None, fault=explain(error).title)


@require_http_methods(["GET", "POST"])
@connected(needs=Recordings.update_settings)
def settings(request: PortalRequest, kind: SessionSpec, session_id: str, uuid: str) -> HttpResponse:
    """Changes who may watch, in its place; `cancel` in the query closes it again."""
    if request.method == "GET":
        now = request.api.recordings.settings(uuid)
        is_open = "cancel" not in request.GET
        form = SettingsForm(initial=now) if is_open else None
        part = Part(uuid, now, form, just_closed=not is_open)
        return _answer(request, kind, session_id, part)
    form = _typed(request, uuid)
    if form.is_valid():
        changes = form.changes()
        with errors_to_form(form):
            if changes:
                request.api.recordings.update_settings(uuid, changes)
        if form.is_valid():
            return _saved(request, kind, session_id, uuid, changed=bool(changes))
    return _answer(request, kind, session_id, Part(uuid, None, form))


def _typed(request: PortalRequest, uuid: str) -> ContractForm:
    """What was typed over what holds now; over what held at the beginning if the service fails."""
    form = SettingsForm(request.POST, initial=unsign(request.POST.get(WAS, "")) or {})
    now: RecordingSettings | None = None
    with errors_to_form(form):
        now = request.api.recordings.settings(uuid)
    return SettingsForm(request.POST, initial=now) if now else form


def _saved(
    request: PortalRequest, kind: SessionSpec, session_id: str, uuid: str, *, changed: bool
) -> HttpResponse:
    if changed:
        toast(request, "good", "Sharing settings saved.")
    if not request.htmx:
        return go(request, f"{session_url(request, kind, session_id, TAB)}#watching")
    now = request.api.recordings.settings(uuid)
    return _answer(request, kind, session_id, Part(uuid, now, just_closed=True))


@require_GET
@never_cache
@connected(needs=Recordings.update_settings)
def password(request: PortalRequest, kind: SessionSpec, session_id: str, uuid: str) -> HttpResponse:
    """The password that viewers are asked for. Only for those who may also change it."""
    part = Part(uuid, request.api.recordings.settings(uuid), shows_password=True)
    return _answer(request, kind, session_id, part)


def _answer(request: PortalRequest, kind: SessionSpec, session_id: str, part: Part) -> HttpResponse:
    """The part alone where it is swapped in, the whole page otherwise."""
    if not request.htmx:
        return _tab(request, kind, session_id, part)
    context = {"part": part, "session_id": session_id}
    status = 422 if part.form and part.form.errors else 200
    return kind_page(
        request, kind, "sessions/recording_settings.html", context, fragment="part", status=status
    )
