"""Indexes that lists are sorted by."""

from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement
from django.db.models import F


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
