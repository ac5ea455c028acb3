"""An index by trigrams, by which PostgreSQL finds a word in the middle of a text.

It needs an extension. Where the database user may not have that, searches are right all the same,
and read every row.
"""

from functools import partial

import structlog
from django.db import DatabaseError, migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

log = structlog.get_logger("portal.mirror")


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
            editor.execute(f"CREATE INDEX {name} ON {table} USING {using}")
    except DatabaseError as error:
        reason = str(error).strip()
        log.warning("no index by trigrams: searches read every row", table=table, reason=reason)


def _drop(name: str, _apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(f"DROP INDEX IF EXISTS {name}")
