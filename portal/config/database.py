"""Writes of many rows in one statement, and transactions with a short lock timeout."""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import structlog
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, models, transaction

from portal.config.database_errors import is_lock, is_read_only

T = TypeVar("T")
_turn = threading.Lock()
_log = structlog.get_logger(__name__)
_BATCH = 500
_WAIT = 0.2  # seconds


@contextmanager
def writing() -> Iterator[None]:
    """Opens a transaction of a thread beside which other threads write.

    SQLite admits one writer at a time, and lets the others sleep for longer and longer: the threads
    of one process take turns here instead. A thread within a transaction does not wait.
    """
    is_serial = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _turn if is_serial else nullcontext(), transaction.atomic():
        yield


def insert_rows(rows: Collection[models.Model], *, ignore_conflicts: bool = False) -> None:
    """Stores new rows of one model. Keys that are not set are the database's, and are not read.

    With `ignore_conflicts`, existing rows stay as they are.
    """
    if not rows:
        return
    meta: Any = next(iter(rows))._meta
    has_keys = next(iter(rows)).pk is not None
    fields = [field for field in meta.concrete_fields if has_keys or not field.primary_key]
    quote = connection.ops.quote_name
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
    meta: Any = next(iter(rows))._meta
    fields = [meta.get_field(name) for name in names]
    quote = connection.ops.quote_name
    changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    table = quote(meta.db_table)
    statement = f"UPDATE {table} SET {changes} WHERE {quote(meta.pk.column)} = %s"  # noqa: S608
    _execute(statement, rows, [*fields, meta.pk])


def _execute(statement: str, rows: Iterable[models.Model], fields: Sequence[Any]) -> None:
    readers = [(field.attname, field.get_db_prep_save) for field in fields]
    values = [
        [prepared(getattr(row, name), connection) for name, prepared in readers] for row in rows
    ]
    with connection.cursor() as cursor:
        if len(values) == 1:
            cursor.execute(statement, values[0])
        else:
            cursor.executemany(statement, values)


class Busy(Exception):
    """Raised if others locked the rows for too long, or the database is read-only or full."""


@contextmanager
def briefly() -> Iterator[None]:
    """Opens a transaction that waits only a moment for locks. Raises `Busy`.

    Within another transaction it belongs to that one, and waits as that does.
    """
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    _limit(_WAIT)
    try:
        with transaction.atomic():
            yield
    except DatabaseError as error:
        if is_lock(error) or is_read_only(error):
            raise Busy from error
        raise
    finally:
        _limit(None)


@contextmanager
def where_it_can() -> Iterator[None]:
    """Context of writes that a page can do without: a read-only or full database is ignored."""
    try:
        yield
    except DatabaseError as error:
        if connection.in_atomic_block or not is_read_only(error):
            raise
        _log.warning("not written", reason=str(error))


def _limit(seconds: float | None) -> None:
    """Sets how long a statement waits for a lock; None is the value of the settings."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        usual = float(connection.settings_dict["OPTIONS"].get("timeout", 5.0))
        chosen = usual if seconds is None else seconds
        connection.connection.execute(f"PRAGMA busy_timeout = {int(chosen * 1000)}")
    elif connection.vendor == "postgresql":
        text = "RESET lock_timeout"
        if seconds is not None:
            text = f"SET lock_timeout = {int(seconds * 1000)}"
        with connection.wrap_database_errors:
            connection.connection.execute(text)


def batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yields the values in their order, some at a time: a query takes only so many parameters."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]
