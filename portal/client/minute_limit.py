"""The limit of what may be asked a few times a minute alone.

No more than so many calls leave within any minute: they need not be spaced, so that a page gets its
few at once. Work in the background leaves some of them to people. What the service reports as left
counts what other programs have used too.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from redis import Redis

from portal.client.rate_limit import LONGEST_HOLD
from portal.client.redis_rate_limit import SharedLimit

MINUTE = 60.0
_FIRST_HOLD = 5.0  # seconds without a call, after a refusal that names no time
_MOST_DOUBLINGS = 20
_SCRIPT = Path(__file__).with_name("minute_limit.lua").read_text()


def _kept(requests: int) -> int:
    """Calls of a minute that are left to people."""
    return requests // 5


class LocalMinuteLimit:
    """The limit of one process. Not for several threads at once: its `RateLimiter` sees to that."""

    def __init__(self, requests: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.requests = requests
        self._clock = clock
        self._calls: deque[float] = deque()
        self._opens = self._cut = clock() - 1.0
        self._unnamed = 0

    def try_acquire(self, *, urgent: bool) -> float:
        now = self._clock()
        self._forget(now)
        most = self.requests if urgent else max(self.requests - _kept(self.requests), 1)
        wait = self._opens - now
        if len(self._calls) >= most:
            wait = max(wait, self._calls[len(self._calls) - most] + MINUTE - now)
        if wait > 0:
            return wait
        self._calls.append(now)
        return 0.0

    def refused(self, age: float, retry_after: float | None) -> None:
        now = self._clock()
        self._opens = max(self._opens, now + (retry_after or 0.0))
        if now - age <= self._cut:
            return
        self._cut = now
        self._unnamed = 0 if retry_after else self._unnamed + 1
        if self._unnamed:
            doubled = _FIRST_HOLD * 2.0 ** min(self._unnamed - 1, _MOST_DOUBLINGS)
            self._opens = max(self._opens, now + min(doubled, LONGEST_HOLD))

    def accepted(self, age: float) -> None:
        if self._clock() - age > self._cut:
            self._unnamed = 0

    def described(self, limit: int, remaining: int | None) -> None:
        """The service has said what it allows, and what is left of it."""
        now = self._clock()
        self._forget(now)
        self.requests = limit
        if remaining is not None:
            others = min(limit - remaining - len(self._calls), limit)
            self._calls.extend([now] * max(others, 0))

    @property
    def backs_off(self) -> bool:
        return self._unnamed > 0

    @property
    def rate(self) -> float:
        return self.requests / MINUTE

    def closed_for(self) -> float:
        return max(self._opens - self._clock(), 0.0)

    def learn(self, closed_for: float, unnamed: int, requests: int, *, left: bool) -> None:
        """Takes over what is known elsewhere, and whether a call may leave by it."""
        now = self._clock()
        self._opens = max(self._opens, now + closed_for)
        self._unnamed, self.requests = unnamed, requests
        if left:
            self._forget(now)
            self._calls.append(now)

    def _forget(self, now: float) -> None:
        while self._calls and self._calls[0] <= now - MINUTE:
            self._calls.popleft()


class RedisMinuteLimit(SharedLimit):
    """The limit of all processes that use the same key."""

    def __init__(
        self, redis: Redis, key: str, requests: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._requests = requests
        self._minute = LocalMinuteLimit(requests, clock)
        super().__init__(redis, _SCRIPT, [key, f"{key}:calls"], self._minute, clock)

    def _arguments(self) -> list[float]:
        return [self._requests, _kept(self._requests), _FIRST_HOLD, LONGEST_HOLD]

    def _learn(self, known: Sequence[float], *, left: bool) -> None:
        closed_for, unnamed, requests = known
        self._minute.learn(closed_for, int(unnamed), int(requests), left=left)
