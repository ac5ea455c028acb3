"""Actions on the recordings selected in the list.

Each action has a page with its small form; what comes of it is a job, whose plan is approved on the
job's own page. Holds are the portal's own and are placed at once.
"""

from collections.abc import Callable, Sequence
from functools import partial

from allauth.core.exceptions import ReauthenticationRequired
from django.http import Http404, HttpResponseBase, QueryDict
from django.urls import reverse

from portal.access.http import PortalRequest, origin_of
from portal.contract.operation import AnyOperation
from portal.contract.recordings import Recordings
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.recordings import holds, mirror
from portal.recordings.filters import RecordingSelection, RecordingsFilter
from portal.recordings.forms import (
    DeleteForm,
    HoldForm,
    RecordingSelectionForm,
    RecoverForm,
    ReleaseForm,
    SharingForm,
    TrashForm,
)
from portal.recordings.mirror import state_of
from portal.recordings.models import Hold, MirroredRecording, counted
from portal.sign_in.reauthentication import did_lately
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.numbers import size_in_words
from portal.ui.selection import SelectionRefused
from portal.ui.views import ActionView, ChosenView, FormT, Labels

_MOST_ON_HOLD = 5_000
_ABOVE = ((gettext_lazy("Recordings"), "recordings:list"),)
_SHOWN = 20  # holds that are about to end


def hold_consequences(count: int) -> list[tuple[str, str]]:
    """Returns what a hold on so many recordings means, each with an icon."""
    return [
        (
            "lock",
            ngettext(
                "It cannot be deleted or moved to the trash here, by anyone or by a retention "
                "rule.",
                "They cannot be deleted or moved to the trash here, by anyone or by a retention "
                "rule.",
                count,
            ),
        ),
        (
            "user-x",
            ngettext(
                "Its host cannot be removed unless their recordings go to a colleague.",
                "Their hosts cannot be removed unless their recordings go to a colleague.",
                count,
            ),
        ),
        (
            "triangle-alert",
            _("What is deleted elsewhere, or by the service itself, is not prevented."),
        ),
    ]


class _RecordingSelectionView(ChosenView[FormT]):
    """Finds what was chosen, how many that is and what it takes."""

    above = _ABOVE
    chosen: RecordingSelection
    count: int
    what: str  # how many recordings that are, in words
    size: str

    def choose(self) -> None:
        filters_of = partial(RecordingsFilter, scope=self.request.scope)
        self.chosen = RecordingSelection.resolve(self.selection, filters_of)
        self.count, size = self.chosen.count_and_size(self.request.scope)
        if not self.count:
            raise SelectionRefused(_("None of the selected recordings exists any more."))
        self.what, self.size = counted(self.count), size_in_words(size)

    def listed_from(self) -> str:
        return state_of(self.request.connection).notes_in_words

    @property
    def lead(self) -> str:
        values = {"what": self.what, "words": self.chosen.words, "size": self.size}
        if self.chosen.words:
            return _("All %(what)s of the list: %(words)s. They take %(size)s.") % values
        return ngettext("It takes %(size)s.", "They take %(size)s.", self.count) % values


class RecordingSelectionView(
    _RecordingSelectionView[RecordingSelectionForm], ChosenJobView[RecordingSelectionForm]
):
    """Asks what is to be done to those that were chosen, and has it planned as a job."""

    form_class = RecordingSelectionForm

    def operation(self) -> AnyOperation:
        return self.form_class.action.needs

    def labels(self) -> Labels:
        form = self.form_class
        return Labels(
            form.title % {"what": self.what},
            submit=_("Preview changes"),
            lead=self.lead,
            consequences=form.consequences,
            hint=_("Nothing changes yet: you preview the changes first."),
        )

    def draft(self, form: RecordingSelectionForm) -> Draft:
        words = form.job_title or form.title
        title = JobTitle(lambda what: words % {"what": what}, lambda: counted(self.count))
        parameters = {"chosen": self.chosen.as_parameters(), **form.parameters()}
        return Draft(form.job_type, title, parameters)


class HoldSelectionView(_RecordingSelectionView[HoldForm]):
    needs = Recordings.update_settings
    form_class = HoldForm

    def choose(self) -> None:
        super().choose()
        _refuse_more(self.count)

    def labels(self) -> Labels:
        return Labels(
            _("Put %(what)s on hold") % {"what": self.what},
            submit=_("Hold %(what)s") % {"what": self.what},
            lead=self.lead,
            consequences=hold_consequences(self.count),
        )

    def perform(self, form: HoldForm) -> str:
        count = _place(self.request, list(self.chosen.rows(self.request.scope)), form)
        words = ngettext(
            "%(count)s recording is on hold.", "%(count)s recordings are on hold.", count
        )
        return words % {"count": number(count)}


