"""Days of the quality board: read, changed since, and deleted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import MeasuredDay
from portal.ui.ranges import Range

STORED_FOR = timedelta(days=90)  # after a day was last read
SETTLED_AFTER = timedelta(minutes=30)  # after its end, figures of a session change no more
# Sessions that began late on a day end on the next one, and are listed once they have ended.
_DAY_SETTLED_AFTER = timedelta(days=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Coverage:
    """The state of some days of GMT: their number, the number that were read, the time at which the
    first of these was, and the number that may have changed, or were not read."""

    days: int
    read: int
    since: datetime | None
    due: int

    @property
    def unread(self) -> int:
        return self.days - self.read


def coverage(connection: Connection, chosen: Range) -> Coverage:
    """Returns the state of some days, without future days."""
    days = list(_days(chosen))
    read = _read_at(connection, days)
    return Coverage(
        len(days), len(read), min(read.values(), default=None), len(list(_due(days, read)))
    )


def due(connection: Connection, first: date, last: date) -> list[Range]:
    """Returns days of GMT that may have changed since they were read, the latest range first."""
    days = list(_days(Range(first, last, UTC)))
    runs: list[list[date]] = []
    for day in _due(days, _read_at(connection, days)):
        if runs and runs[-1][-1] == day - _DAY:
            runs[-1].append(day)
        else:
            runs.append([day])
    return [Range(run[0], run[-1], UTC) for run in reversed(runs)]


def is_final(read_at: datetime, start: datetime, end: datetime | None) -> bool:
    """Returns whether a session was read so late that its data does not change any more."""
    return read_at >= (end + SETTLED_AFTER if end else start + _DAY_SETTLED_AFTER)


def prune() -> int:
    """Deletes days with their sessions. Returns the number of days."""
    old = MeasuredDay.objects.filter(asked_at__lt=clock.now() - STORED_FOR)
    return sum(bool(day.delete()) for day in old.iterator())


def _days(chosen: Range) -> Iterator[date]:
    first, last = chosen.gmt_days
    last = min(last, clock.now().astimezone(UTC).date())
    while first <= last:
        yield first
        first += _DAY


def _read_at(connection: Connection, days: list[date]) -> dict[date, datetime]:
    if not days:
        return {}
    rows = MeasuredDay.objects.filter(connection=connection, day__range=(days[0], days[-1]))
    return {day: read_at for day, read_at in rows.values_list("day", "read_at") if read_at}


def _due(days: Iterable[date], read: dict[date, datetime]) -> Iterator[date]:
    for day in days:
        final_at = datetime.combine(day + _DAY, time.min, UTC) + _DAY_SETTLED_AFTER
        if day not in read or read[day] < final_at:
            yield day
