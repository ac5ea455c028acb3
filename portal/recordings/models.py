"""The account's recordings as they are mirrored, and what is known of their sharing."""

from typing import Any

from django.conf import settings
from django.db import models

from portal.access.models import Connection
from portal.mirror.models import MirroredRow
from portal.mirror.models.indexes import UnsetFirst


class RecordingStatus(models.TextChoices):
    """Where the files of a recording are."""

    AVAILABLE = "available", "Available"
    PARTLY = "partly", "Partly in trash"
    TRASHED = "trashed", "In trash"


class MirroredRecording(MirroredRow):
    """What was recorded of one instance of a session.

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
            UnsetFirst(fields=["connection", "start_time", "id"], name="recordings_by_start"),
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
    def kept_files(self) -> list[dict[str, Any]]:
        """The files that are not in the trash."""
        return [one for one in self.files if not one["deleted"]]

    @property
    def trashed_files(self) -> list[dict[str, Any]]:
        return [one for one in self.files if one["deleted"]]


class KnownSharing(models.Model):
    """Who may watch a recording, as it was read at `read_at`; no list of the service reports it.

    The password itself is never kept.
    """

    recording = models.OneToOneField(
        MirroredRecording, on_delete=models.CASCADE, related_name="known_sharing"
    )
    sharing = models.CharField(max_length=20, blank=True)
    viewer_download = models.BooleanField(null=True)
    has_password = models.BooleanField(default=False)
    on_demand = models.BooleanField(null=True)
    read_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.sharing} {self.recording_id}"


class Hold(models.Model):
    """That a recording is not to be deleted, through whatever connection, until that day is over.

    It outlives the `connection` by which it was placed; `service` is where that led. What it says
    of the recording is as it was then.
    """

    uuid = models.TextField(unique=True)
    service = models.TextField()
    session_id = models.TextField()
    host_id = models.TextField()
    topic = models.TextField()
    connection = models.ForeignKey(
        Connection, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField()
    until = models.DateField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["service", "host_id"], name="holds_by_host"),
            models.Index(fields=["service", "session_id"], name="holds_by_session"),
        ]

    def __str__(self) -> str:
        return f"{self.topic or self.uuid}: {self.reason}"
