"""Base of all rows for workers, and mails, which workers send for all rooms."""

from typing import Any
from uuid import uuid4

from django.db import models

from portal.access.models import Connection, User
from portal.config import clock
from portal.translation import gettext as _


class Leased(models.Model):
    """A row that one worker at a time works on.

    `lease`, `leased_until` and `holder`, the name of its process, are set while a worker has it. A
    row without a lease may have `leased_until` too: no worker leases it before that time.
    """

    lease = models.UUIDField(null=True)
    holder = models.CharField(max_length=240, blank=True)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class DueRow(Leased):
    """A row whose work begins by itself when it is due; `failure` says, in English, why that went
    wrong the last time, for the owner of the row."""

    holder = models.CharField(max_length=240, blank=True, default="", db_default="")
    failure = models.TextField(blank=True, default="", db_default="")

    class Meta:
        abstract = True

    @property
    def failure_in_words(self) -> str:
        """Returns the failure in the reader's language."""
        return _(self.failure) if self.failure else ""


def leases_index(name: str) -> models.Index:
    """Returns an index for a table with many rows of finished work, which finds the few leases."""
    return models.Index(fields=["leased_until"], condition=models.Q(lease__isnull=False), name=name)


class SchedulerLease(Leased):
    """The one row whose lease says which process of the scheduler sends its tasks."""

    def __str__(self) -> str:
        return "lease of the scheduler"  # untranslated: for the log


class OutgoingMail(Leased):
    """A mail that is still to be sent, as it was written; its Message-ID is made of `key`.

    `limits` are those of the scope of `user` over `connection` when it was written; all three are
    None for a mail that does not depend on access. `if_dropped` is the argument `about` of the
    signal `dropped` if the mail is not sent for lack of access.
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
