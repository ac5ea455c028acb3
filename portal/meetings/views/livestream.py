"""The live stream of a meeting: where it goes, started and stopped."""

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.meetings import Meetings
from portal.meetings.forms.livestream import DisplayForm, PlaceForm
from portal.meetings.services import livestream as service
from portal.sessions.kinds import Kind
from portal.sessions.views.parts import part_page
from portal.sessions.views.tabs import session_url, tab
from portal.ui.faults import faults_on
from portal.ui.pages import go
from portal.ui.toasts import toast

TAB = "livestream"


@require_GET
@connected(needs=Meetings.get)
def stream(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """What is known of the meeting's stream: what was last sent through this portal."""
    context = {"stream": service.known(request.connection, session_id)}
    return tab(request, kind, session_id, "meetings/livestream.html", context, current=TAB)


@require_http_methods(["GET", "POST"])
@connected(needs=Meetings.update_livestream)
def configure(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Says where the meeting is streamed. The key has to be typed anew: it is kept nowhere here."""
    known = service.known(request.connection, session_id)
    suggested = {"stream_url": known.address, "page_url": known.page}
    if request.method == "GET":
        form = PlaceForm(suggest={name: value for name, value in suggested.items() if value})
    else:
        form = PlaceForm(request.POST)
        if form.is_valid():
            with faults_on(form):
                service.configure(request.api, session_id, form.model())
            if form.is_valid():
                toast(request, "good", "It is set where the meeting is streamed.")
                return go(request, session_url(request, kind, session_id, TAB))
    context = {"form": form, "verb": "Save", "known": known}
    return _show(request, kind, session_id, "meetings/livestream_place.html", context)


@require_http_methods(["GET", "POST"])
@connected(needs=Meetings.change_livestream_status)
def start(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Starts the stream, with what it shows."""
    if request.method == "GET":
        form = DisplayForm(suggest=service.known(request.connection, session_id).display)
    else:
        form = DisplayForm(request.POST)
        if form.is_valid():
            shown = form.model()
            with faults_on(form):
                service.start(request.api, session_id, shown if shown.sent() else None)
            if form.is_valid():
                toast(request, "good", "The live stream is started.")
                return go(request, session_url(request, kind, session_id, TAB))
    context = {"form": form, "verb": "Start the stream"}
    return _show(request, kind, session_id, "meetings/livestream_start.html", context)


@require_http_methods(["GET", "POST"])
@connected(needs=Meetings.change_livestream_status)
def stop(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Asks before the stream is stopped."""
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.stop(request.api, session_id)
        if form.is_valid():
            toast(request, "good", "The live stream is stopped.")
            return go(request, session_url(request, kind, session_id, TAB))
    context = {"form": form, "verb": "Stop the stream", "danger": True}
    return _show(request, kind, session_id, "meetings/livestream_stop.html", context)


def _show(
    request: PortalRequest, kind: Kind, session_id: str, template: str, context: dict[str, object]
) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return part_page(request, kind, session_id, template, context, tab=TAB, status=status)
