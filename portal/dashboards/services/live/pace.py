"""Pace at which the service is asked for what is live, while a user watches, and for alerts."""

import math
from dataclasses import dataclass
from datetime import timedelta

from portal.access.models import Connection
from portal.config import clock
from portal.connections.rate_limits import closures_of, rate_limiter_of, tomorrow
from portal.contract.metrics import Metrics
from portal.translation import gettext as _, number

EVERY = timedelta(seconds=10)  # between two requests while a user watches
_CALLS = 2  # of a reading: meetings and webinars
_STEP = 5.0  # seconds
_MOST_PAGES = 30
_LONGEST = timedelta(hours=1)


@dataclass(frozen=True)
class LivePace:
    """The pace of requests; `pages` of quality may be read a minute for alerts. `words` say why it
    is slower than usual; mostly empty."""

    every: timedelta = EVERY
    pages: int = _MOST_PAGES
    words: str = ""


USUAL = LivePace()


def pace_of(connection: Connection) -> LivePace:
    """Returns the pace at which live sessions of a connection may be read."""
    if not connection.limits:
        return USUAL
    pacing = rate_limiter_of(connection)
    weight = pacing.weight_of(Metrics.meetings)
    pace = _by_day(connection)
    if not connection.limits.a_minute(weight):
        return pace
    allowed = max(round(pacing.of(weight).rate * 60), 1)
    every = _rounded(60 * _CALLS / (allowed / 2))
    if every <= max(pace.every, EVERY):
        return LivePace(pace.every, min(allowed // 4, _MOST_PAGES), pace.words)
    words = _("Updated every %(seconds)s s: the service allows %(count)s requests a minute.")
    text = words % {"seconds": number(every.total_seconds()), "count": number(allowed)}
    return LivePace(every, min(allowed // 4, _MOST_PAGES), text)


def _by_day(connection: Connection) -> LivePace:
    weight = rate_limiter_of(connection).weight_of(Metrics.meetings)
    for day in closures_of(connection).days():
        if weight not in day.weights:
            continue
        left = (tomorrow() - clock.now()).total_seconds()
        every = min(_rounded(_CALLS * left / max(day.left / 2, 1)), _LONGEST)
        if every > EVERY:
            words = _("Updated every %(seconds)s s: %(count)s requests are left until 00:00 UTC.")
            values = {"seconds": number(every.total_seconds()), "count": number(day.left)}
            return LivePace(every, words=words % values)
    return USUAL


def _rounded(seconds: float) -> timedelta:
    return timedelta(seconds=math.ceil(seconds / _STEP) * _STEP)
