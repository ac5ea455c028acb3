"""Sharing the recordings of one time: read and edited in its place on the page of the session."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Protocol

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.connections.connected import connected
from portal.contract.recordings import (
    RecordedMeeting,
    Recordings,
    RecordingSettings,
    RecordingSharing,
)
from portal.recordings import sharing as service
from portal.translation import gettext as _, gettext_lazy
from portal.ui.error_messages import explain
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.edit_conflicts import WAS
from portal.ui.forms.layout import unsign
from portal.ui.pages import go, page, toast, wants_fragment
from portal.ui.ways_back import without_secrets

# Pages of a session that are one page of a recording.
_ITS_OWN = {"session": "recording", "recordings": "recording"}
SettingsForm = contract_form(RecordingSettings)


class RecordingSource(Protocol):
    """Meetings or webinars. `family` is the namespace of their URLs."""

    @property
    def family(self) -> str: ...

    @property
    def noun(self) -> str: ...

    @property
    def title(self) -> str: ...


@dataclass(frozen=True)
class RecordingItself:
    """A recording whose pages stand below its own page."""

    family: str = "recordings"
    noun: str = gettext_lazy("recording")
    title: str = gettext_lazy("Recordings")


ITSELF = RecordingItself()


def of_itself(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Returns the view below the page of the recording with the `uuid` of the path."""

    @wraps(view)
    def below(request: object, *, uuid: str, **kwargs: object) -> HttpResponseBase:
        return view(request, spec=ITSELF, session_id=uuid, uuid=uuid, **kwargs)

    return below


def source_url(
    request: PortalRequest,
    spec: RecordingSource,
    session_id: str,
    name: str = "session",
    *more: str,
) -> str:
    """Returns the address of a page about this meeting or webinar, by the name of its URL.

    Where the recording stands for itself, `session_id` is its UUID, which addresses name once.
    """
    if spec is ITSELF:
        name, more = _ITS_OWN.get(name, name), tuple(more[1:])
    return reverse(f"{spec.family}:{name}", args=[request.connection.key, session_id, *more])


@dataclass(frozen=True)
class Sharing:
    """The sharing settings of one time: as they are read, or with the form that changes them."""

    uuid: str
    settings: RecordingSettings | None
    form: ContractForm | None = None
    shows_password: bool = False
    just_closed: bool = False
    fault: str = ""

    @property
    def is_open(self) -> bool:
        if self.settings is None or service.requires_sign_in(self.settings):
            return False
        return self.settings.share_recording == RecordingSharing.PUBLICLY

    @property
    def way_back(self) -> str:
        """Returns what an undo of the form does not bring back."""
        return without_secrets(Recordings.update_settings, self.form) if self.form else ""

    @property
    def rows(self) -> list[service.SharingRow]:
        return list(service.rows(self.settings)) if self.settings else []


# The page with the settings, for requests that want more than the panel.
WholePage = Callable[[PortalRequest, Any, str, Sharing], HttpResponse]


def sharing_of(request: PortalRequest, recording: RecordedMeeting | None) -> Sharing | None:
    """Reads the settings; the rest of the page does not depend on them."""
    if recording is None or not recording.uuid:
        return None
    try:
        return Sharing(recording.uuid, request.api.recordings.settings(recording.uuid))
    except ApiError as error:
        return Sharing(recording.uuid, None, fault=explain(error).title)


@require_http_methods(["GET", "POST"])
@connected(needs=Recordings.update_settings)
def settings(
    request: PortalRequest, spec: RecordingSource, session_id: str, uuid: str, whole_page: WholePage
) -> HttpResponse:
    """Changes who may watch, in its place; `cancel` in the query closes it again."""
    answer = partial(_answer, request, spec, session_id, whole_page)
    if request.method == "GET":
        now = request.api.recordings.settings(uuid)
        is_open = "cancel" not in request.GET
        form = SettingsForm(initial=now) if is_open else None
        return answer(Sharing(uuid, now, form, just_closed=not is_open))
    form = _typed(request, uuid)
    changes = form.changes() if form.is_valid() else None
    if changes:
        with errors_to_form(form):
            request.api.recordings.update_settings(uuid, changes)
            now = request.api.recordings.settings(uuid)
            service.store_sharing(request.connection, {uuid: now})
    if not form.is_valid():
        return answer(Sharing(uuid, None, form))
    if changes:
        toast(request, "good", _("Sharing settings saved."))
    if not wants_fragment(request):
        return go(request, f"{source_url(request, spec, session_id, 'recordings')}#watching")
    return answer(Sharing(uuid, request.api.recordings.settings(uuid), just_closed=True))


def _typed(request: PortalRequest, uuid: str) -> ContractForm[RecordingSettings]:
    """Returns the form as it was typed over the current values, or over those of the beginning if
    the service fails."""
    form = SettingsForm(request.POST, initial=unsign(request.POST.get(WAS, "")) or {})
    now: RecordingSettings | None = None
    with errors_to_form(form):
        now = request.api.recordings.settings(uuid)
    return SettingsForm(request.POST, initial=now) if now else form


@require_GET
@never_cache
@connected(needs=Recordings.update_settings)
def password(
    request: PortalRequest, spec: RecordingSource, session_id: str, uuid: str, whole_page: WholePage
) -> HttpResponse:
    """Shows the password of viewers, to users who may change it."""
    sharing = Sharing(uuid, request.api.recordings.settings(uuid), shows_password=True)
    return _answer(request, spec, session_id, whole_page, sharing)


def _answer(
    request: PortalRequest,
    spec: RecordingSource,
    session_id: str,
    whole_page: WholePage,
    sharing: Sharing,
) -> HttpResponse:
    """Shows the panel if it is swapped in, else the whole page."""
    if not wants_fragment(request):
        return whole_page(request, spec, session_id, sharing)
    context = {"sharing": sharing, "spec": spec, "session_id": session_id}
    status = 422 if sharing.form and sharing.form.errors else 200
    return page(request, "recordings/sharing.html", context, fragment="panel", status=status)
