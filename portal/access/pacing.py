"""One gate per connection: all its calls, whoever makes them, share the service's limit."""

import os
from dataclasses import replace
from functools import lru_cache

from django.conf import settings
from redis import Redis

from portal.client import (
    UNLIMITED,
    Gate,
    LocalPace,
    Patience,
    RedisPace,
    connect_to_redis,
    is_asked_to_wait,
)

# Nobody waits for a page of this: it comes after those who do, and gives up later.
BACKGROUND = Patience(attempts=5, seconds=60.0)
# One of many calls beside each other: what failed is tried again by whoever made it, in its turn.
ONE_OF_MANY = replace(BACKGROUND, repeats=is_asked_to_wait)

_MOST_GATES = 4096


def gate_of(key: str) -> Gate:
    """The gate of the connection with this key; with `REDIS_URL`, all processes share its pace."""
    # A forked process must not wait for threads that it does not have.
    return _gate(key, os.getpid())


@lru_cache(_MOST_GATES)
def _gate(key: str, _process: int) -> Gate:
    ceiling = settings.API_RATE_LIMIT or UNLIMITED
    if settings.REDIS_URL:
        return Gate(RedisPace(_redis(settings.REDIS_URL), f"switchboard:pace:{key}", ceiling))
    return Gate(LocalPace(ceiling))


@lru_cache(1)
def _redis(url: str) -> Redis:
    return connect_to_redis(url)
