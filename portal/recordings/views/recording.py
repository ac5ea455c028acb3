"""The page about one recording: its files, those in the trash, and who may watch."""

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.audit.wording import length as length_in_words
from portal.client import ApiError
from portal.connections.connected import connected
from portal.connections.renewal import gives_away
from portal.contract.meetings import Meetings
from portal.contract.recordings import RecordedMeeting, Recordings
from portal.jobs.history import TEMPLATE as HISTORY, history_of
from portal.mirror.values import minutes
from portal.recordings import holds, mirror
from portal.recordings.files import DOWNLOAD, PLAY, File, files, link_of, recorded, trash_of
from portal.recordings.models import MirroredRecording
from portal.recordings.sharing import store_sharing
from portal.recordings.views.sharing import ITSELF, Sharing, sharing_of
from portal.translation import gettext as _
from portal.ui.error_messages import explain
from portal.ui.numbers import size_in_words, spaced
from portal.ui.pages import page
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.things import Overview, Thing, ThingFact
from portal.ui.times import absolute, aware


@require_GET
@connected(needs=Recordings.get)
def recording(request: PortalRequest, uuid: str) -> HttpResponse:
    return recording_page(request, ITSELF, uuid)


def recording_page(
    request: PortalRequest, spec: object, uuid: str, edited: Sharing | None = None
) -> HttpResponse:
    answer = recorded(request.api, uuid)
    row = mirror.listed(request.scope).filter(uuid=uuid).first()
    if answer is None and row is None:
        raise Http404
    about = _as_reported(request, uuid, answer, row)
    shows_history = "history" in request.GET
    here = reverse("recordings:recording", args=[request.connection.key, uuid])
    context: dict[str, object] = {
        "spec": spec,
        "session_id": uuid,
        "recording": about,
        "hold": holds.active_of(request.connection)
        .filter(uuid=uuid)
        .select_related("held_by")
        .first(),
        "thing": _thing(request, about, row),
        "thing_tabs": [
            PageTab("recording", _("Overview"), here, not shows_history),
            PageTab("history", _("History"), f"{here}?history=1", shows_history),
        ],
        "tabs_label": _("About this recording"),
        "history": shows_history,
        "overview": None if shows_history else Overview(),
        "panel_template": HISTORY if shows_history else "recordings/overview.html",
    }
    sharing = edited or sharing_of(request, answer)
    if sharing and sharing.settings:
        store_sharing(request.connection, {uuid: sharing.settings})
    if shows_history:
        page_of_it = request.GET.get("history")
        context |= history_of(request.scope, Meetings.name, uuid, page_of_it)
        context["page_param"] = "history"
    else:
        context |= _trash(request, about)
        if answer is None and not context.get("trash") and "trash_fault" not in context:
            raise Http404
        context |= {
            "files": files(answer),
            "trash_days": settings.RECORDINGS_TRASH_DAYS,
        }
    status = 422 if sharing and sharing.form and sharing.form.errors else 200
    fragment = PANEL if wants_panel(request) else "content"
    return page(
        request,
        "ui/thing.html",
        context | {"sharing": sharing},
        fragment=fragment,
        status=status,
    )


def _thing(
    request: PortalRequest, recording: MirroredRecording, row: MirroredRecording | None
) -> Thing:
    key, number = request.connection.key, recording.session_id
    host_url = recording.host_id and reverse("people:person", args=[key, recording.host_id])
    started = absolute(recording.start_time) if recording.start_time else _("Start unknown")
    unknown = _("Unknown")
    length = "" if recording.duration is None else length_in_words(recording.duration)
    return Thing(
        recording.label,
        (_("Recordings"), reverse("recordings:list", args=[key])),
        icon="film",
        lead="recordings/shared_here.html",
        facts=[started, length],
        rail=[
            ThingFact(
                _("Host"), recording.host_name or recording.host_id, otherwise=unknown, url=host_url
            ),
            ThingFact(_("Department"), recording.dept),
            ThingFact(_("Recorded"), recording.start_time, otherwise=unknown),
            ThingFact(_("Duration"), length, otherwise=unknown),
            ThingFact(_("Size"), size_in_words(row.size) if row else "", otherwise=unknown),
            ThingFact(_("Meeting ID"), spaced(number), _("meeting ID"), number, unknown),
            ThingFact("UUID", recording.uuid, "UUID"),
        ],
        actions="recordings/recording_actions.html",
    )


def _as_reported(
    request: PortalRequest, uuid: str, answer: RecordedMeeting | None, row: MirroredRecording | None
) -> MirroredRecording:
    """Returns the recording as the service reports it, else as it is listed; it is not saved."""
    reported = row or MirroredRecording(connection=request.connection, uuid=uuid)
    if answer:
        reported.session_id = str(answer.id or reported.session_id)
        reported.topic = answer.topic or reported.topic
        reported.host_id = answer.host_id or reported.host_id
        reported.start_time = aware(answer.start_time) if answer.start_time else None
        reported.duration = minutes(answer.duration)
    return reported


def _trash(request: PortalRequest, about: MirroredRecording) -> dict[str, object]:
    """Reads the trash; the rest of the page does not depend on it."""
    if not about.host_id:
        return {}
    try:
        files: list[File] = trash_of(
            request.api, request.scope, about.host_id, about.uuid, about.start_time
        )
    except ApiError as error:
        return {"trash_fault": explain(error).title}
    return {"trash": files}


@require_GET
@never_cache
@connected(needs=Recordings.get)
def file_link(request: PortalRequest, uuid: str, file_id: str, how: str) -> HttpResponse:
    """Leads to where a file is played or downloaded. The address is asked for when it is wanted;
    it is on no page, and neither logged nor kept."""
    if how not in (PLAY, DOWNLOAD):
        raise Http404
    url = link_of(request.api, uuid, file_id, how)
    if not url or gives_away(request.connection, url):
        raise Http404
    response = HttpResponseRedirect(url)
    response["Referrer-Policy"] = "no-referrer"
    return response
