"""Leases: one worker at a time works on a row, and renews its lease while it does.

A lease runs out if its worker dies. One whose process is known to be dead is taken away at once.
"""

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections
from django.db.models import Q, QuerySet

from portal.config import clock
from portal.work.models import Leased

# Only the kernel reports whether a holder lives. The process number identifies it together with the
# boot, the namespace and the start of the process, since numbers are used again. If the kernel does
# not report it (no Linux, another machine, container or user), a lease has to run out.
_PROC = Path("/proc")
_ENDED = frozenset("ZXx")
M = TypeVar("M", bound=Leased)
_SHORT = timedelta(seconds=5)  # after which a worker that does not renew counts as dead
_RENEW_EVERY = 1.5  # seconds
_RELEASE_EVERY = 0.5  # seconds between two tries to release what the database did not take
_LONGEST = 90.0  # seconds, after which a worker counts as stuck
_log = structlog.get_logger(__name__)


def holder(pid: int | None = None) -> str:
    """Returns the name of a process, by default this one; empty if the kernel does not identify
    it."""
    pid = pid or os.getpid()
    here = _here()
    stat = _stat(pid) if here else None
    return f"{here} {pid} {stat[1]}" if stat else ""


def is_gone(name: str) -> bool:
    """Returns whether the process of this name has ended for certain."""
    place, _, process = name.partition(" ")
    if not process or place != _here():
        return False
    pid, _, started = process.partition(" ")
    try:
        result = _stat(int(pid))
    except (OSError, ValueError):
        return False
    return result is None or result[0] in _ENDED or result[1] != started


def _here() -> str:
    """Returns the running kernel, the name of the machine, the namespace of process numbers, and
    the user: the kernel may not report the processes of another one."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        namespace = (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return ""
    try:
        machine = Path("/etc/machine-id").read_text().strip()
    except OSError:
        machine = ""
    return f"{boot}/{machine}/{socket.gethostname()[:64]}/{namespace}/{os.getuid()}"


def _stat(pid: int) -> tuple[str, str] | None:
    """Returns state and start of a process; None if there is none. Raises `OSError`."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # its name may contain anything
    return fields[0], fields[19]


class LeaseLost(Exception):
    """Raised if another worker has leased the row, or it is gone."""


def free() -> Q:
    """Returns the condition of rows that a worker may lease now."""
    return Q(leased_until=None) | Q(leased_until__lt=clock.now())


def acquire(
    rows: QuerySet[M], pk: int, length: timedelta, related: Sequence[str] = (), **values: object
) -> M | None:
    """Returns one of these rows under a lease of the caller, with these values stored.

    Returns None if it is not among them, or another worker has it.
    """
    lease = uuid.uuid4()
    leased = {"lease": lease, "leased_until": clock.now() + length, "holder": holder()}
    if not rows.filter(free(), pk=pk).update(**leased, **values):
        return None
    own = rows.model._default_manager.filter(pk=pk, lease=lease)
    return (own.select_related(*related) if related else own).first()


def renew(row: Leased, length: timedelta, **values: object) -> None:
    """Extends the lease, and stores these values. Raises `LeaseLost`."""
    if not _own(row).update(leased_until=clock.now() + length, **values):
        raise LeaseLost


def release(row: Leased, **values: object) -> bool:
    """Releases the row for the next worker. Returns whether the lease was still this one.

    With `leased_until` among the values no worker leases it before then. If the connection to the
    database was lost in the meantime, a new one is used.
    """
    ended = {"lease": None, "leased_until": None, "holder": ""}
    try:
        return bool(_own(row).update(**ended | values))
    except (InterfaceError, OperationalError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return bool(_own(row).update(**ended | values))


class _Unreleased:
    """Leases of this process that could not be released, since the database did not take it: a
    thread tries again until it does. Another worker need not wait for their end."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Leased, dict[str, object], Callable[[], object]]] = []
        self._lock = threading.Lock()
        self._is_running = False

    def add(self, row: Leased, values: dict[str, object], released: Callable[[], object]) -> None:
        with self._lock:
            self._waiting.append((row, values, released))
            if self._is_running:
                return
            self._is_running = True
        threading.Thread(target=self._run, daemon=True, name="leases").start()

    def _run(self) -> None:
        try:
            while True:
                time.sleep(_RELEASE_EVERY)
                with self._lock:
                    rows, self._waiting = self._waiting, []
                left = [each for each in rows if not self._released(*each)]
                with self._lock:
                    self._waiting += left
                    if not self._waiting:
                        self._is_running = False
                        return
        finally:
            connections.close_all()  # of this thread

    def _released(
        self, row: Leased, values: dict[str, object], released: Callable[[], object]
    ) -> bool:
        """Returns whether nothing is left to be done for this row."""
        try:
            was_leased = release(row, **values)
        except (InterfaceError, OperationalError):
            connection.close()
            return False
        except Exception:  # the others are released all the same
            _log.exception("lease not released", row=row.pk)
            return True
        if was_leased:
            _log.info("lease released late", row=row.pk)
            released()
        return True


_unreleased = _Unreleased()


def release_soon(
    row: Leased, *, released: Callable[[], object] = lambda: None, **values: object
) -> None:
    """Releases the row now, or, while the database fails, as soon as it takes that, and then calls
    `released` in another thread. For work that ends in any case."""
    try:
        release(row, **values)
    except (DatabaseError, InterfaceError):
        _log.warning("lease not released yet", row=row.pk, exc_info=True)
        _unreleased.add(row, values, released)


@contextmanager
def short_lease(rows: QuerySet[M], pk: int) -> Iterator[M | None]:
    """Yields one of these rows under a short lease, which a thread renews for at most 90 seconds;
    None if another worker has it. `still_leased` reports whether it was lost."""
    row = acquire(rows, pk, _SHORT)
    if row is None:
        yield None
        return
    over = threading.Event()
    renewer = threading.Thread(target=_keep_renewed, args=(row, over), daemon=True)
    renewer.start()
    try:
        yield row
    finally:
        over.set()
        renewer.join()
        release_soon(row)


def still_leased(row: Leased) -> bool:
    """Renews a short lease. Returns whether it was not lost."""
    try:
        renew(row, _SHORT)
    except LeaseLost:
        return False
    return True


def _keep_renewed(row: Leased, over: threading.Event) -> None:
    left = _LONGEST
    try:
        while left > 0 and not over.wait(_RENEW_EVERY) and still_leased(row):
            left -= _RENEW_EVERY
    except DatabaseError:
        _log.warning("lease not renewed", exc_info=True)
    finally:
        connections.close_all()  # of this thread


def _own(row: Leased) -> QuerySet[Leased]:
    return type(row)._default_manager.filter(pk=row.pk, lease=row.lease)
