"""What is done to chosen recordings: a small form for each, which says what job comes of it."""

from typing import Any, ClassVar

from django import forms

from portal.contract.recordings import RecordingSharing
from portal.jobs.views.drafting import Draft
from portal.recordings.jobs.sharing_change import PASSWORD
from portal.recordings.jobs.trash import RECOVER, TRASH
from portal.ui.forms.confirmation import TypedForm

Consequence = tuple[str, str]  # an icon and words
_HELD = ("lock", "Recordings on hold stay where they are.")


class ChosenRecordingsForm(forms.Form):
    """The base of forms on selected recordings: `asks` is the action, before "14 recordings", and
    `after` what comes after it."""

    asks: ClassVar[str] = ""
    after: ClassVar[str] = ""
    danger: ClassVar[bool] = False
    consequences: ClassVar[tuple[Consequence, ...]] = ()

    def plan(self, what: str) -> Draft:
        """The job for `what`, such as "14 recordings"."""
        raise NotImplementedError


class TrashForm(ChosenRecordingsForm):
    asks, after, danger = "Move", "to the trash", True
    consequences = (
        ("eye-off", "No one can watch them until they are recovered."),
        ("undo-2", "They can be recovered while the service keeps its trash."),
        _HELD,
    )

    def plan(self, what: str) -> Draft:
        return Draft("recordings.trash", f"Move {what} to the trash", {"action": TRASH})


class RecoverForm(ChosenRecordingsForm):
    asks, after = "Recover", "from the trash"

    def plan(self, what: str) -> Draft:
        return Draft("recordings.trash", f"Recover {what}", {"action": RECOVER})


class DeleteForm(ChosenRecordingsForm, TypedForm):
    asks, after, danger = "Delete", "permanently", True
    consequences = (
        ("trash-2", "All of their files are deleted, including those in the trash."),
        ("undo-2", "This cannot be undone."),
        _HELD,
    )

    def plan(self, what: str) -> Draft:
        return Draft("recordings.delete", f"Delete {what} permanently", {})


class SharingForm(ChosenRecordingsForm):
    asks = "Change the sharing of"

    share_recording = forms.ChoiceField(
        label="Sharing",
        required=False,
        choices=[("", "Leave as it is"), *((one.value, one.label) for one in RecordingSharing)],
    )
    viewer_download = forms.ChoiceField(
        label="Downloads",
        required=False,
        choices=[("", "Leave as it is"), ("no", "Turn off"), ("yes", "Allow")],
    )
    add_password = forms.BooleanField(
        label="Add a password if there is none",
        required=False,
        help_text="Each recording gets its own password, which can be shown on its page.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            self.add_error(None, "Choose what to change.")
        return cleaned

    def plan(self, what: str) -> Draft:
        chosen, changes = self.cleaned_data, {}
        if chosen["share_recording"]:
            changes["share_recording"] = chosen["share_recording"]
        if chosen["viewer_download"]:
            changes["viewer_download"] = chosen["viewer_download"] == "yes"
        if chosen["add_password"]:
            changes[PASSWORD] = True
        return Draft("recordings.sharing", f"Change the sharing of {what}", {"changes": changes})
