"""Rate limiters and clocks of the services that connections call, shared by all calls."""

import os
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from django.conf import settings
from redis import Redis

from portal.access.closures import SharedClosures
from portal.access.models import Connection
from portal.client import (
    UNLIMITED,
    ClassLimiter,
    ClassLimits,
    LocalMinuteLimit,
    LocalRateLimit,
    Pacing,
    RateLimiter,
    RedisMinuteLimit,
    RedisRateLimit,
    RetryPolicy,
    connect_to_redis,
    is_asked_to_wait,
    limits,
)
from portal.config import clock
from portal.contract.operation import Weight

# Nobody waits for a page of this: it comes after those who do, and gives up later.
BACKGROUND = RetryPolicy(attempts=5, seconds=60.0)
# One of many calls beside each other: what failed is tried again by whoever made it, in its turn.
ONE_OF_MANY = replace(BACKGROUND, repeats=is_asked_to_wait)
_MOST_RATE_LIMITERS = 4096
_PREFIX = "switchboard:pace:"


def rate_limiter_of(connection: Connection) -> Pacing:
    """The rate limiter of the account that the connection leads to, shared by all processes with
    `REDIS_URL`; one for each class of operations where the connection's dialect names limits."""
    # A forked process must not wait for threads that it does not have.
    return _rate_limiter(connection.pace_key, connection.limits, os.getpid())


def closures_of(connection: Connection) -> SharedClosures:
    """The classes of operations that are used up for a while, of the account it leads to."""
    return SharedClosures(connection.pace_key, connection.limits)


@lru_cache(_MOST_RATE_LIMITERS)
def _rate_limiter(key: str, limits: ClassLimits, _process: int) -> Pacing:
    if not limits:
        return _by_second(key, None)
    return ClassLimiter({weight: _of_class(key, limits, weight) for weight in Weight})


def _of_class(key: str, limits: ClassLimits, weight: Weight) -> tuple[RateLimiter, str]:
    name = f"{key}:{weight}"
    requests = limits.a_minute(weight)
    if requests is None:
        return _by_second(name, limits.a_second(weight)), "second"
    if settings.REDIS_URL:
        shared = RedisMinuteLimit(_redis(settings.REDIS_URL), f"{_PREFIX}{name}", requests)
        return RateLimiter(shared), "minute"
    return RateLimiter(LocalMinuteLimit(requests)), "minute"


def _by_second(name: str, requests: int | None) -> RateLimiter:
    ceiling = min(settings.API_RATE_LIMIT or UNLIMITED, requests or UNLIMITED)
    if settings.REDIS_URL:
        return RateLimiter(RedisRateLimit(_redis(settings.REDIS_URL), f"{_PREFIX}{name}", ceiling))
    return RateLimiter(LocalRateLimit(ceiling))


@lru_cache(1)
def _redis(url: str) -> Redis:
    return connect_to_redis(url)


def ahead_of(service: str) -> float | None:
    """Returns by how many seconds at most; `None` where this machine knows nothing of it."""
    measured = limits.ahead_of(service)
    return measured.most + clock.ahead().total_seconds() if measured else None


def earliest(service: str, moment: datetime) -> datetime | None:
    """Returns the earliest that a moment by our clock may be by the service's."""
    seconds = ahead_of(service)
    return None if seconds is None else moment - timedelta(seconds=seconds)
