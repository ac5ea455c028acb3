"""The last check of a connection: what it can be used for."""

from datetime import timedelta

from django.db import models

from portal.access.models.connection import Connection
from portal.config import clock

# After so long without an end a check has been interrupted; it ends itself long before.
_LOST_AFTER = timedelta(minutes=3)


class ConnectionCheck(models.Model):
    """Answers of the service when each family of operations was asked once.

    `run` is the check that may write here: one that was asked for later takes its place. `problem`
    is why nothing could be asked, `findings` are `portal.access.services.checking.Finding`s.
    """

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="last_check"
    )
    run = models.CharField(max_length=32)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)
    findings = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"check of {self.connection_id}"  # untranslated: for the log

    @property
    def is_interrupted(self) -> bool:
        return self.ended_at is None and self.asked_at < clock.now() - _LOST_AFTER

    @property
    def moves(self) -> bool:
        """Returns whether more of it is to come."""
        return self.ended_at is None and not self.is_interrupted
