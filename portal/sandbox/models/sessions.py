"""Meetings and webinars, and their recordings."""

from datetime import datetime
from typing import Any

import orjson
from django.db import models

from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_id, new_uuid, timestamp
from portal.sandbox.models.people import User

JOIN_URL = "https://conf.example/j/{}"


class SessionKind(models.TextChoices):
    MEETING = "meeting"
    WEBINAR = "webinar"


class Session(models.Model):
    """A meeting or a webinar; `live_since` is set while it runs.

    Durations are minutes. `settings` contains the differences from the interface's defaults;
    `recurrence` is stored as it was sent. `uuid` is that of the running or the next instance.
    `waiting` contains name, email and user ID of those in the waiting room.
    """

    number = models.BigIntegerField(primary_key=True)
    fragment = models.TextField()
    uuid = models.CharField(max_length=32, unique=True, default=new_uuid)
    kind = models.CharField(max_length=7, choices=SessionKind.choices)
    host = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sessions")
    type = models.PositiveSmallIntegerField()
    topic = models.TextField(default="")
    start_time = models.DateTimeField(null=True)
    duration = models.PositiveIntegerField(null=True)
    timezone = models.TextField(default="")
    created_at = models.DateTimeField(default=now)
    live_since = models.DateTimeField(null=True)
    agenda = models.TextField(default="")
    password = models.CharField(max_length=10, default="")
    settings = models.JSONField(default=dict)
    tracking_fields = models.JSONField(default=list)
    recurrence = models.JSONField(null=True)
    stream = models.JSONField(null=True)
    waiting = models.JSONField(default=list)
    wall_time: datetime | None = None  # the start as it was sent just now, where it was local

    class Meta:
        indexes = [
            models.Index(fields=["host", "kind", "start_time"], name="sandbox_session_listed"),
            models.Index(fields=["start_time"], name="sandbox_session_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.prepare()
        super().save(*args, **kwargs)

    def prepare(self) -> None:
        """Derives the stored columns from the fields; callers of `bulk_create` call it themselves.

        Lists of webinars contain no start time (spec 2.8).
        """
        data = {
            "uuid": self.uuid,
            "id": str(self.number),
            "host_id": self.host_id,
            "topic": self.topic,
            "type": self.type,
            "start_time": timestamp(self.start_time) if self.kind == SessionKind.MEETING else None,
            "duration": self.duration,
            "timezone": self.timezone,
            "created_at": timestamp(self.created_at),
            "join_url": JOIN_URL.format(self.number),
        }
        kept = {name: value for name, value in data.items() if value is not None}
        self.fragment = orjson.dumps(kept).decode()


class RecordedMeeting(models.Model):
    """One session that was recorded to the cloud."""

    uuid = models.CharField(primary_key=True, max_length=32, default=new_uuid)
    number = models.BigIntegerField()
    host = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recordings")
    topic = models.TextField(default="")
    start_time = models.DateTimeField()
    duration = models.PositiveIntegerField()
    settings = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["host", "start_time"], name="sandbox_recording_listed"),
            models.Index(fields=["number", "start_time"], name="sandbox_recording_numbered"),
        ]

    def __str__(self) -> str:
        return f"Recording of {self.number}"


class RecordingFile(models.Model):
    """A file of a recording; it is in the trash while `deleted_time` is set."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    meeting = models.ForeignKey(RecordedMeeting, on_delete=models.CASCADE, related_name="files")
    file_type = models.CharField(max_length=10)
    file_size = models.BigIntegerField()
    recording_type = models.TextField(default="")
    recording_start = models.DateTimeField()
    recording_end = models.DateTimeField()
    deleted_time = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.file_type} of {self.meeting_id}"
