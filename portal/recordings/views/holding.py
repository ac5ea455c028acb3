"""Putting one recording on hold, and releasing it."""

from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.http import Http404
from django.urls import reverse

from portal.access.origin import origin_of
from portal.access.reauthentication import did_lately
from portal.contract.recordings import Recordings
from portal.recordings import holds, mirror
from portal.recordings.forms import HoldForm, ReleaseForm
from portal.recordings.labels import label_of
from portal.recordings.models import Hold, MirroredRecording
from portal.recordings.views.chosen import HOLD_CONSEQUENCES
from portal.translation import gettext as _
from portal.ui.views import ActionView, Labels


class _OfRecordingView(ActionView):
    """An action on the recording of the path, as the list knows it."""

    recording: MirroredRecording

    def prepare(self) -> None:
        known = mirror.listed(self.request.scope)
        found = known.filter(uuid=self.kwargs["uuid"]).first()
        if found is None:
            raise Http404
        self.recording = found

    def cancel_url(self) -> str:
        args = [self.request.connection.key, self.recording.uuid]
        return reverse("recordings:recording", args=args)

    def context(self) -> dict[str, Any]:
        listed = reverse("recordings:list", args=[self.request.connection.key])
        return {"trail": [(_("Recordings"), listed), (label_of(self.recording), self.cancel_url())]}


class HoldRecordingView(_OfRecordingView):
    """Puts a recording on hold, or changes why and until when it is."""

    needs = Recordings.update_settings
    form_class = HoldForm

    def get_form(self, data: Any = None) -> Any:
        hold = holds.active().filter(uuid=self.recording.uuid).first()
        given = {"reason": hold.reason, "until": hold.until} if hold else {}
        return HoldForm(data, initial=given)

    def labels(self) -> Labels:
        return Labels(
            _("Put “%(label_of)s” on hold") % {"label_of": label_of(self.recording)},
            submit=_("Hold"),
            consequences=HOLD_CONSEQUENCES,
        )

    def perform(self, form: Any) -> str:
        try:
            holds.place(
                origin_of(self.request),
                self.request.connection,
                [self.recording],
                form.cleaned_data["reason"],
                form.cleaned_data["until"],
            )
        except holds.NotHeld as problem:
            form.add_error(None, str(problem))
            return ""
        return _("The recording is on hold.")


class ReleaseRecordingView(_OfRecordingView):
    """Ends the hold of a recording, so that it can be deleted again."""

    needs = Recordings.delete
    form_class = ReleaseForm
    is_destructive = True
    hold: Hold

    def prepare(self) -> None:
        super().prepare()
        found = Hold.objects.filter(uuid=self.recording.uuid).select_related("held_by").first()
        if found is None:
            raise Http404
        self.hold = found

    def labels(self) -> Labels:
        return Labels(
            _("Release “%(label_of)s” from hold?") % {"label_of": label_of(self.recording)},
            submit=_("Release"),
            lead=f"{holds.in_words(self.hold)}.",
            consequences=[("trash-2", _("It can be deleted again, also by retention rules."))],
        )

    def perform(self, form: Any) -> str:
        if not did_lately(self.request):
            raise ReauthenticationRequired
        origin, why = origin_of(self.request), form.cleaned_data["reason"]
        holds.release(origin, self.request.connection, [self.hold], why)
        return _("The hold is released.")
