"""Writes to the database: in turns, and a single row at the least cost.

SQLite lets one write at a time, and who finds it taken sleeps and asks again, at worst for long.
So the threads and processes of the sandbox queue up before they begin.
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

    Not within a transaction, which has its turn already, nor on another database.
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
    """A transaction in its turn."""
    with turn(), transaction.atomic():
        yield


@cache
def _lock_file() -> int:
    path = Path(str(connection.settings_dict["NAME"]) + ".lock")
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


class Insertion:
    """Puts a new row into a model's table by one statement, which is written once.

    The row has to be prepared; `save` and its signals are passed by. `unique` is the column that
    another row may have taken.
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
        """Inserts a row. Returns False if another has the value that is unique."""
        values = [
            field.get_db_prep_save(getattr(row, field.attname), connection)
            for field in self._fields
        ]
        with turn(), connection.cursor() as cursor:
            cursor.execute(self._statement, values)
            return bool(cursor.rowcount)
