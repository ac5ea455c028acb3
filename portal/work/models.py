"""Base of all rows that workers work on, and mails, which all rooms have them send."""

from typing import Any
from uuid import uuid4

from django.db import models

from portal.access.models import Connection, User
from portal.config import clock


class Leased(models.Model):
    """A row that one worker at a time works on.

    `lease`, `leased_until` and `holder`, the name of its process, are set while a worker is at it.
    A row without a lease may have `leased_until` too: nobody takes it before that time.
    """

    lease = models.UUIDField(null=True)
    holder = models.CharField(max_length=240, blank=True)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        abstract = True


def leases_index(name: str) -> models.Index:
    """For a table that keeps rows nobody works on any more: by it the few leases are found."""
    return models.Index(fields=["leased_until"], condition=models.Q(lease__isnull=False), name=name)


class OutgoingMail(Leased):
    """A mail that is still to be sent, as it was written; `key` makes its Message-ID.

    `limits` are those of the scope of `user` over `connection` as it was written; all three are
    None for a mail that is sent whatever becomes of anybody's access. `if_dropped` is what the
    signal `dropped` says of one that is not sent for that reason.
    """

    key = models.UUIDField(default=uuid4)
    to = models.TextField()
    subject = models.TextField()
    text = models.TextField()
    html = models.TextField(blank=True)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    connection = models.ForeignKey(Connection, models.CASCADE, null=True, related_name="+")
    limits = models.JSONField(null=True)
    if_dropped: Any = models.JSONField(null=True)
    created_at = clock.StampField(auto_now_add=True)

    def __str__(self) -> str:
        return self.subject