class ReleaseSelectionView(_RecordingSelectionView[ReleaseForm]):
    """Ends the holds of those that were chosen; its page shows who holds them, and why."""

    needs = Recordings.delete
    form_class = ReleaseForm
    is_destructive = True
    template_name = "recordings/release.html"
    active_holds: list[Hold]

    def choose(self) -> None:
        super().choose()
        rows = self.chosen.rows(self.request.scope).order_by()
        active = holds.active_of(self.request.connection).filter(uuid__in=rows.values("uuid"))
        self.active_holds = list(
            active.select_related("held_by").order_by("topic", "pk")[: _MOST_ON_HOLD + 1]
        )
        if not self.active_holds:
            raise SelectionRefused(_("None of the selected recordings is on hold."))
        _refuse_more(len(self.active_holds))

    def labels(self) -> Labels:
        what = counted(len(self.active_holds))
        return Labels(
            _("Release %(what)s from hold?") % {"what": what},
            submit=_("Release %(what)s") % {"what": what},
            consequences=[
                (
                    "trash-2",
                    ngettext(
                        "It can be deleted again, also by retention rules.",
                        "They can be deleted again, also by retention rules.",
                        len(self.active_holds),
                    ),
                )
            ],
        )

    def context(self) -> dict[str, object]:
        shown = self.active_holds[:_SHOWN]
        others = self.count - len(self.active_holds)
        more = {"holds": shown, "more": len(self.active_holds) - len(shown), "others": others}
        return super().context() | more

    def perform(self, form: ReleaseForm) -> str:
        count = _release(self.request, self.active_holds, form)
        words = ngettext(
            "%(count)s recording is released from hold.",
            "%(count)s recordings are released from hold.",
            count,
        )
        return words % {"count": number(count)}


def _place(request: PortalRequest, rows: Sequence[MirroredRecording], form: HoldForm) -> int:
    """Puts recordings on hold. Returns their number, or adds to the form why they cannot be."""
    reason, until = form.cleaned_data["reason"], form.cleaned_data["until"]
    try:
        return holds.place(origin_of(request), request.connection, rows, reason, until)
    except holds.HoldRefused as problem:
        form.add_error(None, str(problem))
        return 0


def _release(request: PortalRequest, placed: Sequence[Hold], form: ReleaseForm) -> int:
    """Ends holds. Returns their number. Raises `ReauthenticationRequired`."""
    if not did_lately(request):
        raise ReauthenticationRequired
    reason = form.cleaned_data["reason"]
    return holds.release(origin_of(request), request.connection, placed, reason)


def _refuse_more(count: int) -> None:
    if count > _MOST_ON_HOLD:
        words = _("More than %(most)s recordings. Filter the list, and select some at a time.") % {
            "most": number(_MOST_ON_HOLD)
        }
        raise SelectionRefused(words)


ACTIONS: dict[str, Callable[..., HttpResponseBase]] = {
    **{
        form.action.url_name: RecordingSelectionView.as_view(form_class=form)
        for form in (TrashForm, RecoverForm, DeleteForm, SharingForm)
    },
    HoldForm.action.url_name: HoldSelectionView.as_view(),
    ReleaseForm.action.url_name: ReleaseSelectionView.as_view(),
}


class _OfRecordingView(ActionView[FormT]):
    """An action on the recording of the path, as the list knows it."""

    above = _ABOVE
    recording: MirroredRecording

    def prepare(self) -> None:
        listed = mirror.listed(self.request.scope)
        row = listed.filter(uuid=self.kwargs["uuid"]).first()
        if row is None:
            raise Http404
        self.recording = row

    def trail(self) -> list[tuple[str, str]]:
        args = [self.request.connection.key, self.recording.uuid]
        own = reverse("recordings:recording", args=args)
        return [*super().trail(), (self.recording.label, own)]


class HoldRecordingView(_OfRecordingView[HoldForm]):
    """Puts a recording on hold, or changes why and until when it is."""

    needs = Recordings.update_settings
    form_class = HoldForm

    def get_form(self, data: QueryDict | None = None) -> HoldForm:
        hold = holds.active_of(self.request.connection).filter(uuid=self.recording.uuid).first()
        given = {"reason": hold.reason, "until": hold.until} if hold else {}
        return HoldForm(data, initial=given)

    def labels(self) -> Labels:
        return Labels(
            _("Put “%(label_of)s” on hold") % {"label_of": self.recording.label},
            submit=_("Put on hold"),
            consequences=hold_consequences(1),
        )

    def perform(self, form: HoldForm) -> str:
        _place(self.request, [self.recording], form)
        return _("The recording is on hold.")


class ReleaseRecordingView(_OfRecordingView[ReleaseForm]):
    needs = Recordings.delete
    form_class = ReleaseForm
    is_destructive = True
    hold: Hold

    def prepare(self) -> None:
        super().prepare()
        own = holds.of_account(self.request.connection).filter(uuid=self.recording.uuid)
        hold = own.select_related("held_by").first()
        if hold is None:
            raise Http404
        self.hold = hold

    def labels(self) -> Labels:
        return Labels(
            _("Release “%(label_of)s” from hold?") % {"label_of": self.recording.label},
            submit=_("Release"),
            lead=f"{holds.in_words(self.hold, self.request.connection)}.",
            consequences=[("trash-2", _("It can be deleted again, also by retention rules."))],
        )

    def perform(self, form: ReleaseForm) -> str:
        _release(self.request, [self.hold], form)
        return _("The hold is released.")
