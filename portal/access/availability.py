"""Operations that the service has lately said to be out of reach over a connection: for
want of a scope, of the plan, or because it does not have it.

It is kept for a day, for an operation each. Readers in the background do not ask for it meanwhile,
and the navigation mutes what leads to it; pages ask, and what answers them is there again. All of
it is forgotten when a list is refreshed by hand, the connection is checked, or has new credentials.
"""

import time
from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal, TypeVar, cast

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
from portal.contract.operation import AnyOperation, Call, Caller, Effect
from portal.translation import stored
from portal.translation.stored import in_english

R = TypeVar("R")
_DAY = 86_400
_LOOK_EVERY = 2.0  # seconds in which a caller trusts what it saw, though others may know more
Health = Literal["reachable", "throttled", "down", "signed_out", "unknown"]
_SECONDS_KEPT = 600
_JUDGED_EVERY = 1.0  # seconds in which a listener trusts what it saw, though others may know more


def out_of_reach(key: str) -> dict[str, dict[str, Any]]:
    """Returns what was said of each operation over the connection with this key, by its name."""
    known: dict[str, dict[str, Any]] = cache.get(_cache_key(key)) or {}
    now = clock.now().timestamp()
    return {name: said for name, said in known.items() if said["since"] > now - _DAY}


def forget(key: str) -> None:
    """Has everything of the connection asked for again."""
    cache.delete(_cache_key(key))


def listener(key: str) -> Callable[[CallEnd], None]:
    """Returns what `HttpCaller` reports the end of each call to."""
    known: dict[str, dict[str, Any]] = {}
    known_until = 0.0

    def ended(end: CallEnd) -> None:
        nonlocal known, known_until
        metrics.call_ended(end)
        error = end.error
        lacks = isinstance(error, NotAvailable)
        if time.monotonic() > known_until:
            known, known_until = out_of_reach(key), time.monotonic() + _LOOK_EVERY
        if (error and not lacks) or lacks == (end.operation in known):
            return
        now_known = out_of_reach(key)
        if isinstance(error, NotAvailable):
            now_known[end.operation] = _said(error)
        else:
            now_known.pop(end.operation, None)
        cache.set(_cache_key(key), now_known, _DAY)
        known = now_known

    return ended


class Refraining:
    """Carries calls out through another caller, but for reads that are known to be out of reach,
    which fail as they did before."""

    def __init__(self, inner: Caller, key: str) -> None:
        self._inner = inner
        self._key = key
        self._known: dict[str, dict[str, Any]] = {}
        self._known_until = 0.0

    def __call__(self, call: Call[R]) -> R:
        self._check(call.operation)
        return self._inner(call)

    def pages(self, call: Call[R]) -> Iterator[R]:
        self._check(call.operation)
        return self._inner.pages(call)

    def _check(self, operation: AnyOperation) -> None:
        if operation.effect is not Effect.READ:
            return
        if time.monotonic() > self._known_until:
            self._known = out_of_reach(self._key)
            self._known_until = time.monotonic() + _LOOK_EVERY
        if said := self._known.get(operation.name):
            raise _as_before(operation, said)


def _said(error: NotAvailable) -> dict[str, object]:
    with in_english():
        words = error.message
    return {
        "lack": error.lack,
        "scopes": list(error.scopes),
        "status": error.status,
        "code": error.code,
        "words": words,
        "since": clock.now().timestamp(),
    }


def _as_before(operation: AnyOperation, said: dict[str, Any]) -> NotAvailable:
    words = stored.shown(said["words"], MESSAGES)
    error = NotAvailable(operation, words, status=said["status"], code=said["code"])
    error.lack, error.scopes = cast(Lack, said["lack"]), tuple(said["scopes"])
    return error


def _cache_key(key: str) -> str:
    return f"connection-out-of-reach:{key}"


def health_of(key: str) -> Health:
    """Returns the health that the last call over the connection with this key has shown."""
    return health_by_connection([key])[key]


def health_by_connection(keys: Collection[str]) -> dict[str, Health]:
    """Returns the health of several connections, by their keys."""
    known = cache.get_many(_health_key(key) for key in keys)
    return {key: cast(Health, known.get(_health_key(key)) or "unknown") for key in keys}


def health_listener(key: str) -> Callable[[ApiError | None], None]:
    """Returns the function to which `HttpCaller` reports the end of each call."""

    known: Health = "unknown"
    known_until = 0.0

    def record(error: ApiError | None) -> None:
        nonlocal known, known_until
        now, moment = _judge(error), time.monotonic()
        if now == known and moment < known_until:
            return  # a job calls hundreds of times a second
        if health_of(key) != now:
            cache.set(_health_key(key), now, _SECONDS_KEPT)
        known, known_until = now, moment + _JUDGED_EVERY

    return record


def clear_health(key: str) -> None:
    cache.delete(_health_key(key))


def _health_key(key: str) -> str:
    return f"connection-health:{key}"


def _judge(error: ApiError | None) -> Health:
    if error is not None and error.is_sign_in:
        return "signed_out"
    if isinstance(error, Throttled):
        return "reachable" if error.is_about_one_user else "throttled"
    if isinstance(error, Unreachable | TimedOut | OutcomeUnknown | ServerFault | Unexpected):
        return "down"
    return "reachable"
