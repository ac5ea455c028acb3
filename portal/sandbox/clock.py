"""The account's clock, which all code of the sandbox asks for the present.

Its distance from the machine's clock is set once, is the same in all processes, and travels to the
worker processes in their environment. It runs as fast as the machine's.
"""

import os
import time
from datetime import UTC, datetime, timedelta

_VARIABLE = "SANDBOX_CLOCK_AHEAD"
_ahead = float(os.environ.get(_VARIABLE) or 0)


def now() -> datetime:
    return datetime.fromtimestamp(seconds(), UTC)


def seconds() -> float:
    """Returns the time as seconds since 1970, for measurements and signatures."""
    return time.time() + _ahead


def machine_now() -> datetime:
    """Returns the time by the machine's own clock, the reference of the account's clock."""
    return datetime.now(UTC)


def put_ahead(difference: timedelta) -> None:
    """Sets the clock of this process, and of those that it starts, so far from the machine's."""
    global _ahead  # noqa: PLW0603 - a process has one clock
    _ahead = difference.total_seconds()
    os.environ[_VARIABLE] = repr(_ahead)
