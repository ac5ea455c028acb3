"""The account's recordings as they are mirrored, and what is known of their sharing."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.config import clock
from portal.contract.model import JsonDict
from portal.contract.recordings import RecordingSharing, format_in_words
from portal.jobs.rules import OwnedRule
from portal.mirror.models import MirroredRow
from portal.mirror.models.row import UnsetFirst
from portal.mirror.values import shown
from portal.translation import gettext as _, gettext_lazy, ngettext, number, pgettext
from portal.ui.states import State, pill
from portal.work.models import DueRow

_SHORT = {
    RecordingSharing.PUBLICLY.value: gettext_lazy("Public"),
    RecordingSharing.INTERNALLY.value: gettext_lazy("Account"),
    RecordingSharing.NONE.value: gettext_lazy("No one"),
}
NOT_LOADED = gettext_lazy("Not loaded")


class RecordingStatus(models.TextChoices):
    """Place of a recording's files."""

    AVAILABLE = "available", gettext_lazy("Available")
    PARTLY = "partly", gettext_lazy("Partly in trash")
    TRASHED = "trashed", gettext_lazy("In trash")


class MirroredRecording(MirroredRow):
    """Recording of one instance of a session.

    `files` are dictionaries of what the service reports of each file: `id`, `type`, `kind` (what it
    shows), `size`, `start`, `end`, and `deleted`, when it came into the trash. Links to files are
    never among it. `kinds` are the types of the files, each between spaces; `size` is of all files,
    `trashed_size` of those in the trash, `trashed_at` the time of the last of them.
    """

    KEY = ("uuid",)

    uuid = models.TextField()
    session_id = models.TextField()
    host_id = models.TextField()
    host_name = models.TextField()
    host_email = models.TextField()
    dept = models.TextField()
    topic = models.TextField()
    start_time = models.DateTimeField(null=True)
    duration = models.PositiveIntegerField(null=True)
    status = models.CharField(max_length=10, choices=RecordingStatus.choices)
    size = models.BigIntegerField(default=0)
    trashed_size = models.BigIntegerField(default=0)
    trashed_at = models.DateTimeField(null=True)
    file_count = models.PositiveIntegerField(default=0)
    kinds = models.TextField()
    files = models.JSONField(default=list)
    sort_topic = models.TextField()
    search = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "uuid"], name="one_row_per_recording")
        ]
        indexes = [
            # What is searched and filtered stands in it, so that no row is read for that.
            UnsetFirst(
                fields=["connection", "start_time", "id", "search", "size", "status"],
                name="recordings_by_start",
            ),
            models.Index(
                fields=["connection", "dept", "start_time", "id"], name="recordings_by_dept"
            ),
            models.Index(fields=["connection", "size", "id"], name="recordings_by_size"),
            models.Index(fields=["connection", "sort_topic", "id"], name="recordings_by_topic"),
            models.Index(fields=["connection", "host_id"], name="recordings_by_host"),
            models.Index(
                fields=["connection", "status", "start_time", "id"], name="recordings_by_status"
            ),
            models.Index(fields=["connection", "touched_at"], name="recordings_by_touch"),
        ]

    def __str__(self) -> str:
        return self.topic or self.session_id or self.uuid

    @property
    def label(self) -> str:
        return self.topic or _("Recording of %(number)s") % {"number": self.session_id or self.uuid}

    @property
    def available_files(self) -> list[JsonDict]:
        return [one for one in self.files if not one["deleted"]]

    @property
    def trashed_files(self) -> list[JsonDict]:
        return [one for one in self.files if one["deleted"]]


class StoredSharing(models.Model):
    """Audience of a recording, as it was read at `read_at`; no list of the service reports it.
    `requires_sign_in` is unset where the service does not report it.

    The password itself is never stored.
    """

    recording = models.OneToOneField(
        MirroredRecording, on_delete=models.CASCADE, related_name="stored_sharing"
    )
    sharing = models.CharField(max_length=20, blank=True)
    viewer_download = models.BooleanField(null=True)
    has_password = models.BooleanField(default=False)
    on_demand = models.BooleanField(null=True)
    requires_sign_in = models.BooleanField(null=True)
    read_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "recordings_knownsharing"
        indexes = [
            models.Index(
                fields=["sharing", "has_password", "viewer_download", "recording"],
                name="recordings_by_sharing",
            )
        ]

    def __str__(self) -> str:
        return f"{self.sharing} {self.recording_id}"


class Hold(models.Model):
    """That a recording is not to be deleted, through whatever connection, until that day is over.

    It outlives the `connection` by which it was placed; `service` is where that led. It belongs to
    the account `account_id` of the service, which is empty where that is not reported: what another
    service calls by the same `uuid` is another recording. What it says of the recording is as it
    was then; `host_email` is also whom it was given to since. A hold `by_host` was placed by the
    host, who answered a notice of a rule of `held_by`.
    """

    uuid = models.TextField()
    service = models.TextField()
    account_id = models.TextField(default="", db_default="")
    session_id = models.TextField()
    host_id = models.TextField()
    host_email = models.TextField(default="", db_default="")
    topic = models.TextField()
    connection = models.ForeignKey(
        Connection, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    by_host = models.BooleanField(default=False, db_default=False)
    reason = models.TextField()
    until = models.DateField(null=True)
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["host_id"], name="holds_by_host_id"),
            models.Index(fields=["session_id"], name="holds_by_session_id"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["uuid", "service", "account_id"], name="one_hold_in_an_account"
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic or self.uuid}: {self.reason}"

    @property
    def holder(self) -> str:
        """Returns the name of the user who placed it, or words for the host."""
        return _("its host") if self.by_host else str(self.held_by)


