"""Days of GMT, split into requests that the service allows, without a gap or an overlap."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_DAY = timedelta(days=1)
# A session counts for the day on which it began, and is reported when it has ended.
_SETTLED_AFTER = timedelta(hours=48)


@dataclass(frozen=True, order=True)
class Span:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def has(self, day: date) -> bool:
        return self.first <= day <= self.last

    def months(self) -> Iterator["Span"]:
        """Yields the days of each month: every operation allows a month at once."""
        first = self.first
        while first <= self.last:
            end = min(self.last, _next_month(first) - _DAY)
            yield Span(first, end)
            first = end + _DAY

    def split(self, count: int) -> Iterator["Span"]:
        """Yields the days in `count` spans of nearly one size, or a span for each of fewer days."""
        count = max(min(count, self.days), 1)
        for number in range(count):
            first = self.first + number * self.days // count * _DAY
            last = self.first + (number + 1) * self.days // count * _DAY - _DAY
            yield Span(first, last)

    def each(self) -> list[date]:
        return [self.first + number * _DAY for number in range(self.days)]


def missing(wanted: Span, stored: Iterable[Span]) -> list[Span]:
    """Returns the days of `wanted` that are in none of the stored spans, the earliest first."""
    gaps = []
    first = wanted.first
    for span in sorted(stored):
        if span.last < first:
            continue
        if span.first > wanted.last:
            break
        if span.first > first:
            gaps.append(Span(first, span.first - _DAY))
        first = span.last + _DAY
    if first <= wanted.last:
        gaps.append(Span(first, wanted.last))
    return gaps


def final_day(read_at: datetime) -> date:
    """Returns the last day whose rows could not change any more when they were read."""
    return (read_at - _SETTLED_AFTER).date() - _DAY


def half_a_year_before(day: date) -> date:
    """Returns this day six months ago, or the last one of that month."""
    month = day.replace(day=1)
    for _ in range(6):
        month = (month - _DAY).replace(day=1)
    return month + min(day.day - 1, (_next_month(month) - month).days - 1) * _DAY


def _next_month(day: date) -> date:
    return (day.replace(day=28) + 4 * _DAY).replace(day=1)
