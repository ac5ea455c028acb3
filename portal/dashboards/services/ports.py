"""Call-routing ports in use, hour by hour: the service's hours of GMT on the viewer's days."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone
from django.utils.dateformat import format as formatted

from portal.client import Api, ApiError
from portal.contract.dashboards import PortUse
from portal.mirror.values import integer
from portal.translation import gettext as _, number
from portal.ui.error_messages import Fault, explain
from portal.ui.ranges import Range

_HOUR = re.compile(r"(?:.*[T ])?([01]?[0-9]|2[0-3])(?::[0-5][0-9])*Z?")
LEVELS = 4


@dataclass(frozen=True)
class Hour:
    """One hour that the service reports; `None` stands for missing and impossible values."""

    begin: datetime
    most: int | None
    total: int | None

    @property
    def end(self) -> datetime:
        return self.begin + timedelta(hours=1)

    def __str__(self) -> str:
        begin, end = timezone.localtime(self.begin), timezone.localtime(self.end)
        times = {"first": formatted(begin, _("j M, H:i")), "last": formatted(end, "H:i")}
        if self.most is None:
            words = _("%(first)s to %(last)s: not known") % times
        else:
            most = {"most": number(self.most)}
            words = _("%(first)s to %(last)s: at most %(most)s") % {**times, **most}
        if self.total is None:
            return words
        return _("%(hour)s, %(total)s in all") % {"hour": words, "total": number(self.total)}


@dataclass(frozen=True)
class PortCell:
    """The hours of a viewer's day that begin in one hour of its clock: none, one, or two.

    `level` is from 0 (none in use) to `LEVELS`, and -1 if nothing is known.
    """

    hours: tuple[Hour, ...]
    level: int

    @property
    def most(self) -> int | None:
        return _most(self.hours)


@dataclass(frozen=True)
class PortDay:
    """A day of the viewer, by the hours of its clock."""

    day: date
    cells: list[PortCell]
    most: int | None


@dataclass(frozen=True)
class HeatMap:
    """The days, the latest first, with the busiest hour.

    `unread` is the number of unreadable hours.
    """

    days: list[PortDay]
    busiest: Hour | None
    unread: int
    fault: Fault | None = None

    @property
    def hours(self) -> list[Hour]:
        """Returns all reported hours, in the order of time."""
        hours = (hour for day in self.days for cell in day.cells for hour in cell.hours)
        return sorted(hours, key=lambda hour: hour.begin)

    @property
    def is_read(self) -> bool:
        return any(day.most is not None for day in self.days)

    @property
    def most(self) -> int:
        return (self.busiest.most or 0) if self.busiest else 0

    @property
    def idle_days(self) -> int:
        """Returns the number of days without a port in use."""
        return sum(day.most == 0 for day in self.days)

    @property
    def read_days(self) -> int:
        return sum(day.most is not None for day in self.days)

    @property
    def legend(self) -> list[tuple[int, str]]:
        """Returns the levels that occur, each with its range of numbers."""
        levels: list[tuple[int, str]] = [(0, "0")]
        for level in range(1, LEVELS + 1):
            first = (level - 1) * self.most // LEVELS + 1
            last = level * self.most // LEVELS
            if first <= last:
                words = number(first)
                if first != last:
                    words = _("%(first)s to %(last)s") % {"first": words, "last": number(last)}
                levels.append((level, words))
        return levels


def heat_map(api: Api, chosen: Range) -> HeatMap:
    """Returns the use of ports on these days, up to a failure of the service."""
    hours: dict[datetime, Hour] = {}
    unread, fault = 0, None
    try:
        for window in chosen.windows():
            unread += _add(hours, api.metrics.ports(window))
    except ApiError as error:
        fault = explain(error)
    return _mapped(hours, chosen, unread, fault)


def _add(hours: dict[datetime, Hour], use: PortUse) -> int:
    """Adds the hours of one answer. Returns the number of unreadable ones."""
    unread = 0
    for day in use.crc_ports_usage:
        for one in day.crc_ports_hour_usage:
            begin = _begin(day.date_time, one.hour)
            if begin is None:
                unread += 1
                continue
            hour = Hour(begin, integer(one.max_usage), integer(one.total_usage))
            before = hours.get(begin)
            if before is None or (before.most or -1) < (hour.most if hour.most is not None else -1):
                hours[begin] = hour
    return unread


def _begin(day: str, hour: str) -> datetime | None:
    match = _HOUR.fullmatch(hour.strip())
    try:
        begun = date.fromisoformat(day.strip()[:10])
    except ValueError:
        return None
    if match is None or not 1000 <= begun.year < 3000:
        return None
    return datetime.combine(begun, time(int(match[1])), UTC)


def _mapped(
    hours: dict[datetime, Hour], chosen: Range, unread: int, fault: Fault | None
) -> HeatMap:
    shown = [hour for _begun, hour in sorted(hours.items()) if chosen.has(hour.begin)]
    busiest = max(
        (hour for hour in shown if hour.most is not None),
        key=lambda hour: hour.most or 0,
        default=None,
    )
    most = (busiest.most or 0) if busiest else 0
    by_clock: dict[tuple[date, int], list[Hour]] = {}
    for hour in shown:
        local = hour.begin.astimezone(chosen.zone)
        by_clock.setdefault((local.date(), local.hour), []).append(hour)
    days = []
    for day in reversed(chosen.days()):
        cells = []
        for clock in range(24):
            own = tuple(by_clock.get((day, clock), ()))
            used = _most(own)
            level = -(-used * LEVELS // most) if used and most else 0
            cells.append(PortCell(own, -1 if used is None else level))
        days.append(PortDay(day, cells, _most(hour for cell in cells for hour in cell.hours)))
    return HeatMap(days, busiest, unread, fault)


def _most(hours: Iterable[Hour]) -> int | None:
    return max((hour.most for hour in hours if hour.most is not None), default=None)
