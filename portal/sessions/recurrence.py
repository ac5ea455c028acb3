"""Times of a recurrence, and its words (spec 2.7, Recurrence).

A recurrence repeats its wall time in its zone: nine o'clock stays nine o'clock while clocks change.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import gcd
from typing import Literal
from zoneinfo import ZoneInfo

from dateutil.rrule import (
    DAILY,
    MONTHLY,
    SU,
    WEEKLY,
    rrule,
    weekday as Weekday,  # noqa: N812
)
from django.utils import dateformat

from portal.contract.model import JsonDict
from portal.contract.recurrence import (
    LONGEST_INTERVALS,
    Recurrence,
    RecurrenceType,
    WeekDay,
    WeekOfMonth,
)
from portal.sessions.times import local_time, zone_or_utc
from portal.translation import dated, gettext as _, ngettext, pgettext_lazy
from portal.translation.phrases import joined

MOST = 50  # occurrences that anything has (spec 8)
_FREQUENCIES: dict[int, Literal[1, 2, 3]] = {
    RecurrenceType.DAILY: DAILY,
    RecurrenceType.WEEKLY: WEEKLY,
    RecurrenceType.MONTHLY: MONTHLY,
}
_ORDINALS = {
    WeekOfMonth.LAST: pgettext_lazy("weekday of a month", "last"),
    WeekOfMonth.FIRST: pgettext_lazy("weekday of a month", "first"),
    WeekOfMonth.SECOND: pgettext_lazy("weekday of a month", "second"),
    WeekOfMonth.THIRD: pgettext_lazy("weekday of a month", "third"),
    WeekOfMonth.FOURTH: pgettext_lazy("weekday of a month", "fourth"),
}
_LAST_SURE_DAY = 28


def starts(
    first: datetime, zone: str, recurrence: Recurrence, *, wall: datetime | None = None
) -> list[datetime]:
    """Returns the starts, in GMT, from `first` on; at most 50, and none if it ends before.

    `first` is aware. It is itself among them only if the recurrence names its day. `wall` is the
    wall time that was asked for, which is another if clocks go forward over it: they move that day
    alone.
    """
    most = MOST if recurrence.end_date_time else min(recurrence.end_times, MOST)
    results: list[datetime] = []
    for start in _endless(first, ZoneInfo(zone), recurrence, wall):
        if len(results) == most or (recurrence.end_date_time and start > recurrence.end_date_time):
            break
        results.append(start)
    return results


def _endless(
    first: datetime, zone: ZoneInfo, recurrence: Recurrence, wall: datetime | None
) -> Iterator[datetime]:
    local = wall or first.astimezone(zone).replace(tzinfo=None, fold=0)
    rule = rrule(
        _FREQUENCIES[recurrence.type],
        dtstart=local,
        interval=recurrence.repeat_interval or 1,
        wkst=SU,  # the service's week begins on Sunday, which is day 1
        **_days(local, recurrence),
    )
    return (each.replace(tzinfo=zone).astimezone(UTC) for each in rule)


def _days(local: datetime, recurrence: Recurrence) -> JsonDict:
    """Returns its days; that of the start if the recurrence names none."""
    if recurrence.type == RecurrenceType.WEEKLY and recurrence.weekly_days:
        return {"byweekday": [_weekday(day) for day in week_days(recurrence)]}
    if recurrence.type != RecurrenceType.MONTHLY:
        return {}
    if recurrence.monthly_week and recurrence.monthly_week_day:
        return {"byweekday": _weekday(recurrence.monthly_week_day)(int(recurrence.monthly_week))}
    return {"bymonthday": recurrence.monthly_day or local.day}


def week_days(recurrence: Recurrence) -> list[WeekDay]:
    """The days of a weekly recurrence, from Sunday on, each once."""
    return sorted({WeekDay(int(day)) for day in (recurrence.weekly_days or "").split(",") if day})


def _weekday(day: WeekDay) -> Weekday:
    """The interface counts from Sunday as 1, the library from Monday as 0."""
    return Weekday((day - 2) % 7)


def in_words(first: datetime, zone: str, recurrence: Recurrence) -> str:
    """`Every 2 weeks on Monday and Friday, 10 occurrences`."""
    local, every = local_time(first, zone), recurrence.repeat_interval or 1
    values: dict[str, object] = {"every": every, "ends": _ends(zone, recurrence)}
    if recurrence.type == RecurrenceType.WEEKLY:
        days = week_days(recurrence) or [WeekDay(local.isoweekday() % 7 + 1)]
        monday_first = sorted(days, key=lambda day: (day - 2) % 7)
        values["days"] = _listed([day.label for day in monday_first])
        words = ngettext(
            "Every week on %(days)s, %(ends)s", "Every %(every)s weeks on %(days)s, %(ends)s", every
        )
    elif recurrence.type != RecurrenceType.MONTHLY:
        words = ngettext("Every day, %(ends)s", "Every %(every)s days, %(ends)s", every)
    elif recurrence.monthly_week and recurrence.monthly_week_day:
        values["ordinal"] = _ORDINALS[recurrence.monthly_week]
        values["day"] = recurrence.monthly_week_day.label
        words = ngettext(
            "Every month on the %(ordinal)s %(day)s, %(ends)s",
            "Every %(every)s months on the %(ordinal)s %(day)s, %(ends)s",
            every,
        )
    else:
        values["day"] = recurrence.monthly_day or local.day
        words = ngettext(
            "Every month on day %(day)s, %(ends)s",
            "Every %(every)s months on day %(day)s, %(ends)s",
            every,
        )
    return words % values


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    if not first:
        return last
    return _("%(first)s and %(last)s") % {"first": joined(", ", *first), "last": last}


def _ends(zone: str, recurrence: Recurrence) -> str:
    if recurrence.end_date_time:
        last = local_time(recurrence.end_date_time, zone_or_utc(zone))
        return _("until %(date)s") % {"date": dated(last.date(), _("j F Y"))}
    count = recurrence.end_times
    return ngettext("once", "%(count)s occurrences", count) % {"count": count}


def remarks(first: datetime, zone: str, recurrence: Recurrence) -> list[str]:
    """Returns words on unexpected effects of the recurrence: days left out, an early end."""
    sentences = []
    local = local_time(first, zone)
    days = recurrence.type == RecurrenceType.MONTHLY and not recurrence.monthly_week
    day = recurrence.monthly_day or local.day
    if days and day > _LAST_SURE_DAY:
        sentences.append(_("Months without a day %(day)s are skipped.") % {"day": day})
    dates = starts(first, zone, recurrence)
    if dates and dates[0] != first:
        begins = dateformat.format(local_time(dates[0], zone), _("l, j F Y"))
        sentences.append(
            _(
                "The first occurrence is %(begins)s, because the recurrence does not include the "
                "start date."
            )
            % {"begins": begins}
        )
    if recurrence.end_date_time and len(dates) == MOST:
        sentences.append(_("It ends after %(count)s occurrences, the maximum.") % {"count": MOST})
    return sentences


def guess(dates: Sequence[datetime], zone: str) -> Recurrence | None:
    """The simplest recurrence that takes place exactly at these moments, if there is one.

    A service need not report the recurrence that it once took, only what came of it.
    """
    if len(dates) < 2:
        return None
    for rule in candidates([local_time(moment, zone) for moment in dates]):
        begins = Recurrence.model_validate({**rule, "end_times": 2})
        whole = begins.model_copy(update={"end_times": min(len(dates), MOST)})
        if starts(dates[0], zone, begins) == list(dates[:2]) and (
            starts(dates[0], zone, whole) == list(dates)
        ):
            return whole
    return None


def candidates(local: Sequence[datetime]) -> Iterator[JsonDict]:
    """The rules that may name these local times, the simplest first, without an end."""
    named = ",".join(str(number) for number in sorted({day.isoweekday() % 7 + 1 for day in local}))
    for interval in range(1, LONGEST_INTERVALS[RecurrenceType.WEEKLY][0] + 1):
        yield {"type": 2, "repeat_interval": interval, "weekly_days": named}
    gap = (local[1].date() - local[0].date()).days
    if 1 <= gap <= LONGEST_INTERVALS[RecurrenceType.DAILY][0]:
        yield {"type": 1, "repeat_interval": gap}
    week_day = local[0].isoweekday() % 7 + 1
    for interval in range(1, LONGEST_INTERVALS[RecurrenceType.MONTHLY][0] + 1):
        yield {"type": 3, "repeat_interval": interval, "monthly_day": local[0].day}
        for week in WeekOfMonth:
            by_week = {"monthly_week": week, "monthly_week_day": week_day}
            yield {"type": 3, "repeat_interval": interval, **by_week}


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
    """The pattern of a series with these dates, in their order; `None` if they have none.

    `start` is what the service reports as its start, and `deleted` are the dates that it reports as
    deleted. Where it reports none, dates between others are taken for deleted if they are few.
    """
    all_dates = sorted({*dates, *deleted})
    if not all_dates:
        return None
    first = min(start or all_dates[0], all_dates[0])
    if reported:
        return _made(first, zone, reported, dates)
    rule = guess(all_dates, zone)
    if rule and first == all_dates[0]:
        return _made(first, zone, rule, dates)
    return _with_gaps(first, all_dates, zone, dates) or (
        _made(all_dates[0], zone, rule, dates) if rule else None
    )


def _made(first: datetime, zone: str, recurrence: Recurrence, dates: Sequence[datetime]) -> Pattern:
    planned = starts(first, zone, recurrence)
    return Pattern(first, recurrence, tuple(one for one in planned if one not in dates))


def _with_gaps(
    first: datetime, all_dates: Sequence[datetime], zone: str, dates: Sequence[datetime]
) -> Pattern | None:
    """The pattern that takes place at all of these times with the fewest besides."""
    patterns: list[Pattern] = []
    for rule in _wider([local_time(moment, zone) for moment in (first, *all_dates)]):
        until = Recurrence.model_validate({**rule, "end_date_time": all_dates[-1]})
        planned = starts(first, zone, until)
        if len(planned) <= MOST and planned[:1] == [first] and set(all_dates) <= set(planned):
            whole = Recurrence.model_validate({**rule, "end_times": len(planned)})
            patterns.append(_made(first, zone, whole, dates))
    best = min(patterns, key=lambda each: len(each.deleted), default=None)
    if best is None:
        return None
    missing = sum(each > all_dates[0] for each in best.deleted)
    return best if 2 * missing <= len(dates) else None


def _wider(local: Sequence[datetime]) -> Iterator[JsonDict]:
    """Returns what may name all of these times, and others between them."""
    yield from candidates(local)
    days = [(each.date() - local[0].date()) // timedelta(days=1) for each in local[1:]]
    between = gcd(*days)
    if 1 <= between <= LONGEST_INTERVALS[RecurrenceType.DAILY][0]:
        yield {"type": 1, "repeat_interval": between}
