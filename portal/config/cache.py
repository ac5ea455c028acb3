"""A cache that may fail: where the backend is unavailable, every read is a miss.

It keeps what JSON has: text, numbers, lists, and dicts whose keys are text.

Whatever has to be known, such as how often somebody tried to sign in, asks Django's cache itself.
"""

from collections.abc import Iterable
from typing import Any

import structlog
from django.core.cache import cache
from redis import RedisError

_log = structlog.get_logger(__name__)


def get(key: str) -> Any:
    """Returns the cached value; None if there is none, or if the cache is away."""
    return _quietly("get", key)


def set(key: str, value: Any, seconds: int) -> None:  # noqa: A001 - as Django's
    _quietly("set", key, value, seconds)


def get_or_set(key: str, value: object, seconds: float) -> Any:
    """Returns the cached value, which is this one from now on if there was none; None if the cache
    is away."""
    return _quietly("get_or_set", key, value, seconds)


def get_many(keys: Iterable[str]) -> dict[str, Any]:
    """Returns the cached values of these keys."""
    return _quietly("get_many", list(keys)) or {}


def set_many(values: dict[str, Any], seconds: int) -> None:
    _quietly("set_many", values, seconds)


def add_one(key: str, seconds: int) -> int:
    """Counts one more, from 1 on; 0 where the cache is away."""
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
