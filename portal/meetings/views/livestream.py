"""The live stream of a meeting."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.access.models.connection import dialect_named
from portal.access.scope import Scope
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import entries_for
from portal.client import Api, ApiError
from portal.connections.connected import connected
from portal.contract.meetings import (
    LIVE_STREAM,
    LiveStreamAction,
    LiveStreamDisplay,
    MeetingLiveStream,
    MeetingLiveStreamStatus,
    Meetings,
    ReportedLiveStream,
)
from portal.contract.model import JsonDict
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import TabActionView, tab
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_form
from portal.ui.pages import go, toast
from portal.ui.views import FormT, Labels

PlaceForm = contract_form(MeetingLiveStream, fields=("stream_url", "stream_key", "page_url"))
DisplayForm = contract_form(LiveStreamDisplay, fields=("display_name", "active_speaker_name"))
TAB = "livestream"
_NO_ADDRESS = gettext_lazy("Set the stream address first. No live stream was set up here.")


@dataclass(frozen=True)
class LastSent:
    """Last write through this portal, with its author and time."""

    sent: JsonDict
    email: str
    time: datetime


@dataclass(frozen=True)
class Stream:
    """A meeting's stream as far as it is known here; either part is `None` if nothing was sent.
    `reported` is its target, if the service reports that."""

    place: LastSent | None
    status: LastSent | None
    reported: ReportedLiveStream | None = None

    @property
    def is_set_up(self) -> bool:
        return bool(self.reported.stream_url if self.reported else self.place)

    @property
    def is_started(self) -> bool | None:
        """Returns whether it was last started or stopped from here; `None` if neither."""
        if self.status is None:
            return None
        return bool(self.status.sent.get("action") == LiveStreamAction.START)

    @property
    def address(self) -> str:
        if self.reported:
            return self.reported.stream_url
        return str(self.place.sent.get("stream_url", "")) if self.place else ""

    @property
    def page(self) -> str:
        if self.reported:
            return self.reported.page_url
        return str(self.place.sent.get("page_url", "")) if self.place else ""

    @property
    def display(self) -> dict[str, object]:
        """Returns the display of the stream at its last start."""
        return dict(self.status.sent.get("settings") or {}) if self.status else {}


def stream_of(api: Api, scope: Scope, meeting_id: str) -> Stream:
    """Returns a meeting's stream as far as the service reports it and the audit trail has it."""
    entries: Any = entries_for(scope, Meetings.name, meeting_id)
    entries = entries.filter(result=Outcome.DONE)
    return Stream(
        _last(entries, Meetings.update_livestream.name),
        _last(entries, Meetings.change_livestream_status.name),
        _reported(api, scope, meeting_id),
    )


def _reported(api: Api, scope: Scope, meeting_id: str) -> ReportedLiveStream | None:
    if LIVE_STREAM.name not in dialect_named(scope.connection.dialect).asked:
        return None
    try:
        return api.caller(LIVE_STREAM.call(meeting_id))
    except ApiError:
        return None


def _last(entries: Any, operation: str) -> LastSent | None:
    entry: AuditEntry | None = entries.filter(operation=operation).order_by("-sequence").first()
    return LastSent(entry.sent or {}, entry.email, entry.time) if entry else None


@require_GET
@connected(needs=Meetings.get)
def stream(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the meeting's stream as the service reports it, or it was last sent through this
    portal."""
    context = {"stream": stream_of(request.api, request.scope, session_id)}
    return tab(request, spec, session_id, "meetings/livestream.html", context, current=TAB)


class StreamActionView(TabActionView[FormT]):
    tab = TAB

    @cached_property
    def stream(self) -> Stream:
        return stream_of(self.request.api, self.request.scope, self.session_id)


class ConfigureStreamView(StreamActionView[ContractForm[MeetingLiveStream]]):
    """Sets where the meeting is streamed. The key is never stored here, so it is typed again."""

    needs = Meetings.update_livestream

    def labels(self) -> Labels:
        lead = _("Enter the stream address and stream key from the video service for “%(topic)s”.")
        if self.stream.is_set_up:
            lead = _(
                "Enter the stream address and stream key from the video service for “%(topic)s”. "
                "Enter the key again even if only the address changes."
            )
        return Labels(
            _("Live stream settings"),
            submit=_("Save"),
            lead=lead % {"topic": self.topic},
        )

    def get_form(self, data: QueryDict | None = None) -> ContractForm[MeetingLiveStream]:
        if data is not None:
            return PlaceForm(data)
        current = {"stream_url": self.stream.address, "page_url": self.stream.page}
        return PlaceForm(suggest={name: value for name, value in current.items() if value})

    def perform(self, form: ContractForm[MeetingLiveStream]) -> str:
        self.request.api.meetings.update_livestream(self.session_id, form.model())
        return _("Live stream settings saved.")


class _SwitchStreamView(StreamActionView[FormT]):
    """Starts or stops the stream, once its address was set through this portal."""

    needs = Meetings.change_livestream_status

    def labels(self) -> Labels:
        labels = self.switch_labels()
        if self.stream.is_set_up:
            return labels
        return Labels(labels.heading, submit="", lead=str(_NO_ADDRESS))

    def switch_labels(self) -> Labels:
        """Returns the text of the page of a meeting with a stream address."""
        raise NotImplementedError

    def submit(self, form: FormT) -> HttpResponse:
        if self.stream.is_set_up:
            return super().submit(form)
        toast(self.request, "warning", str(_NO_ADDRESS))
        return go(self.request, self.cancel_url())


class StartStreamView(_SwitchStreamView[ContractForm[LiveStreamDisplay]]):
    def switch_labels(self) -> Labels:
        return Labels(
            _("Start the live stream?"),
            submit=_("Start live stream"),
            lead=_("Anyone with the link to the stream page will be able to watch “%(topic)s”.")
            % {"topic": self.topic},
        )

    def get_form(self, data: QueryDict | None = None) -> ContractForm[LiveStreamDisplay]:
        return DisplayForm(data) if data is not None else DisplayForm(suggest=self.stream.display)

    def perform(self, form: ContractForm[LiveStreamDisplay]) -> str:
        change, shown = MeetingLiveStreamStatus(action=LiveStreamAction.START), form.model()
        if shown.sent():
            change = MeetingLiveStreamStatus(action=LiveStreamAction.START, settings=shown)
        self.request.api.meetings.change_livestream_status(self.session_id, change)
        return _("Live stream started.")


class StopStreamView(_SwitchStreamView):
    """Stops the stream; the meeting goes on."""

    is_destructive = True

    def switch_labels(self) -> Labels:
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

    def perform(self, form: object) -> str:
        change = MeetingLiveStreamStatus(action=LiveStreamAction.STOP)
        self.request.api.meetings.change_livestream_status(self.session_id, change)
        return _("Live stream stopped.")
