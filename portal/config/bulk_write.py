"""Many rows written by one prepared statement, where they are written all the time.

The ORM's own ways, `bulk_create` and `bulk_update`, make their SQL anew for each value of each row,
which takes several times as long; a worker that is at it keeps its other threads from working.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models


def insert_rows(rows: Collection[models.Model]) -> None:
    """Stores new rows of one model, whose primary keys are set already."""
    if not rows:
        return
    meta = _meta_of(rows)
    fields = meta.concrete_fields
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = quote(meta.db_table)
    _execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows, fields)  # noqa: S608
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update_rows(rows: Collection[models.Model], names: Iterable[str]) -> None:
    """Stores these fields of rows of one model; rows that are gone stay gone."""
    if not rows:
        return
    meta = _meta_of(rows)
    fields = [meta.get_field(name) for name in names]
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    table = quote(meta.db_table)
    statement = f"UPDATE {table} SET {changes} WHERE {quote(meta.pk.column)} = %s"  # noqa: S608
    _execute(statement, rows, [*fields, meta.pk])


def _meta_of(rows: Collection[models.Model]) -> Any:
    return next(iter(rows))._meta


def _execute(statement: str, rows: Iterable[models.Model], fields: Sequence[Any]) -> None:
    connection = connections[DEFAULT_DB_ALIAS]
    readers = [(field.attname, field.get_db_prep_save) for field in fields]
    values = [
        [prepared(getattr(row, name), connection) for name, prepared in readers] for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
