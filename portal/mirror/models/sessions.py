"""The mirror of meetings and webinars, and of the times at which they take place."""

from django.db import models

from portal.access.models import Connection
from portal.mirror.models.row import MirroredRow


class SessionKind(models.TextChoices):
    """The families of the interface that sessions are of."""

    MEETING = "meetings", "Meeting"
    WEBINAR = "webinars", "Webinar"


class MirroredSession(MirroredRow):
    """One meeting or webinar, by its number.

    `times` are `[occurrence id, ISO time in GMT, minutes]` of each time it takes place. What only a
    single read tells is `None`, or empty, where there was none: `has_password`,
    `join_before_host`, `approval_type`, `alternative_hosts`, `tracking` (values by field).
    """

    KEY = ("kind", "session_id")

    kind = models.CharField(max_length=10, choices=SessionKind.choices)
    session_id = models.TextField()
    uuid = models.TextField()
    host_id = models.TextField()
    host_name = models.TextField()
    host_email = models.TextField()
    topic = models.TextField()
    type = models.IntegerField(null=True)
    start_time = models.DateTimeField(null=True)
    duration = models.PositiveIntegerField(null=True)
    timezone = models.TextField()
    created_at = models.DateTimeField(null=True)
    join_url = models.TextField()
    times = models.JSONField(default=list)
    is_read_alone = models.BooleanField(default=False)
    has_password = models.BooleanField(null=True)
    join_before_host = models.BooleanField(null=True)
    approval_type = models.IntegerField(null=True)
    alternative_hosts = models.TextField()
    tracking = models.JSONField(default=dict)
    sort_topic = models.TextField()
    search = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "session_id"], name="one_row_per_session"
            )
        ]
        indexes = [
            models.Index(fields=["connection", "sort_topic", "id"], name="sessions_by_topic"),
            models.Index(fields=["connection", "start_time", "id"], name="sessions_by_start"),
            models.Index(fields=["connection", "host_id"], name="sessions_by_host"),
        ]

    def __str__(self) -> str:
        return self.topic or self.session_id


class Occurrence(models.Model):
    """One time at which a session takes place. Times are in GMT; `occurrence_id` is empty for a
    session that takes place once."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(
        MirroredSession, on_delete=models.CASCADE, related_name="occurrences"
    )
    occurrence_id = models.TextField()
    start_time = models.DateTimeField()
    end_time = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["connection", "start_time"], name="occurrences_by_start")]

    def __str__(self) -> str:
        return f"{self.session} at {self.start_time:%Y-%m-%d %H:%M}"


class RecordedSession(models.Model):
    """That a session was recorded in the last month, as the service has told."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=SessionKind.choices)
    session_id = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "session_id"], name="recorded_once"
            )
        ]

    def __str__(self) -> str:
        return self.session_id
