"""The account's clock: whatever asks for the present here asks it.

It stands as far from the machine's clock as it was set, in all processes alike, and runs as fast.
How far that is travels to the worker processes in the environment.
"""

import os
import time
from datetime import UTC, datetime, timedelta

_VARIABLE = "SANDBOX_CLOCK_AHEAD"
_ahead = float(os.environ.get(_VARIABLE) or 0)


def now() -> datetime:
    return datetime.fromtimestamp(seconds(), UTC)


def seconds() -> float:
    """Returns the time as seconds since 1970, for what is measured and signed."""
    return time.time() + _ahead


def machine_now() -> datetime:
    """Returns the time by the machine's own clock, with which an account's clock is compared."""
    return datetime.now(UTC)


def put_ahead(difference: timedelta) -> None:
    """Sets the clock of this process, and of those that it starts, so far from the machine's."""
    global _ahead  # noqa: PLW0603 - a process has one clock
    _ahead = difference.total_seconds()
    os.environ[_VARIABLE] = repr(_ahead)
