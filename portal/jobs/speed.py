"""Speed of a job, as its page shows it."""

import math
import time
from datetime import timedelta
from typing import Any

from portal.client import RateLimiter
from portal.config import clock
from portal.jobs.breaker import Breaker
from portal.jobs.models import Job

_WINDOW = 10.0


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

    def measurements(self, rate_limiter: RateLimiter, breaker: Breaker) -> dict[str, Any]:
        """The fields of the job that record it."""
        wait = max(rate_limiter.closed_for, breaker.seconds_left)
        pace = rate_limiter.rate
        return {
            "rate": self.rate(),
            "pace": pace if math.isfinite(pace) else None,
            "waits_until": clock.now() + timedelta(seconds=wait) if wait > 0.5 else None,
            "trouble": breaker.words,
            "openings": breaker.openings,
        }
