"""The cache for what can be done without: where it is away, it remembers nothing.

It keeps what JSON has: text, numbers, lists, and dicts whose keys are text.

Whatever has to be known, such as how often somebody tried to sign in, asks Django's cache itself.
"""

from collections.abc import Iterable
from typing import Any

import structlog
from django.core.cache import cache
from redis import RedisError

_log = structlog.get_logger(__name__)


def recall(key: str) -> Any:
    """What is kept; None where nothing is, or where the cache is away."""
    return _quietly("get", key)


def keep(key: str, value: Any, seconds: int) -> None:
    _quietly("set", key, value, seconds)


def recall_many(keys: Iterable[str]) -> dict[str, Any]:
    """What is kept of these."""
    return _quietly("get_many", list(keys)) or {}


def keep_many(values: dict[str, Any], seconds: int) -> None:
    _quietly("set_many", values, seconds)


def forget(key: str) -> None:
    _quietly("delete", key)


def _quietly(act: str, *told: Any) -> Any:
    try:
        return getattr(cache, act)(*told)
    except (RedisError, OSError) as error:
        _log.warning("cache_away", error=type(error).__name__)
        return None
