"""Recurrences by the calendar, as starts of occurrences (spec 2.7)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from dateutil.rrule import (
    DAILY,
    MONTHLY,
    SU,
    WEEKLY,
    rrule,
    weekday as Weekday,  # noqa: N812
)

from portal.contract.recurrence import Recurrence, RecurrenceType

MOST = 50
_FREQUENCIES: dict[RecurrenceType, Literal[1, 2, 3]] = {
    RecurrenceType.DAILY: DAILY,
    RecurrenceType.WEEKLY: WEEKLY,
    RecurrenceType.MONTHLY: MONTHLY,
}


def starts(
    first: datetime, zone: str, recurrence: Recurrence, wall: datetime | None = None
) -> list[datetime]:
    """Returns the starts of the occurrences, in GMT; at most 50.

    They keep their wall time in `zone`: `wall` if the request has one, which differs from `first`
    if clocks go forward over it. The first start is the first one from `first` on that the
    recurrence names. The list is empty if the recurrence ends before that.
    """
    found: dict[datetime, None] = {}
    for start in _without_end(first, ZoneInfo(zone), recurrence, wall):
        if recurrence.end_date_time is not None:
            if start > recurrence.end_date_time or len(found) == MOST:
                break
        elif len(found) == recurrence.end_times:
            break
        found[start] = None
    return list(found)


def _without_end(
    first: datetime, zone: ZoneInfo, recurrence: Recurrence, wall: datetime | None
) -> Iterator[datetime]:
    local = wall or first.astimezone(zone).replace(tzinfo=None)
    rule = rrule(
        _FREQUENCIES[recurrence.type],
        dtstart=local,
        interval=recurrence.repeat_interval or 1,
        wkst=SU,
        **_days(local, recurrence),
    )
    for each in rule:
        yield each.replace(tzinfo=zone).astimezone(UTC)


def _days(local: datetime, recurrence: Recurrence) -> dict[str, Any]:
    """Returns the days of the rule; the day of the start if a monthly recurrence names none."""
    if recurrence.type == RecurrenceType.WEEKLY and recurrence.weekly_days:
        return {"byweekday": [_weekday(int(day)) for day in recurrence.weekly_days.split(",")]}
    if recurrence.type == RecurrenceType.MONTHLY:
        if recurrence.monthly_week and recurrence.monthly_week_day:
            day = _weekday(recurrence.monthly_week_day)
            return {"byweekday": day(int(recurrence.monthly_week))}
        return {"bymonthday": recurrence.monthly_day or local.day}
    return {}


def _weekday(number: int) -> Weekday:
    """Converts a weekday: the interface counts from Sunday as 1, the library from Monday as 0."""
    return Weekday((number - 2) % 7)
