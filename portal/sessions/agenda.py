"""Agenda of sessions by day and hour: the mirror's sessions, in the reader's zone.

An account may hold thousands of sessions in a month, and a page shows some: all are counted by
their times alone, and only those that are shown are read whole.
"""

from calendar import Calendar
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.scope import Scope
from portal.config import clock
from portal.sessions import mirror
from portal.sessions.kinds import all_kinds, kind_of, registered_families
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import Occurrence
from portal.sessions.policy.finding import overlapping
from portal.sessions.specs import has_page
from portal.translation import gettext as _
from portal.ui.converters import path_of
from portal.ui.html import icon

_COLUMNS = (
    "pk",
    "start_time",
    "end_time",
    "session__kind",
    "session__session_id",
    "session__topic",
    "session__host_name",
    "session__has_password",
    "session__host_id",
)
_LINK = (
    '<a class="cal-entry cal-{}" href="{}" title="{}, {}: {}{}">{}{}'
    '<span class="cal-text"><time datetime="{}">{}</time> <span>{}</span>{}</span></a>'
)
_BELOW = " <small>· {}</small>"
_LIVE = '<i class="status-dot status-green" role="img" aria-label="{}"></i>'
_MARKS = {"conflict": "triangle-alert", "open": "lock-open"}
_QUARTERS = 4  # of an hour, by which the week is drawn
_DAY = 24 * _QUARTERS
_LEAST, _MOST = 2, 32  # quarters that an entry takes: less could not be read
_LANES = 3  # entries side by side in a day of the week
_WIDTH = 6  # parts that the width of a day is shared by
_ON_A_GRID = 60  # entries of a day that are placed
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class AgendaEntry:
    """A session at one of its times, in the viewer's zone."""

    start: datetime
    end: datetime
    kind: str
    topic: str
    host: str
    url: str
    is_open: bool = False  # to anyone with its number
    is_conflicting: bool = False  # with another session of its host

    @property
    def label(self) -> str:
        """Returns the name of its kind."""
        return kind_of(self.kind).label

    @property
    def is_live(self) -> bool:
        return self.start <= clock.now() < self.end

    @property
    def link(self) -> SafeString:
        """The entry as a calendar shows it; made here, since a page may have hundreds."""
        return self._link("")

    @property
    def placed_link(self) -> SafeString:
        """The entry on a grid, where there may be room for its host."""
        return self._link(self.host)

    @property
    def _state(self) -> str:
        return "conflict" if self.is_conflicting else "open" if self.is_open else self.kind

    def _link(self, below: str) -> SafeString:
        times = {"begins": f"{self.start:%H:%M}", "ends": f"{self.end:%H:%M}"}
        lacks = _(", conflicts with another session of the host") if self.is_conflicting else ""
        lacks += _(", no password") if self.is_open else ""
        return format_html(
            _LINK,
            f"{self._state} is-over" if self.end <= clock.now() else self._state,
            self.url,
            _("%(begins)s to %(ends)s") % times,
            self.host,
            self.topic,
            lacks,
            format_html(_LIVE, _("Scheduled for now")) if self.is_live else "",
            icon(_MARKS[self._state], 12) if self._state in _MARKS else "",
            self.start.isoformat(),
            f"{self.start:%H:%M}",
            self.topic,
            format_html(_BELOW, below) if below else "",
        )


class AgendaMoment(NamedTuple):
    """The start of a session, by its key in the mirror."""

    key: int
    start: datetime


@dataclass
class AgendaDay:
    """A day: how much begins on it, and what of it is `shown`, by time."""

    date: date
    count: int = 0
    is_today: bool = False
    is_past: bool = False
    is_beside: bool = False
    shown: list[AgendaEntry] = field(default_factory=list)

    @property
    def more(self) -> int:
        return self.count - len(self.shown)


