"""The consequence of a failed call: for its item, and for the job, whose circuit breaker waits.

A call that fails now and then concerns its own item. If most of the last calls failed, the circuit
opens: the job waits, ever longer, and then tries with one item (half-open) before all go on. The
job waits for a time that the service names, whatever the outcome of the other calls.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from datetime import timedelta
from enum import Enum

from portal.client import (
    CLOSES_CLASS,
    GATEWAY_FAULTS,
    ApiError,
    Conflict,
    NotAvailable,
    OutcomeUnknown,
    RateLimiter,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
    backoff,
)
from portal.config import clock
from portal.jobs.models import Job


class FailureMeaning(Enum):
    """Meaning of a failure. `WAIT`: it did not happen, and may later. `UNKNOWN`: it may have
    happened. `REFUSED`: this item cannot be done. `STOP`: no item can, until a person has fixed
    something. `EXISTS`: the name exists, perhaps by an earlier attempt of the same item."""

    WAIT = "wait"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    STOP = "stop"
    EXISTS = "exists"


def meaning_of(error: ApiError) -> FailureMeaning:
    if isinstance(error, Unauthorized) and error.status == 401:
        return FailureMeaning.STOP
    if isinstance(error, Unreachable) and error.reason in ("address", "certificate"):
        return FailureMeaning.STOP
    if isinstance(error, NotAvailable) and error.may_be_there:
        return FailureMeaning.STOP
    if error.may_have_happened:
        return FailureMeaning.UNKNOWN
    if passes(error):
        return FailureMeaning.WAIT
    return FailureMeaning.EXISTS if isinstance(error, Conflict) else FailureMeaning.REFUSED


def is_signed_out(error: ApiError) -> bool:
    """Returns whether the same call may succeed with other credentials."""
    is_refused = isinstance(error, Unauthorized) and error.status == 401
    return is_refused or error.is_sign_in or isinstance(error, NotAvailable)


def passes(error: ApiError) -> bool:
    """Returns whether the same call may work later by itself."""
    if isinstance(error, Unreachable):
        return error.reason not in ("address", "certificate")
    return isinstance(error, Throttled | TimedOut | OutcomeUnknown | ServerFault) or (
        isinstance(error, Unexpected) and error.status < 400
    )


def is_final(error: ApiError) -> bool:
    """Returns whether the service has answered, so that nothing of the request is under way."""
    return isinstance(error, ServerFault | Unexpected) and error.status not in GATEWAY_FAULTS


def problems_of(error: ApiError) -> list[list[str]]:
    """Returns the service's problems with single fields, as an item stores them."""
    return [[problem.field, problem.message] for problem in error.fields]


_CALLS = 20  # the last calls that count
_LEAST = 10  # calls from which on the circuit may open
_SHARE = 0.5  # of failures among them, above which the circuit opens
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_WINDOW = 10.0
_WORTH_A_MESSAGE = 45.0  # seconds: longer than the wait of rows that failed on their own


