"""How the conferencing service behaves over each connection, as its calls end."""

from collections.abc import Callable
from typing import Literal, cast

from portal import cache
from portal.client import (
    ApiError,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unexpected,
    Unreachable,
)

Health = Literal["reachable", "throttled", "down", "unknown"]

_SECONDS_KEPT = 600


def of(key: str) -> Health:
    """What the last call over the connection with this key has shown."""
    return cast(Health, cache.recall(_cache_key(key)) or "unknown")


def listener(key: str) -> Callable[[ApiError | None], None]:
    """What `HttpCaller` tells the end of each call."""

    def hear(error: ApiError | None) -> None:
        now = _judge(error)
        if of(key) != now:
            cache.keep(_cache_key(key), now, _SECONDS_KEPT)

    return hear


def forget(key: str) -> None:
    cache.forget(_cache_key(key))


def _cache_key(key: str) -> str:
    return f"connection-health:{key}"


def _judge(error: ApiError | None) -> Health:
    if isinstance(error, Throttled):
        return "throttled"
    if isinstance(error, Unreachable | TimedOut | OutcomeUnknown | ServerFault | Unexpected):
        return "down"
    return "reachable"
