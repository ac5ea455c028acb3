"""The rate limiter that all calls of one connection pass."""

import math
import time
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Event, Lock
from typing import Protocol, Self

from portal.client.limits import Quota
from portal.contract.operation import AnyOperation, Weight

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
_SHORTEST_WAIT = 0.001
_LONGEST_WAIT = 60.0
# What services call the classes; one that is called otherwise is the operation's own.
_CATEGORIES = {
    "light": Weight.LIGHT,
    "medium": Weight.MEDIUM,
    "heavy": Weight.HEAVY,
    "resource-intensive": Weight.SCARCE,
    "resource intensive": Weight.SCARCE,  # untranslated: in a header
}


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
            reduced = KEPT * min(self.rate, self._measured)
            self._floor = self._least()
            self.rate, self._cut = reduced, now
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


class Pacing(Protocol):
    """The limiters of a connection by the class of an operation."""

    def weight_of(self, operation: AnyOperation) -> Weight: ...

    def of(self, weight: Weight) -> "RateLimiter": ...

    def heard(self, operation: AnyOperation, quota: Quota) -> None: ...


class RateLimiter:
    """Lets the threads of a process through within the connection's rate limit: urgent ones
    before others, else in the order in which they came.

    Only the first in the queue asks the rate limit, so many who wait cost no more than one.
    """

    def __init__(
        self,
        limit: RateLimit,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[Event, float], object] = Event.wait,
    ) -> None:
        self._limit = limit
        self._clock = clock
        self._wait = wait
        self._lock = Lock()
        self._queue: list[tuple[bool, int, Event]] = []
        self._numbers = count()
        self._last_wait = 0.0

    def acquire(self, seconds: float, *, urgent: bool) -> float:
        """Returns 0 once a call may leave; after at most these seconds, without waiting where that
        is foreseeable, else how long it would still have to wait."""
        until = self._clock() + seconds
        turn = Event()
        me = (not urgent, next(self._numbers), turn)
        with self._lock:
            heappush(self._queue, me)
        try:
            while True:
                left = until - self._clock()
                with self._lock:
                    turn.clear()
                    is_first = self._queue[0] is me
                    if is_first:
                        self._last_wait = self._limit.try_acquire(urgent=urgent)
                    wait = self._last_wait
                if is_first and wait <= 0:
                    return 0.0
                if left <= 0 or (is_first and wait > left):
                    return max(wait, _SHORTEST_WAIT)
                sleep = min(wait, left) if is_first else left
                self._wait(turn, min(max(sleep, _SHORTEST_WAIT), _LONGEST_WAIT))
        finally:
            with self._lock:
                if self._queue[0] is me:
                    heappop(self._queue)
                else:
                    self._queue.remove(me)
                    heapify(self._queue)
                if self._queue:
                    self._queue[0][2].set()

    def refused(self, age: float, retry_after: float | None) -> None:
        """The service has answered a call that left `age` seconds ago with 429."""
        with self._lock:
            self._limit.refused(age, retry_after)

    def accepted(self, age: float) -> None:
        """The service has let in a call that left `age` seconds ago."""
        if self._limit.backs_off:
            with self._lock:
                self._limit.accepted(age)

    def described(self, limit: int, remaining: int | None) -> None:
        """The service has said what it allows, and what is left of it."""
        with self._lock:
            self._limit.described(limit, remaining)

    @property
    def rate(self) -> float:
        """The requests per second that are allowed, as far as this process knows; may be inf."""
        return self._limit.rate

    @property
    def closed_for(self) -> float:
        """Seconds for which nothing may be sent, since the service has named a time."""
        return self._limit.closed_for()

    def weight_of(self, operation: AnyOperation) -> Weight:
        return operation.weight or Weight.MEDIUM

    def of(self, weight: Weight) -> Self:  # noqa: ARG002
        """Returns the limiter of a class: this one, which is for all of them."""
        return self

    def heard(self, operation: AnyOperation, quota: Quota) -> None:  # noqa: ARG002
        """Heeds a limit that an answer describes, unless it is that of a class."""
        if quota.unit == "second" and quota.limit and not quota.category:
            self.described(quota.limit, quota.remaining)


class ClassLimiter:
    """A limiter for each class, for services that limit each by itself.

    An operation is in the class in which the service has counted it last, before that in that of
    `classes`, by its name.
    """

    def __init__(
        self,
        limiters: Mapping[Weight, tuple[RateLimiter, str]],
        classes: Mapping[str, Weight] | None = None,
    ) -> None:
        self._limiters = limiters
        self._classes = classes or {}
        self._counted_as: dict[str, Weight] = {}
        self._described: dict[Weight, tuple[int, int | None]] = {}

    def weight_of(self, operation: AnyOperation) -> Weight:
        known = self._counted_as.get(operation.name) or self._classes.get(operation.name)
        return known or operation.weight or Weight.MEDIUM

    def of(self, weight: Weight) -> RateLimiter:
        return self._limiters[weight][0]

    def heard(self, operation: AnyOperation, quota: Quota) -> None:
        weight = _CATEGORIES.get(quota.category.casefold())
        if weight is not None:
            self._counted_as[operation.name] = weight
        weight = weight or self.weight_of(operation)
        limiter, unit = self._limiters[weight]
        if quota.unit != unit or not quota.limit:
            return
        # What is left of a second is over with it, so that only another limit is news.
        news = (quota.limit, quota.remaining if unit == "minute" else None)
        if self._described.get(weight) != news:
            self._described[weight] = news
            limiter.described(*news)
