"""Live sessions of a connection, measurements of participants by minute, and their thresholds."""

from django.db import models

from portal.access.models import Connection
from portal.work.models import Leased


class LiveSnapshot(Leased):
    """The live meetings and webinars of a connection, as the service last listed them.

    `content` is JSON, by the names of `portal.dashboards.services.live.picture.LISTS`. `version`
    sums it up, but for the times at which it was read. `asked_at` is when the service was last
    asked, whatever came of it; `watched_at` when somebody last looked. The lease is that of the
    process that is asking, where there is no Redis to hold it.
    """

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    version = models.CharField(max_length=32, default="")
    content = models.TextField(default="")
    asked_at = models.DateTimeField(null=True)
    watched_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"live sessions of {self.connection}"  # untranslated: for developers


class LiveSample(models.Model):
    """The number of sessions and participants in one minute; unreported figures are unset."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    minute = models.DateTimeField()
    meetings = models.PositiveIntegerField(null=True)
    webinars = models.PositiveIntegerField(null=True)
    participants = models.PositiveIntegerField(null=True)
    recordings = models.PositiveIntegerField(null=True)
    shares = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "minute"], name="one_sample_per_minute")
        ]
        indexes = [models.Index(fields=["minute"])]

    def __str__(self) -> str:
        return f"{self.connection} at {self.minute:%H:%M}"


class KeptSample(models.Model):
    """One measurement of one participant's connection.

    The service reports only the last one of each, so what was read is kept for a while. `session`
    is the session's UUID, or its number where it has none; `stay` tells a stay of a participant
    from all others, `participant` is what the service knows it by. `content` has the parts of the
    sample as the service wrote them; `level` is what that came to when it was read.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    session = models.CharField(max_length=250)
    stay = models.CharField(max_length=32)
    measured_at = models.DateTimeField()
    participant = models.CharField(max_length=250)
    name = models.CharField(max_length=250)
    network = models.CharField(max_length=250)
    location = models.CharField(max_length=250)
    version = models.CharField(max_length=250)
    device = models.CharField(max_length=250)
    level = models.CharField(max_length=4)
    content = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "session", "stay", "measured_at"],
                name="one_sample_per_moment",
            )
        ]
        indexes = [
            models.Index(
                fields=["connection", "session", "measured_at"], name="samples_of_session"
            ),
            models.Index(fields=["measured_at"], name="samples_by_moment"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.measured_at:%H:%M}"


class QualityThresholds(models.Model):
    """The thresholds that an administrator set: by the name of a measure, `[fair, poor]`, or `null`
    for one that is not judged. A measure that is not named has its default."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    values = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"quality thresholds of {self.connection}"  # untranslated: for developers
