"""The rate limiter that all calls of one connection pass."""

import time
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Event, Lock
from typing import Any, Protocol, Self

from portal.client.limits import Quota
from portal.client.rate_limit import RateLimit
from portal.contract.operation import Operation, Weight

_SHORTEST_WAIT = 0.001
_LONGEST_WAIT = 60.0


class Pacing(Protocol):
    """The limiters of a connection by the class of an operation."""

    def weight_of(self, operation: Operation[Any, Any]) -> Weight: ...

    def of(self, weight: Weight) -> "RateLimiter": ...

    def heard(self, operation: Operation[Any, Any], quota: Quota) -> None: ...


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
            self._leave(me)

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

    def weight_of(self, operation: Operation[Any, Any]) -> Weight:
        """Returns the class of an operation."""
        return operation.weight or Weight.MEDIUM

    def of(self, weight: Weight) -> Self:  # noqa: ARG002
        """Returns the limiter of a class: this one, which is for all of them."""
        return self

    def heard(self, operation: Operation[Any, Any], quota: Quota) -> None:  # noqa: ARG002
        """Heeds a limit that an answer describes, unless it is that of a class."""
        if quota.unit == "second" and quota.limit and not quota.category:
            self.described(quota.limit, quota.remaining)

    def _leave(self, me: tuple[bool, int, Event]) -> None:
        with self._lock:
            if self._queue[0] is me:
                heappop(self._queue)
            else:
                self._queue.remove(me)
                heapify(self._queue)
            if self._queue:
                self._queue[0][2].set()


# What services call the classes; one that is called otherwise is the operation's own.
_CATEGORIES = {
    "light": Weight.LIGHT,
    "medium": Weight.MEDIUM,
    "heavy": Weight.HEAVY,
    "resource-intensive": Weight.SCARCE,
    "resource intensive": Weight.SCARCE,  # untranslated: in a header
}


class ClassLimiter:
    """A limiter for each class, for services that limit each by itself.

    An operation is in the class in which the service has counted it last.
    """

    def __init__(self, limiters: Mapping[Weight, tuple[RateLimiter, str]]) -> None:
        self._limiters = limiters
        self._counted_as: dict[str, Weight] = {}
        self._described: dict[Weight, tuple[int, int | None]] = {}

    def weight_of(self, operation: Operation[Any, Any]) -> Weight:
        return self._counted_as.get(operation.name) or operation.weight or Weight.MEDIUM

    def of(self, weight: Weight) -> RateLimiter:
        return self._limiters[weight][0]

    def heard(self, operation: Operation[Any, Any], quota: Quota) -> None:
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