class Breaker:
    """Circuit breaker of a job. `record` is called after each call, in the thread that made it:
    requests that wait for their turn are then withheld.

    If a job's calls are not all of one class, a limit that one class or one user has used up
    concerns only the rows that need it.

    `is_open` while failures prevail, so that the job waits or tries with one item. `openings`
    counts the openings since the service was well; another worker continues with it, the seconds
    left and the words (`restored`).
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_of_one_class: bool = True,
        is_of_one_operation: bool = True,
    ) -> None:
        self._clock = clock
        self._is_of_one_class = is_of_one_class
        self._is_of_one_operation = is_of_one_operation
        self._lock = threading.Lock()
        self._failed: deque[bool] = deque(maxlen=_CALLS)
        self._closed_until = 0.0
        self.is_open = False
        self.openings = 0
        self.words = ""
        self._refusal = ""  # words of the service about a limit, which say more than ours

    def restored(self, openings: int, seconds_left: float, words: str) -> None:
        """Continues with the state that the worker before has left."""
        self.openings, self.words = openings, words
        self._refusal = words
        self.is_open = openings > 0 and bool(words)
        self._closed_until = self._clock() + seconds_left

    @property
    def seconds_left(self) -> float:
        """Returns the seconds within which nothing may begin."""
        return max(self._closed_until - self._clock(), 0.0)

    def room(self, free: int, under_way: int) -> int:
        """Returns the number of units that may begin now."""
        if self.seconds_left > 0:
            return 0
        return free if not self.is_open else 0 if under_way else min(free, 1)

    def record(self, error: ApiError | None) -> None:
        """Counts the end of a call, with this error or without one, for or against the service."""
        with self._lock:
            if isinstance(error, Throttled) and self._is_one_of_many(error):
                self.failure(error.message)
                return
            if error is None or self.concerns_rows(error) or not passes(error):
                self.success()
                return
            wait = error.retry_after or 0.0
            if isinstance(error, Throttled) and error.reason != "own_limit":
                self._refusal = error.message
            if not (isinstance(error, Throttled) and wait):
                self.failure(error.message)
            elif not self.is_open:
                self.words = self._refusal or error.message
            self.hold(wait)

    def _is_one_of_many(self, error: Throttled) -> bool:
        """Returns whether the service refused an operation, which it may refuse on all objects."""
        is_sent = error.reason != "own_limit"
        return error.reach == "operation" and is_sent and self.concerns_rows(error)

    def concerns_rows(self, error: ApiError) -> bool:
        """Returns whether a limit holds back the rows that it is about, while others go on."""
        if not isinstance(error, Throttled):
            return False
        is_of_class = (error.retry_after or 0.0) > CLOSES_CLASS
        if error.reach == "operation" and not error.names_object and self._is_of_one_operation:
            return False
        return error.is_narrow or (is_of_class and not self._is_of_one_class)

    def success(self) -> None:
        """Counts an answer of the service."""
        if self.is_open and self.seconds_left > 0:
            return  # the request left before the circuit opened
        if self.is_open:
            self.is_open = False
            self._failed.clear()
        self._failed.append(False)
        if len(self._failed) >= _LEAST and not self._prevail():
            self.openings = 0
        if self.seconds_left == 0:
            self.words = self._refusal = ""

    def failure(self, words: str) -> None:
        """Counts a failure on the service's side.

        All requests that were in flight when the circuit opened count as one opening.
        """
        self._failed.append(True)
        if self.is_open and self.seconds_left > 0:
            return
        if not self.is_open and not self._prevail():
            return
        self.words = words
        self.is_open = True
        self.openings += 1
        self.hold(backoff(self.openings, _FIRST_WAIT, _LONGEST_WAIT))

    def _prevail(self) -> bool:
        return len(self._failed) >= _LEAST and sum(self._failed) > _SHARE * len(self._failed)

    def reopen(self) -> None:
        """Lets requests begin at once, since the service has answered a trial call."""
        self._closed_until = self._clock()
        self.words = self._refusal = ""

    def hold(self, seconds: float) -> None:
        """Lets no request begin for these seconds."""
        self._closed_until = max(self._closed_until, self._clock() + seconds)


class Speed:
    """Rate at which items ended, over the last seconds."""

    def __init__(self, job: Job) -> None:
        self._began = time.monotonic()
        self._last_rate = job.rate
        self._ended: list[tuple[float, int]] = []

    def count(self, items: int) -> None:
        if items:
            self._ended.append((time.monotonic(), items))

    def measurements(
        self, rate_limiters: Collection[RateLimiter], breaker: Breaker, next_due: float | None
    ) -> dict[str, object]:
        """Returns the fields of the job that record its speed. One of its limiters may be closed
        while others are open; all of its rows may wait until the first is due."""
        now = time.monotonic()
        self._ended = [each for each in self._ended if each[0] > now - _WINDOW]
        span = min(now - self._began, _WINDOW)
        rate = self._last_rate  # in items per second; in the first second, that of before
        if span >= 1.0:
            rate = sum(items for _, items in self._ended) / span
        closed_for = min((one.closed_for for one in rate_limiters), default=0.0)
        due_in = next_due - now if next_due else 0.0
        wait = max(closed_for, breaker.seconds_left, due_in if due_in > _WORTH_A_MESSAGE else 0.0)
        pace = min((one.rate for one in rate_limiters), default=math.inf)
        return {
            "rate": rate,
            "pace": pace if math.isfinite(pace) else None,
            "waits_until": clock.now() + timedelta(seconds=wait) if wait > 0.5 else None,
            "trouble": breaker.words,
            "openings": breaker.openings,
        }
