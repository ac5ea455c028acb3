"""The live stream of a meeting: where it goes, started and stopped."""

from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.meetings import LiveStreamAction, MeetingLiveStreamStatus, Meetings
from portal.meetings.forms.livestream import DisplayForm, PlaceForm
from portal.meetings.services import livestream as service
from portal.sessions.specs import SessionSpec
from portal.sessions.views.actions import PartActionView
from portal.sessions.views.tabs import tab
from portal.translation import gettext as _
from portal.ui.views import Labels

TAB = "livestream"


@require_GET
@connected(needs=Meetings.get)
def stream(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the meeting's stream as it was last sent through this portal."""
    context = {"stream": service.known(request.scope, session_id)}
    return tab(request, spec, session_id, "meetings/livestream.html", context, current=TAB)


class StreamActionView(PartActionView):
    """An action on the live stream of a meeting."""

    tab = TAB

    @cached_property
    def stream(self) -> service.Stream:
        return service.known(self.request.scope, self.session_id)


class ConfigureStreamView(StreamActionView):
    """Sets where the meeting is streamed. The key is never stored here, so it is typed again."""

    needs = Meetings.update_livestream

    def labels(self) -> Labels:
        lead = _("Enter the stream address and stream key from the video service for “%(topic)s”.")
        if self.stream.place:
            lead = _(
                "Enter the stream address and stream key from the video service for “%(topic)s”. "
                "Enter the key again even if only the address changes."
            )
        return Labels(
            _("Live stream settings"),
            submit=_("Save"),
            lead=lead % {"topic": self.topic},
        )

    def get_form(self, data: Any = None) -> Any:
        if data is not None:
            return PlaceForm(data)
        known = {"stream_url": self.stream.address, "page_url": self.stream.page}
        return PlaceForm(suggest={name: value for name, value in known.items() if value})

    def perform(self, form: Any) -> str:
        self.request.api.meetings.update_livestream(self.session_id, form.model())
        return _("Live stream settings saved.")


class StartStreamView(StreamActionView):
    """Starts the stream, with what it shows."""

    needs = Meetings.change_livestream_status

    def labels(self) -> Labels:
        return Labels(
            _("Start the live stream?"),
            submit=_("Start live stream"),
            lead=_("Anyone with the link to the stream page will be able to watch “%(topic)s”.")
            % {"topic": self.topic},
        )

    def get_form(self, data: Any = None) -> Any:
        return DisplayForm(data) if data is not None else DisplayForm(suggest=self.stream.display)

    def perform(self, form: Any) -> str:
        shown = form.model()
        service.start(self.request.api, self.session_id, shown if shown.sent() else None)
        return _("Live stream started.")


class StopStreamView(StreamActionView):
    """Stops the stream; the meeting goes on."""

    needs = Meetings.change_livestream_status
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Stop the live stream?"),
            submit=_("Stop live stream"),
            consequences=[
                (
                    "radio",
                    _("The stream of “%(topic)s” ends for everyone watching it.")
                    % {"topic": self.topic},
                ),
                ("video", _("The meeting continues.")),
                ("undo-2", _("You can start it again.")),
            ],
        )

    def perform(self, form: Any) -> str:
        change = MeetingLiveStreamStatus(action=LiveStreamAction.STOP)
        self.request.api.meetings.change_livestream_status(self.session_id, change)
        return _("Live stream stopped.")
