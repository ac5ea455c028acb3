"""Operations that the service has lately refused as out of reach over a connection: without the
scope or the plan that they need, or not offered.

Each is stored for a day. Readers in the background do not call them meanwhile, and the navigation
mutes their links; pages call them, and an answer ends it. All of it is deleted if a list is
refreshed by hand, the connection is checked, or has new credentials.
"""

import time
from collections.abc import Callable, Collection
from typing import Any, Literal, cast

from portal.access import metrics
from portal.client import (
    ApiError,
    CallEnd,
    NotAvailable,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unexpected,
    Unreachable,
)
from portal.client.errors import Lack
from portal.client.messages import MESSAGES
from portal.config import cache, clock
from portal.contract.operation import AnyOperation
from portal.translation import stored
from portal.translation.stored import in_english

_DAY = 86_400
TRUSTED_SECONDS = 2.0  # for which a caller trusts what it read, though others may know more
Health = Literal["reachable", "throttled", "down", "signed_out", "unknown"]
_SECONDS_KEPT = 600
_OUT_OF_REACH, _HEALTH = "connection-out-of-reach:", "connection-health:"  # keys of the cache
_JUDGED_EVERY = 1.0  # seconds in which a listener trusts what it saw, though others may know more


def out_of_reach(key: str) -> dict[str, dict[str, Any]]:
    """Returns what was stored of each operation over the connection with this key, by its name."""
    records: dict[str, dict[str, Any]] = cache.get(f"{_OUT_OF_REACH}{key}") or {}
    now = clock.now().timestamp()
    return {name: record for name, record in records.items() if record["since"] > now - _DAY}


def forget(key: str) -> None:
    """Has all operations of the connection called again."""
    cache.delete(f"{_OUT_OF_REACH}{key}")


class CallListener:
    """Listener of `HttpCaller` for the end of each call over a connection: stores the health of the
    service, and what is out of reach. Calls `also` too."""

    def __init__(self, key: str, also: Callable[[CallEnd], None] | None = None) -> None:
        self._key = key
        self._also = also
        self._lacking: dict[str, dict[str, object]] = {}
        self._lacking_until = 0.0
        self._health: Health = "unknown"
        self._health_until = 0.0

    def __call__(self, end: CallEnd) -> None:
        metrics.call_ended(end)
        error, moment = end.error, time.monotonic()
        # A job calls hundreds of times a second.
        if moment > self._health_until or health_shown_by(error) != self._health:
            self._health = record_health(self._key, error)
            self._health_until = moment + _JUDGED_EVERY
        if moment > self._lacking_until:
            self._lacking, self._lacking_until = out_of_reach(self._key), moment + TRUSTED_SECONDS
        lacks = isinstance(error, NotAvailable)
        if (lacks or not error) and lacks != (end.operation in self._lacking):
            self._lacking = out_of_reach(self._key)
            if isinstance(error, NotAvailable):
                self._lacking[end.operation] = _record_of(error)
            else:
                self._lacking.pop(end.operation, None)
            cache.set(f"{_OUT_OF_REACH}{self._key}", self._lacking, _DAY)
        if self._also:
            self._also(end)


def _record_of(error: NotAvailable) -> dict[str, object]:
    with in_english():
        words = error.message
    return {
        "lack": error.lack,
        "scopes": list(error.scopes),
        "status": error.status,
        "code": error.code,
        "words": words,
        "renews": error.renews,
        "since": clock.now().timestamp(),
    }


def refused_before(operation: AnyOperation, record: dict[str, Any]) -> NotAvailable:
    """Returns the error for an operation that is in `out_of_reach`."""
    words = stored.shown(record["words"], MESSAGES)
    error = NotAvailable(operation, words, status=record["status"], code=record["code"])
    error.renews = bool(record.get("renews"))
    error.lack, error.scopes = cast(Lack, record["lack"]), tuple(record["scopes"])
    return error


def health_by_connection(keys: Collection[str]) -> dict[str, Health]:
    """Returns the health that the last call over each connection has shown, by their keys."""
    healths = cache.get_many(f"{_HEALTH}{key}" for key in keys)
    return {key: cast(Health, healths.get(f"{_HEALTH}{key}") or "unknown") for key in keys}


def record_health(key: str, error: ApiError | None) -> Health:
    """Stores the health that a call over the connection with this key has shown."""
    health = health_shown_by(error)
    if cache.get(f"{_HEALTH}{key}") != health:
        cache.set(f"{_HEALTH}{key}", health, _SECONDS_KEPT)
    return health


def clear_health(key: str) -> None:
    cache.delete(f"{_HEALTH}{key}")


def health_shown_by(error: ApiError | None) -> Health:
    """Returns the health of a service after a call that ended with this error, or without one."""
    if error is not None and error.is_sign_in:
        return "signed_out"
    if isinstance(error, Throttled):
        return "reachable" if error.is_narrow else "throttled"
    if isinstance(error, Unreachable | TimedOut | OutcomeUnknown | ServerFault | Unexpected):
        return "down"
    return "reachable"
