"""The rate limit of all worker processes, and the faults that the options ask for."""

import fcntl
import math
import os
import random
import struct
import threading
import time
from pathlib import Path

from portal.sandbox.clock import seconds
from portal.sandbox.errors import Fault, Throttled
from portal.sandbox.options import Options, Rate

_BUCKET = struct.Struct("dd")


class Limiter:
    """A token bucket in a file that the worker processes share."""

    def __init__(self, rate: Rate, path: Path) -> None:
        self.rate = rate
        self._thread_lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self) -> None:
        """Raises `Throttled` with the seconds until there is room again."""
        _, wait = self.take_one()
        if wait:
            raise Throttled("Too many requests were sent.", str(math.ceil(wait)))

    def take_one(self) -> tuple[int, float]:
        """Returns the number of free places, and the seconds until the next one if there was
        none."""
        with self._thread_lock:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                left = self._taken(seconds())
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        wait = max(0.0, -left) * self.rate.seconds / self.rate.requests
        return max(0, int(left)), wait

    def _taken(self, now: float) -> float:
        full = float(self.rate.requests)
        stored = os.pread(self._file, _BUCKET.size, 0)
        left, then = full, now
        if len(stored) == _BUCKET.size:
            left, then = _BUCKET.unpack(stored)
        left = min(full, left + max(0.0, now - then) * full / self.rate.seconds)
        taken: float = left - 1
        os.pwrite(self._file, _BUCKET.pack(left if taken < 0 else taken, now), 0)
        return taken


class Weather:
    """Throttling, delay and faults by chance, between a caller and the service."""

    def __init__(self, options: Options) -> None:
        self._latency = options.latency
        self._error_rate = options.error_rate
        self._limiter = None
        if options.rate_limit:
            self._limiter = Limiter(options.rate_limit, Path(options.data_dir, "rate-limit"))

    def pass_through(self) -> None:
        if self._limiter:
            self._limiter.take()
        if self._latency:
            time.sleep(self._latency)
        if self._error_rate and random.random() < self._error_rate:  # noqa: S311
            raise Fault(random.choice((500, 502, 503)))  # noqa: S311