@dataclass(frozen=True)
class AgendaPlace:
    """An entry on the grid of a day: its first quarter of an hour there, how many it takes, and how
    many of the day's sixths it is wide."""

    entry: AgendaEntry
    at: int
    span: int
    width: int


@dataclass(frozen=True)
class AgendaColumn:
    """A day of a week, with what stands on its grid; `now` is the quarter that runs, if shown."""

    day: AgendaDay
    places: list[AgendaPlace]
    now: int | None = None

    @property
    def more(self) -> int:
        return self.day.count - len(self.places)


@dataclass(frozen=True)
class Agenda:
    """The sessions of a connection, filtered and in a zone."""

    _scope: Scope
    _zone: ZoneInfo
    _wanted: SessionFilter

    def month(self, day: date, shown: int) -> list[list[AgendaDay]]:
        """The weeks that the month of this day touches; up to `shown` entries of each day are at
        hand."""
        weeks = Calendar(_first_weekday()).monthdatescalendar(day.year, day.month)
        by_day = self._by_day(weeks[0][0], weeks[-1][-1])
        entries = self._entries(each for own in by_day.values() for each in own[:shown])
        made = [[self._day(each, by_day) for each in week] for week in weeks]
        for week in made:
            for one in week:
                one.is_beside = one.date.month != day.month
                one.shown = [entries[each.key] for each in by_day[one.date][:shown]]
        return made

    def week(self, day: date) -> tuple[list[AgendaColumn], list[time]]:
        """The days of the week around this day, and the hours between the first and the last that
        anything takes."""
        first = week_of(day)
        dates = [first + timedelta(days=number) for number in range(7)]
        by_day = self._by_day(dates[0], dates[-1])
        if not any(by_day.values()):
            return [AgendaColumn(self._day(each, by_day), []) for each in dates], []
        entries = self._entries(each for own in by_day.values() for each in own[:_ON_A_GRID])
        begin = min(each.start.hour for own in by_day.values() for each in own)
        now = clock.now().astimezone(self._zone)
        placed = {
            each: _placed(each, [entries[one.key] for one in by_day[each][:_ON_A_GRID]], begin)
            for each in dates
        }
        ends = [one.at + one.span for own in placed.values() for one in own]
        hours = (one.start.hour + 1 for own in by_day.values() for one in own)
        end = max(begin + -(-max(ends) // _QUARTERS), *hours)
        columns = []
        for each in dates:
            at = _quarter(now) - begin * _QUARTERS
            is_shown = each == now.date() and 0 <= at < (end - begin) * _QUARTERS
            columns.append(
                AgendaColumn(self._day(each, by_day), placed[each], at if is_shown else None)
            )
        return columns, [time(hour) for hour in range(begin, min(end, 24))]

    def moments(self, first: date, last: date) -> list[AgendaMoment]:
        """All that begins on these days, by time."""
        return [each for own in self._by_day(first, last).values() for each in own]

    def listed(self, moments: Sequence[AgendaMoment]) -> list[AgendaDay]:
        """These, whole, by their days."""
        entries = self._entries(moments)
        days: dict[date, AgendaDay] = {}
        for each in moments:
            on = each.start.date()
            day = days.setdefault(on, AgendaDay(on, is_today=on == today(self._zone)))
            day.shown.append(entries[each.key])
            day.count += 1
        return list(days.values())

    def _by_day(self, first: date, last: date) -> dict[date, list[AgendaMoment]]:
        """Returns the starts on these days of the zone, whatever the length of a day is there."""
        begin = datetime.combine(first, time(), self._zone).astimezone(UTC)
        end = datetime.combine(last + timedelta(days=1), time(), self._zone).astimezone(UTC)
        rows = mirror.beginning(self._scope, begin, end, self._wanted)
        by_day: dict[date, list[AgendaMoment]] = defaultdict(list)
        for key, start in rows.values_list("pk", "start_time"):
            local = start.astimezone(self._zone)
            by_day[local.date()].append(AgendaMoment(key, local))
        return by_day

    def _entries(self, moments: Iterable[AgendaMoment]) -> dict[int, AgendaEntry]:
        # One reverse for each kind, not one for each session.
        urls = {
            kind.family: reverse(
                f"{kind.family}:session", args=[self._scope.connection.key, "SESSION"]
            )
            for kind in all_kinds()
        }
        keys = [each.key for each in moments]
        read: list[Any] = []
        for at in range(0, len(keys), _AT_ONCE):
            rows = Occurrence.objects.filter(pk__in=keys[at : at + _AT_ONCE])
            read += rows.values_list(*_COLUMNS)
        conflicting = self._conflicting(read)
        entries = {}
        for key, start, end, kind, number, topic, host, has_password, _host in read:
            url = path_of(urls[kind], "SESSION", number) if has_page(number) else ""
            begin, finish = start.astimezone(self._zone), end.astimezone(self._zone)
            is_open, clashes = has_password is False, key in conflicting
            entries[key] = AgendaEntry(
                begin, finish, kind, topic or number, host, url, is_open, clashes
            )
        return entries

    def _conflicting(self, read: Iterable[Any]) -> dict[int, Any]:
        """Returns those of these times, as they were read, that are not over and overlap with
        another of their host."""
        coming = [one for one in read if one[2] > clock.now() and one[-1]]
        if not coming:
            return {}
        times = Occurrence.objects.filter(
            connection=self._scope.connection,
            session__host_id__in={one[-1] for one in coming},
            session__kind__in=registered_families(),
            start_time__lt=max(one[2] for one in coming),
            end_time__gt=min(one[1] for one in coming),
        ).order_by("session__host_id", "start_time")
        return overlapping(times.values_list("session__host_id", "pk", "start_time", "end_time"))

    def _day(self, day: date, by_day: dict[date, list[AgendaMoment]]) -> AgendaDay:
        now = today(self._zone)
        return AgendaDay(day, len(by_day[day]), day == now, day < now)


def _quarter(at: datetime) -> int:
    """Returns the number of the quarter of an hour within its day."""
    return at.hour * _QUARTERS + at.minute // 15


def _placed(day: date, entries: Iterable[AgendaEntry], first_hour: int) -> list[AgendaPlace]:
    """Places entries on the grid of a day: those at once share its width, up to as many as can be
    read."""
    placed: list[AgendaPlace] = []
    lanes: list[int] = []  # the end of each lane
    together: list[tuple[AgendaEntry, int, int]] = []
    for entry in entries:
        at = _quarter(entry.start)
        if all(end <= at for end in lanes):
            placed += _shared(together, len(lanes), first_hour)
            lanes, together = [], []
        ends = _quarter(entry.end) if entry.end.date() == day else _DAY
        span = min(max(ends - at, _LEAST), _MOST, max(_DAY - at, _LEAST))
        lane = next((number for number, end in enumerate(lanes) if end <= at), len(lanes))
        if lane < _LANES:
            lanes[lane : lane + 1] = [at + span]
            together.append((entry, at, span))
    return placed + _shared(together, len(lanes), first_hour)


def _shared(
    together: Iterable[tuple[AgendaEntry, int, int]], lanes: int, first_hour: int
) -> list[AgendaPlace]:
    return [
        AgendaPlace(entry, at - first_hour * _QUARTERS, span, _WIDTH // lanes)
        for entry, at, span in together
    ]


def today(zone: ZoneInfo) -> date:
    return clock.now().astimezone(zone).date()


def week_of(day: date) -> date:
    """Returns the first day of its week, in the reader's language."""
    return day - timedelta(days=(day.weekday() - _first_weekday()) % 7)


def _first_weekday() -> int:
    """As Python counts, from Monday as 0; Django counts from Sunday."""
    return (int(formats.get_format("FIRST_DAY_OF_WEEK")) - 1) % 7
