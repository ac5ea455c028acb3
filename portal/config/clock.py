"""The time, by the clock of the database.

All machines of the portal share it: one stores a time, such as the end of a lease, and the others
compare it with their own "now". A file of SQLite is used on one machine, whose clock is then that
of the database.
"""

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, models
from django.utils import timezone

_MEASURED_EVERY = 60.0  # seconds
# Seconds by which this machine's clock moves only if it was set, or the machine slept.
_SET = 1.0
_lock = threading.Lock()


@dataclass(frozen=True)
class _Measured:
    """The time of the database's clock, with the steady clock and the wall clock at that moment."""

    theirs: datetime
    steady: float
    wall: float

    @property
    def is_fresh(self) -> bool:
        passed = time.monotonic() - self.steady
        return passed < _MEASURED_EVERY and abs(time.time() - self.wall - passed) < _SET

    def now(self) -> datetime:
        return self.theirs + timedelta(seconds=time.monotonic() - self.steady)


_measured: _Measured | None = None


def now() -> datetime:
    """Returns the time to be stored, or compared with a stored one. Raises `DatabaseError` if the
    database has never been read, and cannot be."""
    global _measured  # noqa: PLW0603
    measured = _measured
    if measured is None or not measured.is_fresh:
        try:
            measured_time = _of_database()
        except DatabaseError:
            if measured is None:
                raise
            return measured.now()
        if measured_time is None:
            return timezone.now()
        with _lock:
            _measured = measured = _Measured(measured_time, time.monotonic(), time.time())
    return measured.now()


def ahead() -> timedelta:
    """Returns by how much the database's clock is ahead of this machine's."""
    return now() - timezone.now()


def _of_database() -> datetime | None:
    """Returns the database's time; None if that is this machine's. It moves on in a transaction."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        result: datetime = cursor.fetchone()[0]
        return result


class StampField(models.DateTimeField[datetime, datetime]):
    """Field of a time with `auto_now` or `auto_now_add`, by the database's clock. In migrations it
    is a `DateTimeField`."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if self.auto_now or (self.auto_now_add and add):
            setattr(model_instance, self.attname, now())
        return getattr(model_instance, self.attname)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs
