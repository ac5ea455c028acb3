"""Common fields of every mirrored row, and the index that lists are sorted by."""

from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement
from django.db.models import F

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


class UnsetFirst(models.Index):
    """An index over a connection's rows, sorted by a field that may be unset, unset ones first.

    SQLite sorts them first by itself, and takes no index that says so; PostgreSQL would sort them
    last, and could not use the index.
    """

    def create_sql(
        self,
        model: type[models.Model],
        schema_editor: BaseDatabaseSchemaEditor,
        using: str = "",
        **options: Any,
    ) -> Statement:
        if schema_editor.connection.vendor != "postgresql":
            return super().create_sql(model, schema_editor, using, **options)
        first, by, *rest = self.fields
        sorted_by: list[Any] = [F(first), F(by).asc(nulls_first=True), *map(F, rest)]
        return models.Index(*sorted_by, name=self.name).create_sql(model, schema_editor, using)
