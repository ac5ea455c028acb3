"""Connections that threads keep for their next requests: a process keeps few.

Django has each thread keep its own. After a burst those of all threads would stay open, and the
server allows only so many to all processes together.
"""

import threading
from typing import Any
from weakref import WeakSet

from django.core.signals import request_finished
from django.db import connections

KEPT = 8
_open: WeakSet[Any] = WeakSet()
_changing = threading.Lock()


def opened(driver_connection: Any) -> None:
    """Counts a connection of the driver until it is closed."""
    with _changing:
        _open.add(driver_connection)


def count() -> int:
    """Returns the number of open connections of this process."""
    with _changing:
        return sum(not each.closed for each in _open)


def close_surplus(**_signal: object) -> None:
    """Closes the connection of this thread, which has ended a piece of work, if the process has
    more of them than it keeps."""
    for each in connections.all(initialized_only=True):
        is_ours = each.vendor == "postgresql" and each.connection is not None
        if is_ours and not each.in_atomic_block and count() > KEPT:
            each.close()


request_finished.connect(close_surplus)
