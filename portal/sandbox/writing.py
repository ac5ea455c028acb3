"""Writes to the database: one at a time, and single rows at the least cost.

SQLite allows one write at a time, and a writer that finds it locked sleeps and polls. So the
threads and processes of the sandbox queue up before they begin.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from django.db import connection, models, transaction

_thread_lock = threading.Lock()


@contextmanager
def turn() -> Iterator[None]:
    """Waits until no other thread or process of the sandbox writes.

    It does nothing within a transaction, which has its turn already, or on another database.
    """
    if connection.in_atomic_block or connection.vendor != "sqlite":
        yield
        return
    with _thread_lock:
        file = _lock_file()
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def writing() -> Iterator[None]:
    """Opens a transaction in its turn."""
    with turn(), transaction.atomic():
        yield


@cache
def _lock_file() -> int:
    path = Path(str(connection.settings_dict["NAME"]) + ".lock")
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


class Insertion:
    """A prepared statement that inserts rows into a model's table.

    The row has to be prepared; `save` and its signals are bypassed. `unique` is the column with a
    unique value.
    """

    def __init__(self, model: type[models.Model], unique: str) -> None:
        self._fields = model._meta.concrete_fields
        columns = ", ".join(f'"{field.column}"' for field in self._fields)
        places = ", ".join("%s" for _ in self._fields)
        self._statement = (
            f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})'  # noqa: S608
            f' ON CONFLICT ("{unique}") DO NOTHING'
        )

    def __call__(self, row: models.Model) -> bool:
        """Inserts a row. Returns False if another row has the unique value."""
        values = [
            field.get_db_prep_save(getattr(row, field.attname), connection)
            for field in self._fields
        ]
        with turn(), connection.cursor() as cursor:
            cursor.execute(self._statement, values)
            return bool(cursor.rowcount)
