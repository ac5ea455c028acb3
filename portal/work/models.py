"""Base of all rows that workers work on."""

from django.db import models


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
