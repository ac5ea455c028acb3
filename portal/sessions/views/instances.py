"""Past instances of a session: their list, and each with its participants and recordings."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET
from pydantic.fields import FieldInfo

from portal.access.http import PortalRequest
from portal.client import ApiError, Invalid
from portal.config import clock
from portal.contract.model import Model, fields, title_of
from portal.contract.operation import Paging
from portal.contract.recordings import Recordings
from portal.contract.usage import Attendance
from portal.recordings import files
from portal.sessions.services import instances as service
from portal.sessions.services.instances import Participants
from portal.sessions.specs import SessionSpec
from portal.sessions.views.parts import part_page
from portal.sessions.views.specs import spec_view
from portal.sessions.views.tabs import tab
from portal.translation import gettext as _
from portal.ui import exports
from portal.ui.explain import explain
from portal.ui.numbers import as_percent
from portal.ui.pages import go, toast, unread_in

TAB = "held"


@require_GET
@spec_view(needs="past.instances")
def held_list(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The times the session was held, the latest first."""
    context = {"instances": service.instances(request.api, spec, session_id)}
    return tab(request, spec, session_id, "sessions/held.html", context, current=TAB)


@require_GET
@spec_view(needs="past.get")
def held(request: PortalRequest, spec: SessionSpec, session_id: str, uuid: str) -> HttpResponse:
    """One time: when it was, who was there, what was recorded."""
    token = request.GET.get("token", "")
    try:
        found = service.participants(request.api, spec, uuid, token)
    except Invalid:
        if not token:
            raise
        toast(request, "neutral", _("That page of the list has expired. This is the first page."))
        return go(request, request.path)
    answer = service.held(request.api, spec, uuid)
    context = {
        "held": answer,
        "uuid": uuid,
        "participants": found,
        "is_first": not token,
        "has_attendance": _has_attendance(found),
        **_recorded(request, uuid),
    }
    # The session may be gone: what was held stays known.
    topic = answer.topic or spec.called(session_id)
    return part_page(
        request, spec, session_id, "sessions/held_one.html", context, tab=TAB, topic=topic
    )


def _has_attendance(found: Participants) -> bool:
    return any(isinstance(one, Attendance) for one in found.people)


def _recorded(request: PortalRequest, uuid: str) -> dict[str, Any]:
    """Returns the recordings, or the fault if they cannot be read now: it spoils nothing else."""
    if not request.scope.may(Recordings.get):
        return {}
    try:
        return {"files": files.files(files.recorded(request.api, uuid))}
    except ApiError as error:
        return {"files": None, "files_fault": explain(error).title}


@require_GET
@spec_view(needs="past.participants")
def export(
    request: PortalRequest, spec: SessionSpec, session_id: str, uuid: str, file: str
) -> HttpResponseBase:
    """Everybody who was there, as a file."""
    if file not in exports.KINDS:
        raise Http404
    # All of them are read before the file begins: a file that ends early would look whole.
    people = list(service.all_participants(request.api, spec, uuid))
    topic, day = _called(request, spec, session_id, uuid)
    title = _("Participants of %(name)s") % {"name": topic}
    export = exports.Export(
        title=title,
        name=exports.file_name(title, day),
        what=f"participants of {spec.code} {session_id}",  # untranslated: of the audit trail
        columns=[_column(name, info) for name, info in fields(_item(spec))],
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
        found = service.held(request.api, spec, uuid)
    except ApiError:
        return spec.called(session_id), ""
    return found.topic or spec.called(session_id), exports.day_of(found.start_time)


def _column(name: str, info: FieldInfo) -> exports.ExportColumn:
    title = _("Seconds present") if name == "duration" else title_of(info, name)
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
