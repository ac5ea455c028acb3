"""The lock by which one process at a time reads live sessions: in Redis, or else the database.

A lock is held for a few seconds and renewed while its holder lives, so that the holder's death is
noticed within one interval. It can be lost, and its holder then learns so from `renew`.
"""

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connections
from redis import RedisError

from portal.dashboards.models import LiveSnapshot
from portal.work import leases
from portal.work.leases import LeaseLost

HELD_FOR = 5.0  # seconds after which a holder that does not renew is taken for dead
_LEASE = timedelta(seconds=HELD_FOR)
_RENEW_EVERY = 1.5
_LONGEST = 90.0  # seconds; whoever asks for longer is stuck
_log = structlog.get_logger(__name__)


class Lock(Protocol):
    """One holder's hold; each has another."""

    def take(self) -> bool: ...

    def renew(self) -> bool: ...

    def release(self) -> None: ...


class RedisLock:
    """Raises `RedisError` and `OSError` where Redis is away."""

    def __init__(self, snapshot_id: int) -> None:
        self._key, self._holder = f"live-reader:{snapshot_id}", uuid.uuid4().hex

    def take(self) -> bool:
        return bool(cache.add(self._key, self._holder, HELD_FOR))

    def renew(self) -> bool:
        return cache.get(self._key) == self._holder and bool(cache.touch(self._key, HELD_FOR))

    def release(self) -> None:
        if cache.get(self._key) == self._holder:
            cache.delete(self._key)


class DatabaseLock:
    """The lease of the snapshot's row."""

    def __init__(self, snapshot_id: int) -> None:
        self._id = snapshot_id
        self._row: LiveSnapshot | None = None

    def take(self) -> bool:
        self._row = leases.take(LiveSnapshot.objects.defer("content"), self._id, _LEASE)
        return self._row is not None

    def renew(self) -> bool:
        if self._row is None:
            return False
        try:
            leases.renew(self._row, _LEASE)
        except LeaseLost:
            return False
        return True

    def release(self) -> None:
        if self._row:
            leases.release(self._row)


@contextmanager
def holding(snapshot_id: int) -> Iterator[Lock | None]:
    """The lock, renewed by itself, for at most 90 seconds; `None` where another has it."""
    lock = _taken(snapshot_id)
    if lock is None:
        yield None
        return
    over = threading.Event()
    renewer = threading.Thread(target=_keep_renewed, args=(lock, over), daemon=True)
    renewer.start()
    try:
        yield lock
    finally:
        over.set()
        renewer.join()
        _quietly_released(lock)


def _taken(snapshot_id: int) -> Lock | None:
    if settings.REDIS_URL:
        try:
            in_redis = RedisLock(snapshot_id)
            return in_redis if in_redis.take() else None
        except (RedisError, OSError):
            _log.warning("redis is away, the database locks", exc_info=True)
    in_database = DatabaseLock(snapshot_id)
    return in_database if in_database.take() else None


def _keep_renewed(lock: Lock, over: threading.Event) -> None:
    left = _LONGEST
    try:
        while left > 0 and not over.wait(_RENEW_EVERY) and lock.renew():
            left -= _RENEW_EVERY
    except (RedisError, OSError, DatabaseError):
        _log.warning("lock not renewed", exc_info=True)
    finally:
        connections.close_all()  # of this thread


def _quietly_released(lock: Lock) -> None:
    """Releases the lock. If that fails it runs out by itself."""
    try:
        lock.release()
    except (RedisError, OSError, DatabaseError):
        _log.warning("lock not released", exc_info=True)