class RetentionRule(OwnedRule):
    """Recordings that began more than `older_than` days ago go to the trash, once a day.

    At most one of `dept`, `group_id` and `host_id` narrows it; otherwise it applies to all hosts.
    `set_by` added it. The last run, at `ran_at`, had this `outcome`, in English. With `notice_days`
    it moves only what its host was told of so many days before, and has not kept: a host may keep a
    recording for `keep_days`, `keep_times` at most.
    """

    older_than = models.PositiveIntegerField()
    dept = models.TextField(blank=True)
    group_id = models.TextField(blank=True)
    host_id = models.TextField(blank=True)
    whose = models.TextField(blank=True)
    is_active = models.BooleanField(default=False)
    ran_at = models.DateTimeField(null=True)
    notice_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    keep_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    keep_times = models.PositiveSmallIntegerField(default=0, db_default=0)
    noticed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "older_than", "dept", "group_id", "host_id"],
                name="one_retention_rule_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return _("Recordings %(whose)s, older than %(days)s days") % {
            "whose": self.whose or _("of everyone"),
            "days": number(self.older_than),
        }

    @property
    def result(self) -> str:
        return shown(self.outcome)


class RetentionNotice(DueRow):
    """That a rule will move recordings of a host to the trash, which the host is told by mail.

    It waits until a mail server has taken the mail, at `sent_at`, or `failed_at` says that none
    does. From `goes_at` on the rule may move its recordings; until then the host can keep them, by
    a link that names `key`, once: `answered_at`. It was sent to `host_email`.
    """

    rule = models.ForeignKey(RetentionRule, on_delete=models.CASCADE, related_name="notices")
    key = models.UUIDField(default=uuid4, unique=True)
    host_id = models.TextField()
    host_email = models.TextField()
    created_at = clock.StampField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    goes_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=models.Q(sent_at=None, failed_at=None),
                name="retention_notices_to_send",
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule_id} {self.key}"


class NoticedRecording(models.Model):
    """A recording in a notice, as it was then; `kept_until` is set if its host has kept it."""

    notice = models.ForeignKey(RetentionNotice, on_delete=models.CASCADE, related_name="recordings")
    uuid = models.TextField(db_index=True)
    topic = models.TextField()
    start_time = models.DateTimeField(null=True)
    size = models.BigIntegerField(default=0)
    kept_until = models.DateField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.topic or self.uuid


class StorageReading(models.Model):
    """Storage at the end of a `day`, in GB, as the service last reported it.

    `allowed` is what the plan includes, unset where the service does not say; `full_on` is when it
    is used up at the rate of then.
    """

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    used = models.FloatField()
    allowed = models.FloatField(null=True)
    full_on = models.DateField(null=True)
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.used:,.1f} GB on {self.day}"


_STATES: dict[str, State] = {
    RecordingStatus.AVAILABLE: "good",
    RecordingStatus.PARTLY: "warning",
    RecordingStatus.TRASHED: "neutral",
}


def status_pill(status: str) -> SafeString:
    value = RecordingStatus(status)
    icon = "trash-2" if value is RecordingStatus.TRASHED else ""
    return pill(_STATES[value], value.label, icon)


def sharing_label(value: str) -> str:
    try:
        return RecordingSharing(value).label
    except ValueError:
        return value or NOT_LOADED


def sharing_in_words(stored: StoredSharing | None) -> str:
    """Returns a sentence about audience, password and downloads."""
    if stored is None:
        return NOT_LOADED
    phrases = [str(_SHORT.get(stored.sharing) or sharing_label(stored.sharing))]
    if stored.sharing != RecordingSharing.NONE:
        if stored.requires_sign_in:
            phrases.append(_("sign-in required"))
        phrases.append(_("password") if stored.has_password else _("no password"))
        if stored.viewer_download:
            phrases.append(_("downloads"))
    return ", ".join(phrases)


def sharing_cell(stored: StoredSharing | None) -> SafeString:
    """Returns the same in few words; only recordings that are open to anyone stand out."""
    words = sharing_in_words(stored)
    is_public = stored is not None and stored.sharing == RecordingSharing.PUBLICLY
    if stored is None or not is_public or stored.requires_sign_in:
        return format_html('<span class="text-secondary" title="{0}">{0}</span>', words)
    drawn = (
        pill("warning", _("Open, password"))
        if stored.has_password
        else pill("bad", pgettext("recording", "Open"))
    )
    return format_html('<span title="{}">{}</span>', words, drawn)


def days_left(trashed_at: datetime | None) -> int | None:
    """Returns the whole days that are left in the trash, at least 0."""
    if trashed_at is None:
        return None
    ends = trashed_at + timedelta(days=settings.RECORDINGS_TRASH_DAYS)
    return max((ends - clock.now()).days, 0)


def formats_in_words(kinds: str) -> str:
    """Returns the formats of a recording's files; the `kinds` are separated by spaces."""
    return ", ".join(dict.fromkeys(map(format_in_words, kinds.split())))


def counted(count: int) -> str:
    """Returns "1 recording" or "312 recordings"."""
    words = ngettext("%(count)s recording", "%(count)s recordings", count)
    return words % {"count": number(count)}
