"""The rate limit of one connection, learned from the service's 429 answers.

Calls are spaced evenly (GCRA). The rate is cut when the service refuses one (429), and rises while
calls are waiting for it, so that it finds the service's limit and stays about there. After a
refusal nothing may be sent before the time that the service has named. Where it names none, and
refuses again though nothing was accepted in between, the wait doubles up to a bound.
"""

import math
import time
from collections.abc import Callable
from typing import Protocol

UNLIMITED = math.inf
KEPT = 0.95  # of the rate that was measured when the service refused
LEAST_KEPT = 0.5  # of the rate that was allowed, whatever was measured
RISE = 0.02  # of the rate, each second
LEAST_RISE = 0.05  # requests per second, each second
LOWEST = 1.0  # requests per second; where that is too many, the times named by the service rule
FIRST_GUESS = 5.0  # requests per second at least, since an idle connection measures nothing
FIRST_HOLD = 1.0  # seconds without a call, after a second refusal that names no time,
LONGEST_HOLD = 300.0  # and at most
_MOST_DOUBLINGS = 20
SLACK = 0.1  # seconds: how late a call may be without losing its turn


class RateLimit(Protocol):
    """Decides when the next call of a connection may leave. Seconds everywhere."""

    def try_acquire(self, *, urgent: bool) -> float:
        """0 when a call may leave now, which it then has to; else how long it is to wait."""

    def refused(self, age: float, retry_after: float | None) -> None:
        """A call that left `age` seconds ago was answered with 429."""

    def accepted(self, age: float) -> None:
        """A call that left `age` seconds ago was let in; to be called where `backs_off`."""

    def described(self, limit: int, remaining: int | None) -> None:
        """The service has said what it allows: a second, or whatever else the limit is for."""

    @property
    def backs_off(self) -> bool:
        """Returns whether the service has refused calls without naming a time, and accepted none
        since."""

    @property
    def rate(self) -> float:
        """Requests per second that are allowed, as far as this process knows; may be inf."""

    def closed_for(self) -> float:
        """Seconds until anything may be sent, by what the service has named."""


class LocalRateLimit:
    """The rate limit of one process. Not for several threads at once: its `RateLimiter` sees to
    that."""

    def __init__(
        self, ceiling: float = UNLIMITED, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ceiling = ceiling
        self._clock = clock
        self.rate: float = ceiling
        self._opens = self._next = self._seen = self._cut = clock() - 1.0
        self._measured = 0.0  # calls of about the last second that were not refused
        self._floor = 0.0
        self._unnamed = 0  # refusals in a row that named no time

    def try_acquire(self, *, urgent: bool) -> float:  # noqa: ARG002 - the limiter lets those in first
        now = self._clock()
        wait = max(self._opens, self._next) - now
        if wait > 0:
            return wait
        if self.rate < UNLIMITED and now - self._next <= SLACK + 1 / self.rate:
            rise = max(self.rate * RISE, LEAST_RISE) * min(now - self._seen, 1.0)
            self.rate = min(self.rate + rise, self._ceiling)
        self._next = max(self._next, now - SLACK) + 1 / self.rate
        self._count(now)
        return 0.0

    def refused(self, age: float, retry_after: float | None) -> None:
        now = self._clock()
        self._opens = max(self._opens, now + (retry_after or 0.0))
        if now - age > self._cut:
            self._decay(now)
            kept = KEPT * min(self.rate, self._measured)
            self._floor = self._least()
            self.rate, self._cut = kept, now
            self._opens = max(self._opens, now + self._hold(retry_after))
        # Of calls that were under way at the cut, each refusal shows that it measured too much.
        self._measured = max(self._measured - 1, 0.0)
        self.rate = max(self.rate - KEPT, self._floor)
        self._seen = max(self._seen, self._opens)  # nothing is measured while nothing may leave

    def accepted(self, age: float) -> None:
        if self._clock() - age > self._cut:
            self._unnamed = 0

    def described(self, limit: int, remaining: int | None) -> None:  # noqa: ARG002 - of one second
        if self.rate >= self._ceiling:  # never cut
            self.rate = limit
        self._ceiling = limit
        self.rate = min(self.rate, limit)

    @property
    def backs_off(self) -> bool:
        return self._unnamed > 0

    def _hold(self, retry_after: float | None) -> float:
        """Seconds without a call, where the service does not say how many."""
        self._unnamed = 0 if retry_after else self._unnamed + 1
        if self._unnamed < 2:  # the rate alone is to blame, and has just been cut
            return 0.0
        return min(FIRST_HOLD * 2.0 ** min(self._unnamed - 2, _MOST_DOUBLINGS), LONGEST_HOLD)

    def _least(self) -> float:
        if self.rate == UNLIMITED:
            return FIRST_GUESS
        return max(LEAST_KEPT * self.rate, min(LOWEST, self.rate))

    def closed_for(self) -> float:
        """Seconds until anything may be sent, by what the service has named."""
        return max(self._opens - self._clock(), 0.0)

    def learn(self, rate: float, closed_for: float, unnamed: int, *, left: bool) -> None:
        """Takes over what is known elsewhere, and whether a call may leave by it."""
        now = self._clock()
        self.rate = rate
        self._unnamed = unnamed
        self._opens = max(self._opens, now + closed_for)
        if left:
            self._count(now)

    def _count(self, now: float) -> None:
        self._decay(now)
        self._measured += 1

    def _decay(self, now: float) -> None:
        if now > self._seen:
            self._measured *= math.exp(self._seen - now)
            self._seen = now
