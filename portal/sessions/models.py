"""The mirrored list of sessions, templates, a rule of earlier releases, and
sessions to be read again."""

from django.conf import settings
from django.db import models

from portal.access.models import Connection
from portal.config import clock
from portal.mirror.models.row import MirroredRow
from portal.work.models import Leased


class MirroredSession(MirroredRow):
    """One session, by its number.

    `kind` is the family of its kind (`portal.sessions.kinds`). `times` are `[occurrence id, ISO
    time in GMT, minutes]` of each time it takes place. What only a single read reports is `None`,
    or empty, if there was none: `has_password`, `join_before_host`, `approval_type`,
    `auto_recording`, `alternative_hosts`, `tracking` (values by field).
    """

    KEY = ("kind", "session_id")

    kind = models.CharField(max_length=10)
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
    auto_recording = models.CharField(max_length=10, blank=True, default="", db_default="")
    alternative_hosts = models.TextField()
    tracking = models.JSONField(default=dict)
    sort_topic = models.TextField()
    search = models.TextField()

    class Meta:
        db_table = "mirror_mirroredsession"
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
        db_table = "mirror_occurrence"
        indexes = [models.Index(fields=["connection", "start_time"], name="occurrences_by_start")]

    def __str__(self) -> str:
        return f"{self.session} at {self.start_time:%Y-%m-%d %H:%M}"


class RecordedSession(models.Model):
    """That a session was recorded in the last month, as the service has reported."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10)
    session_id = models.TextField()

    class Meta:
        db_table = "mirror_recordedsession"
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "session_id"], name="recorded_once"
            )
        ]

    def __str__(self) -> str:
        return self.session_id


class SessionTemplate(models.Model):
    """Initial values of new sessions. They never contain a password or a date.

    `kind` is the family of the kind; `values` has `plan` (what a form is suggested), `recurrence`,
    `host`, and `has_password` (whether new ones get a generated password).
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    name = models.CharField(max_length=100)
    values = models.JSONField(default=dict)
    changed_at = clock.StampField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "connection", "kind", "name"], name="sessions_template_name"
            )
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class RegistrationRule(models.Model):
    """The tracking value that required registration, up to release 0.1. The table goes with the
    release after this one: the program of 0.1 uses it until it is replaced."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    field = models.CharField(max_length=200)
    value = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.field}: {self.value}"


class SessionToRead(Leased):
    """A session about which the service has sent events since it was read, the last one at
    `notified_at`."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    session_id = models.TextField()
    notified_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "session_id"], name="session_to_read_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.session_id}"
