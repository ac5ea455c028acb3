"""The rate limiter that all calls of one connection pass."""

import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Event, Lock

from portal.client.rate_limit import RateLimit

_SHORTEST_WAIT = 0.001
_LONGEST_WAIT = 60.0


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

    @property
    def rate(self) -> float:
        """The requests per second that are allowed, as far as this process knows; may be inf."""
        return self._limit.rate

    @property
    def closed_for(self) -> float:
        """Seconds for which nothing may be sent, since the service has named a time."""
        return self._limit.closed_for()

    def _leave(self, me: tuple[bool, int, Event]) -> None:
        with self._lock:
            if self._queue[0] is me:
                heappop(self._queue)
            else:
                self._queue.remove(me)
                heapify(self._queue)
            if self._queue:
                self._queue[0][2].set()
