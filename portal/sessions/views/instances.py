"""Past instances of a session: their list, and each with its participants and recordings."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET
from pydantic.fields import FieldInfo

from portal.access.http import PortalRequest
from portal.client import ApiError, Invalid
from portal.config import clock
from portal.connections.connected import connected
from portal.contract.model import Model, fields, title_of
from portal.contract.operation import Paging
from portal.contract.recordings import Recordings
from portal.contract.usage import Attendance, SessionReport
from portal.recordings import files as recording_files
from portal.recordings.files import files, recorded, trash
from portal.recordings.views.removal import RemoveRecordingView
from portal.recordings.views.sharing import Sharing, sharing_of
from portal.sessions.attendance.people import is_waiting
from portal.sessions.attendance.words import status_in_words
from portal.sessions.services.live import (
    participants,
    past_instance,
    past_instances,
)
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import spec_url, spec_view, tab, tab_page
from portal.translation import gettext as _
from portal.ui import exports
from portal.ui.error_messages import explain
from portal.ui.numbers import as_percent
from portal.ui.pages import go, toast, unread_in

_TAB = "held"
_RECORDINGS_TAB = "recordings"


@require_GET
@spec_view(needs="past.instances")
def instance_list(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The times the session was held, the latest first."""
    context = {"instances": past_instances(request.api, spec, session_id)}
    return tab(request, spec, session_id, "sessions/held.html", context, current=_TAB)


@require_GET
@spec_view(needs="past.get")
def instance(request: PortalRequest, spec: SessionSpec, session_id: str, uuid: str) -> HttpResponse:
    """One time: when it was, who was there, what was recorded."""
    token = request.GET.get("token", "")
    try:
        listed = participants(request.api, spec, uuid, token)
    except Invalid:
        if not token:
            raise
        toast(request, "neutral", _("That page of the list has expired. This is the first page."))
        return go(request, request.path)
    answer = past_instance(request.api, spec, uuid)
    context = {
        "held": answer,
        "tracking_fields": answer.tracking_fields if isinstance(answer, SessionReport) else (),
        "uuid": uuid,
        "participants": listed,
        "is_first": not token,
        "has_attendance": any(isinstance(one, Attendance) for one in listed.people),
        **_recorded(request, uuid),
    }
    # The session may be gone: what was held stays known.
    topic = answer.topic or spec.called(session_id)
    return tab_page(
        request, spec, session_id, "sessions/held_one.html", context, tab=_TAB, topic=topic
    )


def _recorded(request: PortalRequest, uuid: str) -> dict[str, object]:
    """Returns the recordings, or the fault if they cannot be read now: it spoils nothing else."""
    if not request.scope.may(Recordings.get):
        return {}
    try:
        return {"files": recording_files.files(recording_files.recorded(request.api, uuid))}
    except ApiError as error:
        return {"files": None, "files_fault": explain(error).title}


@require_GET
@spec_view(needs="past.participants")
def export(
    request: PortalRequest, spec: SessionSpec, session_id: str, uuid: str, file: str
) -> HttpResponseBase:
    """Sends all participants as a file."""
    if file not in exports.KINDS:
        raise Http404
    # All of them are read before the file begins: a file that ends early would look whole.
    pages = request.api.caller.pages(spec.past.participants.call(uuid))
    people = [one for page in pages for one in page.participants]
    topic, day = _called(request, spec, session_id, uuid)
    title = _("Participants of %(name)s") % {"name": topic}
    export = exports.Export(
        title=title,
        name=exports.file_name(title, day),
        what=f"participants of {spec.code} {session_id}",  # untranslated: of the audit trail
        columns=[*(_column(name, info) for name, info in fields(_item(spec))), _status()],
        rows=people,
        count=len(people),
        by=f"UUID: {uuid}",
        read_at=clock.now(),
        unread=unread_in(request),
    )
    return exports.send(request, file, export)


def _called(
    request: PortalRequest, spec: SessionSpec, session_id: str, uuid: str
) -> tuple[str, str]:
    """Returns the topic and the day, as far as they can be read."""
    try:
        past = past_instance(request.api, spec, uuid)
    except ApiError:
        return spec.called(session_id), ""
    return past.topic or spec.called(session_id), exports.day_of(past.start_time)


def _status() -> exports.ExportColumn:
    return exports.ExportColumn("status", lambda one: status_in_words(one.status), _("Status"))


def _seconds_present(one: Attendance) -> int | None:
    """Returns the seconds in the session: those in its waiting room are none."""
    return 0 if is_waiting(one.status) else one.duration


def _column(name: str, info: FieldInfo) -> exports.ExportColumn:
    title = title_of(info, name)
    if name == "duration":
        return exports.ExportColumn(name, _seconds_present, _("Seconds present"))
    if name == "attentiveness_score":
        title = _("Attentiveness (%)")
        return exports.ExportColumn(name, lambda one: as_percent(one.attentiveness_score), title)
    return exports.of(name, title, is_moment=name.endswith("_time"))


def _item(spec: SessionSpec) -> type[Model]:
    """Returns the model of the service's report about each participant."""
    paging: Paging[Any] | None = spec.past.participants.pages
    assert paging is not None  # noqa: S101 - declared with the operation
    item: type[Model] = paging.item
    return item


@require_GET
@connected(needs=Recordings.get)
def recordings(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the recordings of the last time, those in the trash, and who may watch."""
    return recordings_tab(request, spec, session_id)


def recordings_tab(
    request: PortalRequest, spec: SessionSpec, session_id: str, edited: Sharing | None = None
) -> HttpResponse:
    answer = recorded(request.api, session_id)
    session = None if answer else _session(request, spec, session_id)
    host_id = answer.host_id if answer else session.host.id if session else ""
    context = {
        "recorded": answer,
        "files": files(answer),
        "sharing": edited or sharing_of(request, answer),
        "held_url": spec_url(request, spec, "held", session_id),
        **_trash(request, host_id, session_id),
    }
    status = 422 if edited and edited.form and edited.form.errors else 200
    return tab(
        request,
        spec,
        session_id,
        "sessions/recordings.html",
        context,
        current=_RECORDINGS_TAB,
        session=session,
        status=status,
    )


class RemoveInstanceRecordingView(RemoveRecordingView):
    def is_in_trash(self) -> bool:
        request, session_id = self.request, self.kwargs["session_id"]
        session = _session(request, self.kwargs["spec"], session_id)
        host_id = session.host.id if session else ""
        times = trash(request.api, request.scope, host_id, session_id) if host_id else []
        is_listed = any(one.uuid == self.kwargs["uuid"] for one in times)
        return is_listed or super().is_in_trash()


def _session(request: PortalRequest, spec: SessionSpec, session_id: str) -> SessionRecord | None:
    """Returns the host of the session; if the session is gone, its trash is not known."""
    try:
        return read(request.api, request.scope, spec, session_id)
    except ApiError:
        return None


def _trash(request: PortalRequest, host_id: str, session_id: str) -> dict[str, object]:
    """The trash; that it cannot be read now spoils nothing else."""
    if not host_id:
        return {}
    try:
        return {"trash": trash(request.api, request.scope, host_id, session_id)}
    except ApiError as error:
        return {"trash_fault": explain(error).title}
