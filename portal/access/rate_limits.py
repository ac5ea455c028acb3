"""One rate limiter per account, which all its calls share, whoever makes them."""

import os
from dataclasses import replace
from functools import lru_cache

from django.conf import settings
from redis import Redis

from portal.access.models import Connection
from portal.client import (
    UNLIMITED,
    LocalRateLimit,
    RateLimiter,
    RedisRateLimit,
    RetryPolicy,
    connect_to_redis,
    is_asked_to_wait,
)

# Nobody waits for a page of this: it comes after those who do, and gives up later.
BACKGROUND = RetryPolicy(attempts=5, seconds=60.0)
# One of many calls beside each other: what failed is tried again by whoever made it, in its turn.
ONE_OF_MANY = replace(BACKGROUND, repeats=is_asked_to_wait)

_MOST_RATE_LIMITERS = 4096


def rate_limiter_of(connection: Connection) -> RateLimiter:
    """The rate limiter of the account that the connection leads to, shared by all processes with
    `REDIS_URL`."""
    # A forked process must not wait for threads that it does not have.
    return _rate_limiter(connection.pace_key, os.getpid())


@lru_cache(_MOST_RATE_LIMITERS)
def _rate_limiter(key: str, _process: int) -> RateLimiter:
    ceiling = settings.API_RATE_LIMIT or UNLIMITED
    if settings.REDIS_URL:
        return RateLimiter(
            RedisRateLimit(_redis(settings.REDIS_URL), f"switchboard:pace:{key}", ceiling)
        )
    return RateLimiter(LocalRateLimit(ceiling))


@lru_cache(1)
def _redis(url: str) -> Redis:
    return connect_to_redis(url)
