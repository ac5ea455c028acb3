"""Classes of operations that the service has closed, for all processes of the portal."""

import time
from typing import Any

from portal.config import cache
from portal.contract.weight import Weight

_LOOK_EVERY = 1.0  # seconds in which what is open is taken to be so, though others may know more


class SharedClosures:
    """The closed classes of one account of a service, by what its connections have in common."""

    def __init__(self, pace_key: str) -> None:
        self._pace_key = pace_key
        self._looked_at: dict[Weight, float] = {}
        self._known: dict[Weight, tuple[float, str]] = {}

    def closed(self, weight: Weight) -> tuple[float, str]:
        """Returns for how many seconds more, and the service's words; 0 for an open class."""
        now = time.monotonic()
        if now > self._looked_at.get(weight, 0.0):
            said: dict[str, Any] = cache.get(self._cache_key(weight)) or {}
            self._known[weight] = said.get("until", 0.0), said.get("words", "")
            self._looked_at[weight] = now + _LOOK_EVERY
        until, words = self._known[weight]
        return max(until - time.time(), 0.0), words

    def close(self, weight: Weight, seconds: float, words: str) -> None:
        said = {"until": time.time() + seconds, "words": words}
        cache.set(self._cache_key(weight), said, int(seconds) + 1)
        self._looked_at.pop(weight, None)

    def _cache_key(self, weight: Weight) -> str:
        return f"class-closed:{self._pace_key}:{weight}"
