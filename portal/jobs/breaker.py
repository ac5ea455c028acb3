"""Patience with a service that fails: the job waits, ever longer, and then tries with one item."""

import random
import time
from collections.abc import Callable

_FIRST = 0.5
_LONGEST = 30.0


class Breaker:
    """`trouble` after each failure that is the service's, `success` after each answer."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._closed_until = 0.0
        self.words = ""

    @property
    def is_open(self) -> bool:
        """Whether the service failed last, so that the job waits or tries with one item."""
        return self._failures > 0

    @property
    def seconds_left(self) -> float:
        return max(self._closed_until - self._clock(), 0.0)

    def room(self, free: int, under_way: int) -> int:
        """How many pieces may begin now."""
        if not self.is_open:
            return free
        return 0 if self.seconds_left > 0 or under_way else min(free, 1)

    def success(self) -> None:
        self._failures = 0
        self._closed_until = 0.0
        self.words = ""

    def trouble(self, words: str, at_least: float = 0.0) -> None:
        """All that were in flight together and failed count as one failure."""
        self.words = words
        if self.seconds_left > 0:
            return
        self._failures += 1
        wait = min(_FIRST * 2 ** (self._failures - 1), _LONGEST)
        wait = max(wait * random.uniform(0.5, 1.0), at_least)  # noqa: S311
        self._closed_until = self._clock() + wait
