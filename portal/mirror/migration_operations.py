"""An index by trigrams, by which PostgreSQL finds a word in the middle of a text.

It needs an extension. Where the database user may not have that, searches are right all the same,
and read every row.
"""

from functools import partial
from typing import Any

import structlog
from django.db import DatabaseError, migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from portal.translation import folded

log = structlog.get_logger("portal.mirror")
_NOT_ASCII = "[^\x01-\x7f]"
_BATCH = 500


def by_trigrams(name: str, table: str) -> migrations.RunPython:
    """Returns the operation of a migration that indexes the column `search` of a table."""
    return migrations.RunPython(partial(_index, name, table), partial(_drop, name))


def _index(name: str, table: str, _apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=editor.connection.alias):
            editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            using = "gin (search gin_trgm_ops)"  # untranslated: SQL
            editor.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} USING {using}")
    except DatabaseError as error:
        reason = str(error).strip()
        log.warning("no index by trigrams: searches read every row", table=table, reason=reason)


def _drop(name: str, _apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(f"DROP INDEX IF EXISTS {name}")


def fold_stored(model: str, field: str) -> migrations.RunPython:
    """Returns the operation that folds a field of rows with more than ASCII."""

    def fold(apps: Any, _editor: object) -> None:
        kind = apps.get_model(model)
        result = kind.objects.filter(**{f"{field}__regex": _NOT_ASCII}).only("pk", field)
        batch = []
        for row in result.iterator(_BATCH):
            setattr(row, field, folded(getattr(row, field)))
            batch.append(row)
            if len(batch) == _BATCH:
                kind.objects.bulk_update(batch, [field])
                batch = []
        kind.objects.bulk_update(batch, [field])

    return migrations.RunPython(fold, migrations.RunPython.noop, elidable=True)
