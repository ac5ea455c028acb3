"""Pattern of a series: its recurrence, and the dates of it that were deleted since.

Services report the dates that are left, and not all of them the recurrence that they were made by.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import gcd
from typing import Any

from portal.contract.recurrence import LONGEST_INTERVALS, Recurrence, RecurrenceType
from portal.sessions.recurrence import MOST, candidates, guess, starts
from portal.sessions.times import local_time


@dataclass(frozen=True)
class Pattern:
    """A series begins at `first` by `recurrence`; `deleted` are its dates that are no more."""

    first: datetime
    recurrence: Recurrence
    deleted: tuple[datetime, ...] = ()


def pattern_of(
    dates: Sequence[datetime],
    zone: str,
    *,
    start: datetime | None = None,
    deleted: Collection[datetime] = (),
    reported: Recurrence | None = None,
) -> Pattern | None:
    """The pattern of a series with these dates, in their order; `None` where they have none.

    `start` is what the service reports as its start, and `deleted` are the dates that it reports as
    deleted. Where it reports none, dates between others are taken for deleted if they are few.
    """
    known = sorted({*dates, *deleted})
    if not known:
        return None
    first = min(start or known[0], known[0])
    if reported:
        return _made(first, zone, reported, dates)
    rule = guess(known, zone)
    if rule and first == known[0]:
        return _made(first, zone, rule, dates)
    return _with_gaps(first, known, zone, dates) or (
        _made(known[0], zone, rule, dates) if rule else None
    )


def _made(first: datetime, zone: str, recurrence: Recurrence, dates: Sequence[datetime]) -> Pattern:
    planned = starts(first, zone, recurrence)
    return Pattern(first, recurrence, tuple(one for one in planned if one not in dates))


def _with_gaps(
    first: datetime, known: Sequence[datetime], zone: str, dates: Sequence[datetime]
) -> Pattern | None:
    """The pattern that takes place at all of these times with the fewest besides."""
    found: list[Pattern] = []
    for rule in _wider([local_time(moment, zone) for moment in (first, *known)]):
        until = Recurrence.model_validate({**rule, "end_date_time": known[-1]})
        planned = starts(first, zone, until)
        if len(planned) <= MOST and planned[:1] == [first] and set(known) <= set(planned):
            whole = Recurrence.model_validate({**rule, "end_times": len(planned)})
            found.append(_made(first, zone, whole, dates))
    best = min(found, key=lambda each: len(each.deleted), default=None)
    if best is None:
        return None
    missing = sum(each > known[0] for each in best.deleted)
    return best if 2 * missing <= len(dates) else None


def _wider(local: Sequence[datetime]) -> Iterator[dict[str, Any]]:
    """Returns what may name all of these times, and others between them."""
    yield from candidates(local)
    days = [(each.date() - local[0].date()) // timedelta(days=1) for each in local[1:]]
    between = gcd(*days)
    if 1 <= between <= LONGEST_INTERVALS[RecurrenceType.DAILY][0]:
        yield {"type": 1, "repeat_interval": between}
