"""The files in which each process counts, so that any process can report the counts of all.

A file outlives its process. A living process has a lock, which the kernel releases at its end.
Unlike process numbers, that works between the containers of a machine too. The counts of an ended
process are added to one file of all ended processes, since a total must not fall.
"""

import fcntl
import os
import secrets
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import structlog
from django.conf import settings
from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

# Bytes by kind of file: more than the names of all views and operations need.
_SIZES = {"counter": 1 << 20, "histogram": 4 << 20, "gauge_max": 1 << 16}
_ENDED = "ended"
_alive: list[TextIO] = []
_log = structlog.get_logger(__name__)


class AllocatedDict(MmapedDict):
    """Counts in a file whose bytes are allocated on the disk before they are written.

    The client library extends its files without that: on a full disk, a write to such memory ends
    the process. Here a new name raises `OSError`.
    """

    def _init_value(self, key: str) -> None:
        wanted, capacity = self._used + len(key.encode()) + 32, self._capacity
        while wanted > capacity:
            capacity *= 2
        if capacity > self._capacity:
            os.posix_fallocate(self._f.fileno(), 0, capacity)
        super()._init_value(key)  # type: ignore[no-untyped-call]


@cache
def folder() -> Path:
    return Path(settings.DATA_DIR) / "metrics"


@cache
def begin() -> None:
    """Lets the client library count in files of this process. Raises `OSError`."""
    os.environ.update(PROMETHEUS_MULTIPROC_DIR=str(folder()))
    vars(values).update(MmapedDict=AllocatedDict)
    values.ValueClass = values.MultiProcessValue(lambda: _name_of(os.getpid()))


@contextmanager
def merged() -> Iterator[Path]:
    """Yields the folder, with the counts of ended processes in one file, to one process at a time.
    Raises `OSError`."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder() / "folder").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        for lock in sorted(folder().glob("*.lock")):
            _add_if_ended(lock)
        yield folder()


@cache
def _name_of(_process: int) -> str:
    name = secrets.token_hex(8)
    with merged() as place:
        for kind in _SIZES:
            _allocate(place, kind, name)
        lock = (place / f"{name}.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        _alive.append(lock)  # held until the process ends
    return name


def _add_if_ended(lock: Path) -> None:
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        for kind in _SIZES:
            _add(kind, lock.stem)
        lock.unlink()


def _add(kind: str, name: str) -> None:
    """Moves the counts of one file to that of all ended processes; a crash may lose, but never
    doubles them."""
    path = folder() / f"{kind}_{name}.db"
    results: list[tuple[object, ...]] = []
    with suppress(FileNotFoundError):
        try:
            results = [*MmapedDict.read_all_values_from_file(path)]
        except (ValueError, RuntimeError, struct.error):
            _log.warning("metrics unreadable", path=str(path))
        if results:
            _allocate(folder(), kind, _ENDED)  # before the counts are removed
        path.unlink()
    if not results:
        return
    ended: Any = AllocatedDict(folder() / f"{kind}_{_ENDED}.db")  # type: ignore[no-untyped-call]
    for key, value, *_ in results:
        before, _timestamp = ended.read_value(key)
        ended.write_value(key, max(before, value) if kind == "gauge_max" else before + value, 0.0)
    ended.close()


def _allocate(place: Path, kind: str, name: str) -> Path:
    path = place / f"{kind}_{name}.db"
    with path.open("ab") as file:
        # All of it, also of a file that an earlier release made longer.
        os.posix_fallocate(file.fileno(), 0, max(_SIZES[kind], file.tell()))
    return path
