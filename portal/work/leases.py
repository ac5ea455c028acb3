"""Leases: one worker at a time works on a row, and renews its lease while it does.

A lease runs out if its worker dies. One whose process is known to be dead is taken away at once.
"""

import os
import socket
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections
from django.db.models import Q, QuerySet

from portal.config import clock
from portal.work.models import Leased

# Whether a holder lives is said by the kernel alone: the process number counts for nothing without
# the boot and the namespace that it was given in, nor without its start, since numbers come again.
# Where the kernel does not say it (no Linux, another machine, container or user), nothing is known,
# and a lease has to run out.
_PROC = Path("/proc")
_ENDED = frozenset("ZXx")
M = TypeVar("M", bound=Leased)
_SHORT = timedelta(seconds=5)  # after which whoever does not renew is taken for dead
_RENEW_EVERY = 1.5  # seconds
_LONGEST = 90.0  # seconds; whoever asks for longer is stuck
_log = structlog.get_logger(__name__)


def holder(pid: int | None = None) -> str:
    """Names a process, by default this one; empty where it cannot be distinguished from others."""
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
    """The running kernel, the machine as it calls itself, the namespace of process numbers, and the
    user: of another user's processes the kernel may not report it."""
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
    """State and start of a process; None where there is none. Raises `OSError`."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # its name may hold anything
    return fields[0], fields[19]


class LeaseLost(Exception):
    """Another worker has taken the row over, or it is gone."""


def free(now: datetime) -> Q:
    return Q(leased_until=None) | Q(leased_until__lt=now)


def acquire(
    rows: QuerySet[M], pk: int, length: timedelta, related: Sequence[str] = (), **values: object
) -> M | None:
    """One of these rows under a lease of the caller, with these values stored.

    None where it is not among them, or another worker has it.
    """
    now, lease = clock.now(), uuid.uuid4()
    leased = {"lease": lease, "leased_until": now + length, "holder": holder()}
    if not rows.filter(free(now), pk=pk).update(**leased, **values):
        return None
    taken = rows.model._default_manager.filter(pk=pk, lease=lease)
    return (taken.select_related(*related) if related else taken).first()


def renew(row: Leased, length: timedelta, **values: object) -> None:
    """Keeps the row for another while, and stores these values. Raises `LeaseLost`."""
    if not _own(row).update(leased_until=clock.now() + length, **values):
        raise LeaseLost


def release(row: Leased, **values: object) -> bool:
    """Gives the row up, for whoever takes it next. Returns whether the lease was still this one.

    With `leased_until` among the values nobody takes it before then. Where the connection to the
    database was lost in the meantime, it is given up by a new one.
    """
    ended = {"lease": None, "leased_until": None, "holder": ""}
    try:
        return bool(_own(row).update(**ended | values))
    except (InterfaceError, OperationalError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return bool(_own(row).update(**ended | values))


@contextmanager
def short_lease(rows: QuerySet[M], pk: int) -> Iterator[M | None]:
    """One of these rows under a short lease that is renewed by itself, for at most 90 seconds;
    `None` where another has it. Whether it was lost meanwhile, `still_leased` says."""
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
        try:
            release(row)
        except DatabaseError:  # it runs out by itself
            _log.warning("lease not released", exc_info=True)


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
