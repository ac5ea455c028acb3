"""The rate limit that processes share through Redis."""

import time
from collections.abc import Callable
from pathlib import Path

import structlog
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from portal.client.rate_limit import (
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


def connect_to_redis(url: str) -> Redis:
    """A Redis that is given up soon: a call to the service is worth more than its rate limit."""
    return Redis.from_url(
        url,
        socket_connect_timeout=_TIMEOUT,
        socket_timeout=_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


class RedisRateLimit:
    """The rate limit of all processes that use the same key, by the clock of Redis.

    While Redis is away each process keeps the rate that was known last; the log says so once.
    """

    def __init__(
        self,
        redis: Redis,
        key: str,
        ceiling: float = UNLIMITED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._run_script = redis.register_script(_SCRIPT)
        self._key = key
        self._ceiling = ceiling
        self._clock = clock
        self._local = LocalRateLimit(ceiling, clock)
        self._away_until: float | None = None

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
        if self._run("described", limit) is None:
            self._local.described(limit, remaining)

    @property
    def backs_off(self) -> bool:
        return self._local.backs_off

    @property
    def rate(self) -> float:
        return self._local.rate

    def closed_for(self) -> float:
        return self._local.closed_for()

    def _run(self, *command: str | float) -> float | None:
        """The seconds to wait; None where Redis does not answer."""
        if self._away_until is not None and self._clock() < self._away_until:
            return None
        ceiling = 0 if self._ceiling == UNLIMITED else self._ceiling
        try:
            data = self._run_script([self._key], [*_CONSTANTS, ceiling, *command])
        except RedisError as error:
            if self._away_until is None:
                _log.warning("pace_not_shared", error=type(error).__name__)
            self._away_until = self._clock() + _RETRIED_AFTER
            return None
        if self._away_until is not None:
            _log.info("pace_shared_again")
            self._away_until = None
        wait, rate, closed_for, unnamed = (float(value) for value in data)
        left = command[0] == "ask" and wait == 0
        self._local.learn(rate or UNLIMITED, closed_for, int(unnamed), left=left)
        return wait
