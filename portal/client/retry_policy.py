"""Rules for sending a call again.

Reads, PUT and DELETE can be sent again, since twice is the same as once; a POST or PATCH cannot. A
429 was not carried out, so any method may follow it after the seconds that the service names.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from portal.client.errors import ApiError, ServerFault, Throttled, Unreachable

_MOST_DOUBLINGS = 10
REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
# What a proxy answers for a service behind it: the request may be under way all the same.
GATEWAY_FAULTS = frozenset({502, 503, 504})


def backoff(attempt: int, first: float, longest: float = math.inf) -> float:
    """Seconds to wait after the attempt of this number: twice as long each time, and spread so
    that many who failed together do not come back together."""
    doubled = first * 2.0 ** min(max(attempt - 1, 0), _MOST_DOUBLINGS)
    return min(doubled, longest) * random.uniform(0.5, 1.0)  # noqa: S311


def may_repeat(error: ApiError) -> bool:
    """Returns whether the same request may be sent again after this failure."""
    if isinstance(error, Throttled):
        return is_asked_to_wait(error)
    if isinstance(error, Unreachable) and error.reason == "connect":
        return True  # nothing was sent
    return error.operation.method in REPEATABLE and (
        (isinstance(error, Unreachable) and error.reason == "broken")
        or (isinstance(error, ServerFault) and error.status in GATEWAY_FAULTS)
    )


def is_asked_to_wait(error: ApiError) -> bool:
    """Returns whether the service refused it only for now, so that nothing else of the connection
    may leave in between either. A limit of one user is no such refusal, and lasts for hours."""
    return isinstance(error, Throttled) and not error.is_narrow


@dataclass(frozen=True)
class RetryPolicy:
    """Bounds for trying a call again: attempts, and seconds from the first to the last.

    So a call ends at the latest after these seconds and one timeout of its target. `repeats` says
    after which errors.
    """

    attempts: int = 3
    seconds: float = 8.0
    first_wait: float = 0.2
    longest_wait: float = 4.0
    repeats: Callable[[ApiError], bool] = may_repeat
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def wait(self, attempt: int, since: float, error: ApiError) -> bool:
        """Waits for the next attempt; False, at once, where there is to be none."""
        if error.retry_after is None:
            seconds = backoff(attempt, self.first_wait, self.longest_wait)
        else:  # not before the time that the service has named
            seconds = error.retry_after + backoff(1, self.first_wait) - self.first_wait / 2
        over = self.clock() - since + seconds > self.seconds
        if attempt >= self.attempts or over or not self.repeats(error):
            return False
        self.sleep(seconds)
        return True

    def left(self, since: float) -> float:
        """Seconds until the last attempt has to be under way."""
        return since + self.seconds - self.clock()
