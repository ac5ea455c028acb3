"""A cache that may fail: if the backend is unavailable, every read is a miss.

It stores JSON: text, numbers, lists, and dicts whose keys are text. Code that needs the value, such
as the count of failed sign-ins, uses Django's cache itself.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

import structlog
from django.core.cache import cache
from redis import RedisError

_log = structlog.get_logger(__name__)
R = TypeVar("R")
_AHEAD: ContextVar[dict[str, Any] | None] = ContextVar("read_ahead", default=None)


@contextmanager
def read_ahead(keys: Iterable[str]) -> Iterator[None]:
    """Reads these keys at once: within the block, `get` and `get_many` of them ask the cache no
    more. It is for blocks that write none of them."""
    keys = list(keys)
    values = get_many(keys)
    token = _AHEAD.set((_AHEAD.get() or {}) | dict.fromkeys(keys) | values)
    try:
        yield
    finally:
        _AHEAD.reset(token)


def get(key: str) -> Any:
    """Returns the cached value; None if there is none, or the cache is unavailable."""
    ahead = _AHEAD.get()
    return ahead[key] if ahead and key in ahead else _quietly("get", key)


def set(key: str, value: Any, seconds: int) -> None:  # noqa: A001 - as Django's
    _quietly("set", key, value, seconds)


def cached(key: str, seconds: int, work: Callable[[], R]) -> R:
    """Returns the cached result of `work`, or what it returns now."""
    value = get(key)
    if value is None:
        value = work()
        set(key, value, seconds)
    return cast(R, value)


def get_or_set(key: str, value: object, seconds: float) -> Any:
    """Returns the cached value, and caches this one if there was none; None if the cache is
    unavailable."""
    return _quietly("get_or_set", key, value, seconds)


def get_many(keys: Iterable[str]) -> dict[str, Any]:
    """Returns the cached values of these keys."""
    ahead = _AHEAD.get() or {}
    keys = list(keys)
    values = {key: ahead[key] for key in keys if ahead.get(key) is not None}
    others = [key for key in keys if key not in ahead]
    return values | (_quietly("get_many", others) or {}) if others else values


def set_many(values: dict[str, Any], seconds: int) -> None:
    _quietly("set_many", values, seconds)


def add_one(key: str, seconds: int) -> int:
    """Returns a count increased by one, from 1 on; 0 if the cache is unavailable."""
    if _quietly("add", key, 1, seconds):
        return 1
    try:
        return _quietly("incr", key) or 0
    except ValueError:
        return 0  # it has just expired


def delete(key: str) -> None:
    _quietly("delete", key)


def _quietly(act: str, *arguments: object) -> Any:
    try:
        return getattr(cache, act)(*arguments)
    except (RedisError, OSError) as error:
        _log.warning("cache_away", error=type(error).__name__)
        return None
