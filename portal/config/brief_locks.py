"""Writes of pages that only note something: they wait a moment for the database, and are left then.

Jobs that run write all the time. SQLite has one writer at a time and no queue of those that wait:
a page which writes may wait for many seconds. On PostgreSQL it waits for whoever locks its row.
Where the disk of the database is full, or it may only be read, its pages are shown all the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.db import DatabaseError, connection, transaction

_log = structlog.get_logger(__name__)
_WAIT = 0.2  # seconds
_SQLITE_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_SQLITE_TAKES_NOTHING = (8, 13)  # SQLITE_READONLY, SQLITE_FULL
_LOCK_NOT_AVAILABLE = "55P03"
_POSTGRESQL_TAKES_NOTHING = ("25006", "53100")  # read_only_sql_transaction, disk_full


class Busy(Exception):
    """Others held the lock for too long, or the database takes nothing: nothing was written."""


@contextmanager
def briefly() -> Iterator[None]:
    """A transaction that waits for others a moment alone. Raises `Busy`.

    Within another transaction it is a part of that one, and waits as that does.
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
        if _is_lock(error.__cause__) or takes_nothing(error):
            raise Busy from error
        raise
    finally:
        _limit(None)


@contextmanager
def where_it_can() -> Iterator[None]:
    """Writes that a page does without: where the database takes nothing, they are left."""
    try:
        yield
    except DatabaseError as error:
        if connection.in_atomic_block or not takes_nothing(error):
            raise
        _log.warning("not noted", reason=str(error))


def _limit(seconds: float | None) -> None:
    """Sets how long a statement waits for a lock; `None` is as the settings have it."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        usual = float(connection.settings_dict["OPTIONS"].get("timeout", 5.0))
        chosen = usual if seconds is None else seconds
        connection.connection.execute(f"PRAGMA busy_timeout = {int(chosen * 1000)}")
    elif connection.vendor == "postgresql":
        connection.connection.execute(
            "RESET lock_timeout" if seconds is None else f"SET lock_timeout = {int(seconds * 1000)}"
        )


def takes_nothing(error: DatabaseError) -> bool:
    """Returns whether the database may only be read, for want of space above all."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_TAKES_NOTHING
    return getattr(error.__cause__, "sqlstate", None) in _POSTGRESQL_TAKES_NOTHING


def _is_lock(cause: BaseException | None) -> bool:
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_BUSY
    return getattr(cause, "sqlstate", None) == _LOCK_NOT_AVAILABLE
