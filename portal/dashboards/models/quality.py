"""Measurements of participants, minute by minute, and the thresholds for good ones."""

from django.db import models

from portal.access.models import Connection


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
