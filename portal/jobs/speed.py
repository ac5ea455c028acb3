"""Speed of a job, as its page shows it."""

import math
import time
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from portal.client import RateLimiter
from portal.config import clock
from portal.jobs.breaker import Breaker
from portal.jobs.models import Job

_WINDOW = 10.0
_WORTH_SAYING = 45.0  # seconds: longer than rows wait that failed by themselves


class Speed:
    """Counts items that ended, over the last seconds."""

    def __init__(self, job: Job) -> None:
        self._began = time.monotonic()
        self._known = job.rate
        self._ended: list[tuple[float, int]] = []

    def count(self, items: int) -> None:
        if items:
            self._ended.append((time.monotonic(), items))

    def rate(self) -> float | None:
        """Items per second; what was known before, while too little was seen."""
        now = time.monotonic()
        self._ended = [each for each in self._ended if each[0] > now - _WINDOW]
        span = min(now - self._began, _WINDOW)
        if span < 1.0:
            return self._known
        return sum(items for _, items in self._ended) / span

    def measurements(
        self, rate_limiters: Collection[RateLimiter], breaker: Breaker, next_due: float | None
    ) -> dict[str, Any]:
        """The fields of the job that record it. Of its limiters one may be closed while others let
        it go on; its rows may all wait by themselves until the first is due."""
        closed_for = min((one.closed_for for one in rate_limiters), default=0.0)
        due_in = next_due - time.monotonic() if next_due else 0.0
        wait = max(closed_for, breaker.seconds_left, due_in if due_in > _WORTH_SAYING else 0.0)
        pace = min((one.rate for one in rate_limiters), default=math.inf)
        return {
            "rate": self.rate(),
            "pace": pace if math.isfinite(pace) else None,
            "waits_until": clock.now() + timedelta(seconds=wait) if wait > 0.5 else None,
            "trouble": breaker.words,
            "openings": breaker.openings,
        }
