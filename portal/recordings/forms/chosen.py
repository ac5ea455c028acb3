"""Forms for bulk actions on recordings; each names the job that it begins."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms

from portal.contract.recordings import RecordingSharing
from portal.jobs.titles import JobTitle
from portal.jobs.views.drafting import Draft
from portal.recordings.jobs.sharing_change import PASSWORD
from portal.recordings.jobs.trash import RECOVER, TRASH
from portal.translation import gettext as _
from portal.translation import gettext_lazy, options
from portal.ui.forms.confirmation import TypedForm

Consequence = tuple[str, str]  # an icon and words
_HELD = ("lock", gettext_lazy("Recordings on hold stay where they are."))


class ChosenRecordingsForm(forms.Form):
    """The base of forms on selected recordings: `title` is the action on `what`, such as "14
    recordings"."""

    title: ClassVar[str]
    consequences: ClassVar[tuple[Consequence, ...]] = ()

    def plan(self, what: Callable[[], str]) -> Draft:
        """The job for `what`, such as "14 recordings"."""
        raise NotImplementedError

    def _titled(self, what: Callable[[], str]) -> JobTitle:
        return JobTitle(lambda what: self.title % {"what": what}, what)


class TrashForm(ChosenRecordingsForm):
    title = gettext_lazy("Move %(what)s to trash")
    consequences = (
        ("eye-off", gettext_lazy("No one can watch a recording until it is recovered.")),
        ("undo-2", gettext_lazy("A recording can be recovered while the service keeps its trash.")),
        _HELD,
    )

    def plan(self, what: Callable[[], str]) -> Draft:
        return Draft("recordings.trash", self._titled(what), {"action": TRASH})


class RecoverForm(ChosenRecordingsForm):
    title = gettext_lazy("Recover %(what)s from the trash")

    def plan(self, what: Callable[[], str]) -> Draft:
        return Draft(
            "recordings.trash",
            JobTitle(lambda what: _("Recover %(what)s") % {"what": what}, what),
            {"action": RECOVER},
        )


class DeleteForm(ChosenRecordingsForm, TypedForm):
    title = gettext_lazy("Delete %(what)s permanently")
    consequences = (
        (
            "trash-2",
            gettext_lazy("All files of a recording are deleted, including those in the trash."),
        ),
        ("undo-2", gettext_lazy("This cannot be undone.")),
        _HELD,
    )

    def plan(self, what: Callable[[], str]) -> Draft:
        return Draft("recordings.delete", self._titled(what), {})


class SharingForm(ChosenRecordingsForm):
    title = gettext_lazy("Change the sharing of %(what)s")

    share_recording = forms.ChoiceField(
        label=gettext_lazy("Sharing"),
        required=False,
        choices=[
            ("", gettext_lazy("Leave as it is")),
            *options(RecordingSharing),
        ],
    )
    viewer_download = forms.ChoiceField(
        label=gettext_lazy("Downloads"),
        required=False,
        choices=[
            ("", gettext_lazy("Leave as it is")),
            ("no", gettext_lazy("Turn off")),
            ("yes", gettext_lazy("Allow")),
        ],
    )
    add_password = forms.BooleanField(
        label=gettext_lazy("Add a password if there is none"),
        required=False,
        help_text=gettext_lazy(
            "Each recording gets its own password, which can be shown on its page."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            self.add_error(None, _("Choose what to change."))
        return cleaned

    def plan(self, what: Callable[[], str]) -> Draft:
        chosen, changes = self.cleaned_data, {}
        if chosen["share_recording"]:
            changes["share_recording"] = chosen["share_recording"]
        if chosen["viewer_download"]:
            changes["viewer_download"] = chosen["viewer_download"] == "yes"
        if chosen["add_password"]:
            changes[PASSWORD] = True
        return Draft(
            "recordings.sharing",
            self._titled(what),
            {"changes": changes},
        )
