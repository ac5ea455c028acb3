"""The health of the service per connection, from the outcomes of its calls."""

import time
from collections.abc import Callable, Collection
from typing import Literal, cast

from portal.client import (
    ApiError,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unexpected,
    Unreachable,
)
from portal.config import cache

Health = Literal["reachable", "throttled", "down", "signed_out", "unknown"]

_SECONDS_KEPT = 600
_LOOK_EVERY = 1.0  # seconds in which a listener trusts what it saw, though others may know more


def of(key: str) -> Health:
    """Returns the health that the last call over the connection with this key has shown."""
    return of_many([key])[key]


def of_many(keys: Collection[str]) -> dict[str, Health]:
    """Returns the health of several connections, by their keys."""
    known = cache.get_many(_cache_key(key) for key in keys)
    return {key: cast(Health, known.get(_cache_key(key)) or "unknown") for key in keys}


def listener(key: str) -> Callable[[ApiError | None], None]:
    """Returns the function to which `HttpCaller` reports the end of each call."""

    known: Health = "unknown"
    known_until = 0.0

    def record(error: ApiError | None) -> None:
        nonlocal known, known_until
        now, moment = _judge(error), time.monotonic()
        if now == known and moment < known_until:
            return  # a job calls hundreds of times a second
        if of(key) != now:
            cache.set(_cache_key(key), now, _SECONDS_KEPT)
        known, known_until = now, moment + _LOOK_EVERY

    return record


def clear(key: str) -> None:
    cache.delete(_cache_key(key))


def _cache_key(key: str) -> str:
    return f"connection-health:{key}"


def _judge(error: ApiError | None) -> Health:
    if error is not None and error.is_sign_in:
        return "signed_out"
    if isinstance(error, Throttled):
        return "reachable" if error.is_about_one_user else "throttled"
    if isinstance(error, Unreachable | TimedOut | OutcomeUnknown | ServerFault | Unexpected):
        return "down"
    return "reachable"
