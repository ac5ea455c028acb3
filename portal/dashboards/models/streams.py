"""Quality of the streams of past sessions, as a job read it for the days asked for."""

from django.db import models

from portal.access.models import Connection
from portal.translation import gettext_lazy


class MeasuredDay(models.Model):
    """A day of GMT whose sessions were read; `read_at` is when last, and unset until all were.

    What was read goes with its day.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    asked_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "day"], name="one_measured_day")
        ]
        indexes = [models.Index(fields=["asked_at"], name="measured_days_by_age")]

    def __str__(self) -> str:
        return f"{self.connection} on {self.day}"


class MeasuredSession(models.Model):
    """A session that began on that day; `key` is its UUID, or its number where it has none."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    day = models.ForeignKey(MeasuredDay, on_delete=models.CASCADE, related_name="sessions")
    family = models.CharField(max_length=10)
    key = models.CharField(max_length=250)
    topic = models.CharField(max_length=250)
    start = models.DateTimeField()
    end = models.DateTimeField(null=True)
    read_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "family", "key"], name="one_measured_session"
            )
        ]
        indexes = [models.Index(fields=["connection", "start"], name="measured_sessions_by_start")]

    def __str__(self) -> str:
        return self.topic or self.key


class MeasuredStay(models.Model):
    """A participant's stay in a session.

    `participant` is what the service knows it by, `person` the same for all stays of one person,
    `user_id` what it reports of somebody of the account: who that is, and in which department, is
    looked up when it is shown. `cpu` is the use of the computer's processor, in per cent.
    """

    session = models.ForeignKey(MeasuredSession, on_delete=models.CASCADE, related_name="stays")
    key = models.CharField(max_length=32)
    participant = models.CharField(max_length=250)
    person = models.CharField(max_length=32, db_index=True)
    user_id = models.CharField(max_length=250)
    name = models.CharField(max_length=250)
    joined = models.DateTimeField(null=True)
    network = models.CharField(max_length=250)
    location = models.CharField(max_length=250)
    version = models.CharField(max_length=250)
    device = models.CharField(max_length=250)
    cpu = models.FloatField(null=True)

    def __str__(self) -> str:
        return self.name


class Medium(models.TextChoices):
    AUDIO = "audio", gettext_lazy("Audio")
    VIDEO = "video", gettext_lazy("Video")
    SHARING = "sharing", gettext_lazy("Screen sharing")


class MeasuredStream(models.Model):
    """One medium that a participant sent or received. Figures are in the units of
    `portal.dashboards.services.session.measures`; what could not be read is unset."""

    stay = models.ForeignKey(MeasuredStay, on_delete=models.CASCADE, related_name="streams")
    medium = models.CharField(max_length=8, choices=Medium.choices)
    is_sent = models.BooleanField()
    latency = models.FloatField(null=True)
    jitter = models.FloatField(null=True)
    loss = models.FloatField(null=True)
    bitrate = models.FloatField(null=True)
    frame_rate = models.FloatField(null=True)
    resolution = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.medium} {'sent' if self.is_sent else 'received'}"
