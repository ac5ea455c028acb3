"""Difference between this machine's clock and a service's, by the `Date` of its answers.

A time that a service reports is compared with one of ours only after this is taken off it.
"""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_RESOLUTION = 1.0  # seconds: a `Date` has no fractions
_MOST_SERVICES = 4096
_known: dict[str, "Ahead"] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class Ahead:
    """Seconds by which this machine's clock is ahead: at least, and at most."""

    least: float
    most: float


def learn(service: str, sent: float, came: float, date: str) -> None:
    """Takes an answer into account that came, by this machine's clock, between these times."""
    reported = date_of(date)
    if reported is None:
        return
    theirs = reported.timestamp()
    found = Ahead(sent - theirs - _RESOLUTION, came - theirs)
    with _lock:
        if known := _known.get(service):
            both = Ahead(max(known.least, found.least), min(known.most, found.most))
            # Where they contradict each other a clock was set in between.
            found = both if both.least <= both.most else found
        elif len(_known) >= _MOST_SERVICES:
            _known.clear()
        _known[service] = found


def ahead_of(service: str) -> Ahead | None:
    """The answers of this process say it; `None` before the first one that has a `Date`."""
    return _known.get(service)


def date_of(text: str) -> datetime | None:
    """A date of HTTP; `None` where it is none."""
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
