"""Forms of recordings: actions on selected ones, holds, and rules of retention."""

from datetime import date
from typing import ClassVar

from django import forms
from django.http import QueryDict
from django.utils import timezone

from portal.access.form_fields import offer_choices
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.model import JsonDict
from portal.contract.recordings import Recordings, RecordingSharing
from portal.directory import groups
from portal.directory.models import GroupKind
from portal.directory.scope_rules import visible_people
from portal.recordings import mirror
from portal.recordings.jobs.selection import PASSWORD, RECOVER, TRASH
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.forms.fields import TypedForm
from portal.ui.selection import Action

_REASON = forms.Textarea({"rows": 3})
Consequence = tuple[str, str]  # an icon and words
_ON_HOLD = ("lock", gettext_lazy("Recordings on hold stay where they are."))
_SCOPE_FIELDS = ("dept", "group_id", "host")


class HoldForm(forms.Form):
    action = Action(
        gettext_lazy("Put on hold"), "lock", "recordings:chosen-hold", Recordings.update_settings
    )

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=_REASON,
        help_text=gettext_lazy("Visible to everyone who can view recordings here."),
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The last day of the hold. Empty: until it is released."),
    )

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until and until < timezone.localdate(clock.now()):
            raise forms.ValidationError(_("This day is over."))
        return until


class ReleaseForm(forms.Form):
    action = Action(
        gettext_lazy("Release from hold"),
        "lock-open",
        "recordings:chosen-release",
        Recordings.delete,
    )

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, widget=_REASON)


class RecordingSelectionForm(forms.Form):
    """The base of forms of jobs on selected recordings. `action` offers it in the list; `title` is
    the action on `what`, such as "14 recordings", and `job_title` the title of its job if that is
    another."""

    action: ClassVar[Action]
    title: ClassVar[str]
    job_title: ClassVar[str] = ""
    job_type: ClassVar[str]
    job_parameters: ClassVar[JsonDict] = {}
    consequences: ClassVar[tuple[Consequence, ...]] = ()

    def parameters(self) -> JsonDict:
        """Returns the parameters of the job, beside the recordings."""
        return self.job_parameters


class TrashForm(RecordingSelectionForm):
    action = Action(
        gettext_lazy("Move to trash"),
        "trash-2",
        "recordings:chosen-trash",
        Recordings.delete,
        counted=True,
    )
    title = gettext_lazy("Move %(what)s to trash")
    job_type = "recordings.trash"
    job_parameters: ClassVar[JsonDict] = {"action": TRASH}
    consequences = (
        ("eye-off", gettext_lazy("No one can watch a recording until it is recovered.")),
        ("undo-2", gettext_lazy("A recording can be recovered while the service keeps its trash.")),
        _ON_HOLD,
    )


class RecoverForm(RecordingSelectionForm):
    action = Action(
        gettext_lazy("Recover"), "undo-2", "recordings:chosen-recover", Recordings.recover
    )
    title = gettext_lazy("Recover %(what)s from the trash")
    job_title = gettext_lazy("Recover %(what)s")
    job_type = "recordings.trash"
    job_parameters: ClassVar[JsonDict] = {"action": RECOVER}


class DeleteForm(RecordingSelectionForm, TypedForm):
    action = Action(
        gettext_lazy("Delete permanently"),
        "trash-2",
        "recordings:chosen-delete",
        Recordings.delete,
        counted=True,
        danger=True,
    )
    title = gettext_lazy("Delete %(what)s permanently")
    job_type = "recordings.delete"
    consequences = (
        (
            "trash-2",
            gettext_lazy("All files of a recording are deleted, including those in the trash."),
        ),
        ("undo-2", gettext_lazy("This cannot be undone.")),
        _ON_HOLD,
    )


class SharingForm(RecordingSelectionForm):
    action = Action(
        gettext_lazy("Change sharing"),
        "share-2",
        "recordings:chosen-sharing",
        Recordings.update_settings,
    )
    title = gettext_lazy("Change the sharing of %(what)s")
    job_type = "recordings.sharing"

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

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            self.add_error(None, _("Choose what to change."))
        return cleaned

    def parameters(self) -> JsonDict:
        chosen, changes = self.cleaned_data, {}
        if chosen["share_recording"]:
            changes["share_recording"] = chosen["share_recording"]
        if chosen["viewer_download"]:
            changes["viewer_download"] = chosen["viewer_download"] == "yes"
        if chosen["add_password"]:
            changes[PASSWORD] = True
        return {"changes": changes}


class RetentionRuleForm(forms.Form):
    """A retention rule; `whose` is its scope, in words."""

    older_than = forms.IntegerField(
        label=gettext_lazy("Older than (days)"),
        min_value=1,
        max_value=36_500,
        help_text=gettext_lazy("Days since the recording began."),
    )
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    group_id = forms.ChoiceField(label=gettext_lazy("Group"), required=False)
    host = forms.EmailField(
        label=gettext_lazy("Host"),
        required=False,
        help_text=gettext_lazy("The email of one person. Empty: of everyone."),
    )

    notice_days = forms.IntegerField(
        label=gettext_lazy("Tell hosts before (days)"),
        required=False,
        min_value=1,
        max_value=365,
        help_text=gettext_lazy(
            "By mail, with a link to keep recordings. What a host was not told of stays. Empty: "
            "hosts are not told."
        ),
    )
    keep_days = forms.IntegerField(
        label=gettext_lazy("Hosts may keep one for (days)"),
        initial=180,
        required=False,
        min_value=1,
        max_value=3650,
    )
    keep_times = forms.IntegerField(
        label=gettext_lazy("How often"), initial=1, required=False, min_value=1, max_value=100
    )

    def __init__(self, scope: Scope, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self._scope = scope
        self._groups = dict(groups.choices(scope)[GroupKind.GROUP])
        depts = [(name, name) for name in mirror.departments(scope)]
        offer_choices(self, "dept", depts, unset=_("Any department"))
        offer_choices(self, "group_id", self._groups.items(), unset=_("Any group"))

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        given = [name for name in _SCOPE_FIELDS if cleaned.get(name)]
        if len(given) > 1:
            self.add_error(given[-1], _("Choose a department, a group or a host, not several."))
        cleaned["host_id"] = ""
        if cleaned.get("host"):
            own = visible_people(self._scope)
            host = own.filter(email__iexact=cleaned["host"]).first()
            if host is None:
                self.add_error("host", _("No one on the account has this email."))
            else:
                cleaned["host_id"] = host.user_id
        if cleaned.get("notice_days"):
            for name in ("keep_days", "keep_times"):
                if cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Needed if hosts are told."))
        return cleaned

    @property
    def notice(self) -> dict[str, int]:
        """Returns the values of the rule's notice; without days, hosts are not told."""
        names = ("notice_days", "keep_days", "keep_times")
        chosen = self.cleaned_data
        return {name: chosen[name] for name in names} if chosen["notice_days"] else {}

    @property
    def whose(self) -> str:
        chosen = self.cleaned_data
        if chosen.get("dept"):
            return _("of %(whom)s") % {"whom": chosen["dept"]}
        if chosen.get("group_id"):
            return _("of the group %(group)s") % {"group": self._groups[chosen["group_id"]]}
        return _("of %(whom)s") % {"whom": chosen["host"]} if chosen.get("host") else ""
