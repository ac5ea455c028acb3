"""The live sessions of a connection, and their number in each minute of a day."""

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
