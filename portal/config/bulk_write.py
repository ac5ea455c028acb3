"""Writes many rows by one prepared statement, for tables that are written all the time.

The ORM's `bulk_create` and `bulk_update` build their SQL again for each value of each row,
which takes several times as long; a worker that is at it keeps its other threads from working.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction

_turn = threading.Lock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction of a thread beside which others write.

    SQLite lets one in at a time, and the others sleep there, for longer each time that they look:
    those of one process take turns here. Whoever is in a transaction already waits for nobody.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    takes_turns = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _turn if takes_turns else nullcontext(), transaction.atomic():
        yield


def insert_rows(rows: Collection[models.Model], *, ignore_conflicts: bool = False) -> None:
    """Stores new rows of one model; keys that are not set are the database's, and stay unknown.

    With `ignore_conflicts`, rows that are there already stay as they are.
    """
    if not rows:
        return
    meta = _meta_of(rows)
    has_keys = next(iter(rows)).pk is not None
    fields = [field for field in meta.concrete_fields if has_keys or not field.primary_key]
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = quote(meta.db_table)
    statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608
    if ignore_conflicts:
        statement += " ON CONFLICT DO NOTHING"
    _execute(statement, rows, fields)
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
