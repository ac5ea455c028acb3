"""The limits that processes share through Redis."""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import structlog
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from portal.client.rate_limiter import (
    FIRST_GUESS,
    FIRST_HOLD,
    KEPT,
    LEAST_KEPT,
    LEAST_RISE,
    LONGEST_HOLD,
    LOWEST,
    RISE,
    SLACK,
    UNLIMITED,
    LocalRateLimit,
    RateLimit,
)

_SCRIPT = Path(__file__).with_name("rate_limit.lua").read_text()
# In the order in which the script takes them.
_CONSTANTS = (
    KEPT,
    LEAST_KEPT,
    RISE,
    LEAST_RISE,
    LOWEST,
    FIRST_GUESS,
    SLACK,
    FIRST_HOLD,
    LONGEST_HOLD,
)
_TIMEOUT = 0.25
_RETRIED_AFTER = 5.0
_log = structlog.get_logger("portal.client")
MINUTE = 60.0
_FIRST_HOLD = 5.0  # seconds without a call, after a refusal that names no time
_MOST_DOUBLINGS = 20
_MINUTE_SCRIPT = Path(__file__).with_name("minute_limit.lua").read_text()


def connect_to_redis(url: str) -> Redis:
    """A Redis that is given up soon: a call to the service is worth more than its rate limit."""
    return Redis.from_url(
        url,
        socket_connect_timeout=_TIMEOUT,
        socket_timeout=_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


class SharedLimit(ABC):
    """A limit of all processes that use the same keys, by the clock of Redis.

    While Redis is away each process keeps `local`, with what was known last; the log says so once.
    """

    def __init__(
        self,
        redis: Redis,
        script: str,
        keys: Sequence[str],
        local: RateLimit,
        clock: Callable[[], float],
    ) -> None:
        self._run_script = redis.register_script(script)
        self._keys = list(keys)
        self._local = local
        self._clock = clock
        self._away_until: float | None = None

    @abstractmethod
    def _arguments(self) -> list[float]:
        """Returns what the script takes before the command."""

    @abstractmethod
    def _learn(self, numbers: Sequence[float], *, left: bool) -> None:
        """Takes over what Redis knows: the numbers of the script's answer after the wait."""

    def try_acquire(self, *, urgent: bool) -> float:
        # Perhaps the service named a time while Redis was away.
        closed_for = self._local.closed_for()
        if closed_for > 0:
            return closed_for
        wait = self._run("ask", int(urgent))
        return self._local.try_acquire(urgent=urgent) if wait is None else wait

    def refused(self, age: float, retry_after: float | None) -> None:
        if self._run("refused", age, retry_after or 0.0) is None:
            self._local.refused(age, retry_after)

    def accepted(self, age: float) -> None:
        if self._run("accepted", age) is None:
            self._local.accepted(age)

    def described(self, limit: int, remaining: int | None) -> None:
        if self._run("described", limit, -1 if remaining is None else remaining) is None:
            self._local.described(limit, remaining)

    @property
    def backs_off(self) -> bool:
        return self._local.backs_off

    @property
    def rate(self) -> float:
        return self._local.rate

    def closed_for(self) -> float:
        return self._local.closed_for()

    def _run(self, command: str, first: float, second: float = 0.0) -> float | None:
        """Returns the seconds to wait; None if Redis does not answer."""
        if self._away_until is not None and self._clock() < self._away_until:
            return None
        try:
            data = self._run_script(self._keys, [*self._arguments(), command, first, second])
        except RedisError as error:
            if self._away_until is None:
                _log.warning("pace_not_shared", error=type(error).__name__)
            self._away_until = self._clock() + _RETRIED_AFTER
            return None
        if self._away_until is not None:
            _log.info("pace_shared_again")
            self._away_until = None
        wait, *numbers = (float(value) for value in cast(list[bytes], data))
        self._learn(numbers, left=command == "ask" and wait == 0)
        return wait


class RedisRateLimit(SharedLimit):
    """The rate limit of all processes that use the same key."""

    def __init__(
        self,
        redis: Redis,
        key: str,
        ceiling: float = UNLIMITED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ceiling = ceiling
        self._rate = LocalRateLimit(ceiling, clock)
        super().__init__(redis, _SCRIPT, [key], self._rate, clock)

    def _arguments(self) -> list[float]:
        return [*_CONSTANTS, 0 if self._ceiling == UNLIMITED else self._ceiling]

    def _learn(self, numbers: Sequence[float], *, left: bool) -> None:
        rate, closed_for, unnamed = numbers
        self._rate.learn(rate or UNLIMITED, closed_for, int(unnamed), left=left)


def _reserved(requests: int) -> int:
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
        most = self.requests if urgent else max(self.requests - _reserved(self.requests), 1)
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
        super().__init__(redis, _MINUTE_SCRIPT, [key, f"{key}:calls"], self._minute, clock)

    def _arguments(self) -> list[float]:
        return [self._requests, _reserved(self._requests), _FIRST_HOLD, LONGEST_HOLD]

    def _learn(self, numbers: Sequence[float], *, left: bool) -> None:
        closed_for, unnamed, requests = numbers
        self._minute.learn(closed_for, int(unnamed), int(requests), left=left)
