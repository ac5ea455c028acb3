"""Turns: one table is read at a time in a process, since reading one takes many times its size."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from portal.imports.sheets.limits import SheetUnreadable
from portal.translation import gettext_lazy

_AT_ONCE = BoundedSemaphore(1)
_WAITING = BoundedSemaphore(4)  # each holds its file in memory
_TIMEOUT = 30.0  # seconds
_BUSY = gettext_lazy("Other files are being processed. Try again in a moment.")


@contextmanager
def turn() -> Iterator[None]:
    """Waits until no other table is read here. Raises `SheetUnreadable` where too many wait
    already, or for too long."""
    if not _WAITING.acquire(blocking=False):
        raise SheetUnreadable(_BUSY)
    try:
        if not _AT_ONCE.acquire(timeout=_TIMEOUT):
            raise SheetUnreadable(_BUSY)
    finally:
        _WAITING.release()
    try:
        yield
    finally:
        _AT_ONCE.release()
