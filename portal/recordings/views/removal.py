"""Recorded files put into the trash, taken out of it, and deleted for good."""

from collections.abc import Iterator

from django import forms
from django.forms import Form
from django.http import Http404, HttpResponse, QueryDict
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.connections.connected import connected
from portal.contract.recordings import (
    RecordedMeeting,
    RecordingAction,
    RecordingRemoval,
    Recordings,
)
from portal.recordings import files as service, holds, mirror
from portal.recordings.files import File
from portal.recordings.views.sharing import RecordingSource, source_url
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.forms.fields import TypedForm
from portal.ui.numbers import size_in_words
from portal.ui.pages import go, toast
from portal.ui.templatetags.ui import moment
from portal.ui.views import ActionView, Labels

TAB = "recordings"
# By whether it is one file, and whether it goes for good.
_VISIBILITY = {
    (True, True): gettext_lazy("No one can watch this file any longer."),
    (True, False): gettext_lazy("No one can watch this file until recovered."),
    (False, True): gettext_lazy("No one can watch these files any longer."),
    (False, False): gettext_lazy("No one can watch these files until recovered."),
}
_WAY_BACK = {
    (True, True): gettext_lazy("This cannot be undone."),
    (True, False): gettext_lazy("You can recover it from the trash on the same page."),
    (False, True): gettext_lazy("This cannot be undone."),
    (False, False): gettext_lazy("You can recover them from the trash on the same page."),
}


class RemoveRecordingView(ActionView):
    """Asks before all files of one time go into the trash, or for good."""

    needs = Recordings.delete
    template_name = "recordings/remove.html"

    action: RecordingRemoval
    recorded: RecordedMeeting | None
    files: list[File]

    def prepare(self) -> None:
        if self.kwargs["how"] not in set(RecordingRemoval):
            raise Http404
        self.action = RecordingRemoval(self.kwargs["how"])
        self.file_id = self.kwargs.get("file_id", "")
        self.recorded, self.files = _affected(self.request, self.kwargs["uuid"], self.file_id)
        if self.request.method == "GET" and not self.files:
            self._require_trash()

    def _require_trash(self) -> None:
        """Raises `Http404` unless all files of the instance in the trash go for good."""
        if self.file_id or not self.is_final or not self.is_in_trash():
            raise Http404

    def is_in_trash(self) -> bool:
        """Returns whether the trash has files of this instance. Raises `ApiError`."""
        request, uuid = self.request, self.kwargs["uuid"]
        row = mirror.listed(request.scope).filter(uuid=uuid).first()
        if row is None:
            return False
        files = service.trash_of(request.api, request.scope, row.host_id, uuid, row.start_time)
        return bool(files)

    @property
    def is_final(self) -> bool:
        return self.action is RecordingRemoval.DELETE

    @property
    def is_destructive(self) -> bool:
        return self.is_final

    def labels(self) -> Labels:
        what = _("this file") if self.file_id else _("all files of this instance")
        consequences = list(self._consequences())
        uuid = self.kwargs["uuid"]
        if words := holds.why_on_hold(self.request.connection, [uuid]).get(uuid):
            consequences = [("lock", words)]
            return Labels(_("On hold"), submit="", consequences=consequences)
        if self.is_final:
            words, submit = _("Delete %(what)s permanently?"), _("Delete permanently")
        else:
            words, submit = _("Move %(what)s to trash?"), _("Move to trash")
        return Labels(capfirst(words % {"what": what}), submit=submit, consequences=consequences)

    def _consequences(self) -> Iterator[tuple[str, str]]:
        for file in self.files:
            size = "" if file.size is None else size_in_words(file.size)
            yield "trash-2", ", ".join(filter(None, (file.name, file.format, size)))
        topic, one = {"topic": self.topic}, bool(self.file_id)
        if self.files and self.recorded and self.recorded.start_time:
            at = {"at": moment(self.recorded.start_time)}
            yield "video", _("Of “%(topic)s”, %(at)s.") % (topic | at)
        elif self.files:
            yield "video", _("Of “%(topic)s”.") % topic
        if self.is_final and not one:
            words = (
                _("Files of this instance in the trash are deleted too.")
                if self.files
                else _("All files in the trash of this instance of “%(topic)s” are deleted.")
            )
            yield "trash-2", words % topic
        yield "eye-off", _VISIBILITY[one, self.is_final]
        yield "undo-2", _WAY_BACK[one, self.is_final]

    def get_form(self, data: QueryDict | None = None) -> forms.Form:
        return (TypedForm if self.is_final else Form)(data)

    def perform(self, form: object) -> str:
        request = self.request
        uuid = self.kwargs["uuid"]
        service.change_files(request.api, request.connection, uuid, self.action, self.file_id)
        return _done(self.action, self.files)

    def go_on(self, done: str) -> HttpResponse:
        toast(self.request, "good", done)
        spec, session_id, uuid = (self.kwargs[name] for name in ("spec", "session_id", "uuid"))
        return _back(self.request, spec, session_id, uuid)

    def cancel_url(self) -> str:
        return source_url(self.request, self.kwargs["spec"], self.kwargs["session_id"], TAB)

    def context(self) -> dict[str, object]:
        spec, session_id = self.kwargs["spec"], self.kwargs["session_id"]
        return {
            "spec": spec,
            "session_id": session_id,
            "topic": self.topic,
        }

    @property
    def topic(self) -> str:
        """Returns the topic; the session may be gone, and what was recorded stays."""
        spec, session_id = self.kwargs["spec"], self.kwargs["session_id"]
        topic = self.recorded.topic if self.recorded else ""
        return topic or f"{spec.noun.capitalize()} {session_id}"


class RemoveFileView(RemoveRecordingView):
    needs = Recordings.delete_file


def _affected(
    request: PortalRequest, uuid: str, file_id: str
) -> tuple[RecordedMeeting | None, list[File]]:
    """Returns the recording and files that would go; an answer is not lost if they cannot be read
    now."""
    try:
        answer = service.recorded(request.api, uuid)
    except ApiError:
        if request.method == "GET":
            raise
        return None, []
    return answer, [one for one in service.files(answer) if file_id in ("", one.id)]


def _done(action: RecordingRemoval, files: list[File]) -> str:
    count, is_final = len(files), action is RecordingRemoval.DELETE
    if count > 1:
        words = (
            _("%(count)s files were deleted permanently.")
            if is_final
            else _("%(count)s files were moved to the trash.")
        )
        return words % {"count": number(count)}
    what = files[0].name if files else _("The recording")
    words = (
        _("%(what)s was deleted permanently.")
        if is_final
        else _("%(what)s was moved to the trash.")
    )
    return words % {"what": what}


@require_POST
@connected(needs=Recordings.recover)
def recover(
    request: PortalRequest, spec: RecordingSource, session_id: str, uuid: str
) -> HttpResponse:
    service.change_files(request.api, request.connection, uuid, RecordingAction.RECOVER)
    toast(request, "good", _("All files of that instance were recovered."))
    return _back(request, spec, session_id, uuid)


@require_POST
@connected(needs=Recordings.recover_file)
def recover_file(
    request: PortalRequest, spec: RecordingSource, session_id: str, uuid: str, file_id: str
) -> HttpResponse:
    service.change_files(request.api, request.connection, uuid, RecordingAction.RECOVER, file_id)
    toast(request, "good", _("The file was recovered."))
    return _back(request, spec, session_id, uuid)


def _back(
    request: PortalRequest, spec: RecordingSource, session_id: str, uuid: str
) -> HttpResponse:
    """Redirects to the page of the instance if the action began there, else to the tab."""
    if request.GET.get("from") == "held":
        return go(request, source_url(request, spec, session_id, "held-one", uuid))
    return go(request, source_url(request, spec, session_id, TAB))
