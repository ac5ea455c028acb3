"""Common fields of every mirrored row."""

from functools import cache
from hashlib import blake2b
from typing import ClassVar

from django.db import models

from portal.access.models import Connection


class MirroredRow(models.Model):
    """One thing as the last refresh, or the last single read, reported it.

    `KEY` names the fields by which a connection's rows are distinguished. `fingerprint` sums up
    what was reported, so that a refresh writes only what is new. `touched_at` is the time of a
    single read: a refresh that began before it knows less.
    """

    KEY: ClassVar[tuple[str, ...]]

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=32, default="", editable=False)
    touched_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(getattr(self, name) for name in self.KEY)

    def stamp(self) -> None:
        """Sums up what this row contains."""
        data = repr([getattr(self, name) for name in service_fields(type(self))])
        self.fingerprint = blake2b(data.encode(errors="replace"), digest_size=16).hexdigest()


@cache
def service_fields(model: type[MirroredRow]) -> list[str]:
    """The fields that hold what the service reported, without those that every mirrored row has."""
    shared = {field.name for field in MirroredRow._meta.fields}
    return [
        field.name
        for field in model._meta.concrete_fields
        if field.name not in shared and not field.primary_key
    ]
