"""Limits by class: of requests a second or a minute, and of weighted requests a day."""

import fcntl
import os
import struct
import threading
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Any

from portal.contract.operation import Operation, Weight
from portal.contract.today import asked_for
from portal.sandbox.clock import now
from portal.sandbox.errors import Throttled
from portal.sandbox.limits import Limiter
from portal.sandbox.options import Options

Headers = list[tuple[str, str]]

_CATEGORIES = {
    Weight.LIGHT: "Light",
    Weight.MEDIUM: "Medium",
    Weight.HEAVY: "Heavy",
    Weight.SCARCE: "Resource-intensive",
}
_COUNTED_BY_DAY = {Weight.HEAVY, Weight.SCARCE}
_TYPES = {1: "Per-second", 60: "Per-minute", 3600: "Per-hour"}
_COUNT = struct.Struct("qq")
_DAILY = "Daily-limit"


class ClassLimits:
    """The limits of all classes, each shared by all worker processes."""

    def __init__(self, options: Options) -> None:
        folder = Path(options.data_dir)
        self._limiters = {
            name: Limiter(rate, folder / f"rate-limit-{name}")
            for name, rate in options.class_limits.items()
        }
        self._day = None
        if options.daily_limit:
            self._day = _Day(options.daily_limit, folder / "rate-limit-of-the-day")

    def pass_through(self, operation: Operation[Any, Any]) -> Headers:
        """Returns the headers that say what is left; raises `Throttled` with the same and the time
        from which there is room again."""
        asked = asked_for(operation)
        weight = asked.weight if asked else operation.weight or Weight.MEDIUM
        category = _CATEGORIES[weight]
        said: Headers = []
        if self._day and weight in _COUNTED_BY_DAY:
            left = self._day.take()
            said = _described(category, _DAILY, self._day.limit, left)
            if left < 0:
                midnight = (now() + timedelta(days=1)).replace(
                    hour=0, minute=0, second=0, microsecond=0
                )
                raise _refusal("You have reached the maximum daily rate limit", midnight, said)
        limiter = self._limiters.get(weight.value)
        if limiter is None:
            return said
        rate = limiter.rate
        left, wait = limiter.take_one()
        said = _described(category, _TYPES[rate.seconds], rate.requests, left)
        if wait:
            until = now() + timedelta(seconds=wait)
            raise _refusal("You have reached the maximum rate limit", until, said)
        return said


class _Day:
    """A count that begins again with each day in GMT."""

    def __init__(self, limit: int, path: Path) -> None:
        self.limit = limit
        self._thread_lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self) -> int:
        """Returns the number of requests that are left after this one, -1 if there was no room."""
        today = now().toordinal()
        with self._thread_lock:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                stored = os.pread(self._file, _COUNT.size, 0)
                day, taken = _COUNT.unpack(stored) if len(stored) == _COUNT.size else (today, 0)
                taken = min(self.limit + 1, taken + 1 if day == today else 1)
                os.pwrite(self._file, _COUNT.pack(today, taken), 0)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        return self.limit - taken


def _described(category: str, kind: str, limit: int, left: int) -> Headers:
    return [
        ("X-RateLimit-Category", category),
        ("X-RateLimit-Type", kind),
        ("X-RateLimit-Limit", str(limit)),
        ("X-RateLimit-Remaining", str(max(0, left))),
    ]


def _refusal(words: str, until: datetime, said: Headers) -> Throttled:
    """Returns the refusal, which names the moment of release to the second, in ISO 8601."""
    moment = datetime.fromtimestamp(ceil(until.timestamp()), UTC)
    return Throttled(f"{words} for this API.", f"{moment:%Y-%m-%dT%H:%M:%SZ}", said)
