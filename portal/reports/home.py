"""Lines of the first page about saved reports that could not be sent the last time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.dateformat import format as formatted

from portal.access.models import User
from portal.access.scope import Scope
from portal.config import clock, page_memory
from portal.contract.reports import Reports
from portal.mirror.values import integer
from portal.recordings.storage import readings
from portal.reports.models import ReportRun, RunState, SavedReport, StoredRow
from portal.reports.services.rows import Figure, trend_in_words
from portal.reports.services.sources import DAILY, STORAGE
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.home import (
    HomeColumn,
    HomeFigure,
    HomeItem,
    HomeLine,
    HomeLines,
    HomePanel,
    HomeTile,
    none_yet,
)
from portal.ui.numbers import gigabytes


def _failed(user: User, scopes: Sequence[Scope]) -> QuerySet[Any, Any]:
    last = ReportRun.objects.filter(saved=OuterRef("pk")).order_by("-pk")
    connections = [scope.connection for scope in scopes]
    own = SavedReport.objects.filter(connection__in=connections, owner=user)
    return own.annotate(
        state=Subquery(last.values("state")[:1]),
        reason=Subquery(last.values("reason")[:1]),
        at=Subquery(last.values("created_at")[:1]),
    ).filter(state=RunState.FAILED)


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines, failed = none_yet(scopes), _failed(user, scopes).order_by("name")
    rows = list(failed.values_list("connection", "name", "reason", "at"))
    for scope in scopes:
        failed_runs = [row[1:] for row in rows if row[0] == scope.connection.pk]
        if not failed_runs:
            continue
        name, why, since = failed_runs[0]
        if len(failed_runs) > 1:
            words = _("%(count)s reports could not be sent") % {"count": number(len(failed_runs))}
            why, since = "", min(row[-1] for row in failed_runs)
        else:
            words = _("The report “%(name)s” could not be sent") % {"name": name}
        url = reverse("reports:saved", args=[scope.connection.key])
        lines[scope.connection.pk].append(HomeLine("bad", words, url, why, since))
    return lines


REPORTS = HomeItem(gettext_lazy("Reports"), 65, _read, needs=(Reports.daily,), rows=_failed)


_DAYS = 30
_BACK = {STORAGE.name: 3 * _DAYS, DAILY.name: 2 * _DAYS - 1}  # days that figures go back
_DAY = timedelta(days=1)
_HIGH = 96.0  # pixels of the highest bar
_STEPS = [factor * 10**power for power in range(6) for factor in (1, 2, 3, 5, 7)]


def _rows(scope: Scope, source: str) -> dict[date, dict[str, Any]]:
    """Returns the stored days of one of `_BACK`, by day; a page reads those of all at once."""

    def read(keys: list[int]) -> dict[int, dict[str, dict[date, dict[str, Any]]]]:
        wanted = (
            Q(window__report__source=name, day__gte=_today() - days * _DAY)
            for name, days in _BACK.items()
        )
        stored = StoredRow.objects.filter(
            reduce(or_, wanted),
            window__report__connection=scope.connection,
            window__report__subject="",
            window__is_whole=True,
        )
        rows: dict[str, dict[date, dict[str, Any]]] = {name: {} for name in _BACK}
        columns = ("window__report__source", "day", "data")
        for name, day, data in stored.order_by("day").values_list(*columns):
            rows[name][day] = data
        return dict.fromkeys(keys, rows)

    key = scope.connection.pk
    return page_memory.read_once("home-days", [key], read)[key][source]


def _today() -> date:
    return clock.now().astimezone(UTC).date()


def _storage(scope: Scope) -> HomeFigure:
    url = reverse("recordings:storage", args=[scope.connection.key])
    last = readings([scope.connection.pk]).get(scope.connection.pk)
    if last is None:
        return HomeFigure(url, about=_("Load storage"))
    rows = _rows(scope, STORAGE.name)
    sizes = (gigabytes(data.get("usage")) for data in rows.values())
    curve = [size for size in sizes if size is not None]
    phrases = []
    if last.allowed:
        phrases.append(f"{number(100 * last.used / last.allowed, 1)} %")
    if last.full_on:
        day = formatted(last.full_on, _("j F Y"))
        phrases.append(_("full on %(day)s") % {"day": day})
    unit = _("of %(total)s GB") % {"total": number(last.allowed)} if last.allowed else "GB"
    share = None if curve or not last.allowed else min(100 * last.used / last.allowed, 100)
    is_old = last.read_at < clock.now() - _DAY
    return HomeFigure(
        url,
        number(last.used, 1),
        unit,
        " · ".join(phrases),
        curve,
        share,
        last.read_at if is_old else None,
    )


@dataclass(frozen=True)
class Bar:
    """A day as it is drawn: `x` and `width` in per cent, `y` and `height` in pixels."""

    day: date
    x: float
    y: float
    height: float
    words: str
    is_weekend: bool
    is_today: bool

    @property
    def label(self) -> str:
        """The date below it, on each Monday."""
        return formatted(self.day, _("j M")) if self.day.weekday() == 0 else ""


def _month(scope: Scope) -> Mapping[str, object]:
    today = _today()
    first = today - (_DAYS - 1) * _DAY
    rows = _rows(scope, DAILY.name)
    days = [first + at * _DAY for at in range(_DAYS)]
    own = {day: rows[day] for day in days if day in rows}
    if not own:
        return {"bars": []}
    # Today is not over, so it is left out of the comparison.
    done = [day for day in days if day != today]
    earlier = [day - (_DAYS - 1) * _DAY for day in done]
    is_compared = all(day in rows for day in (*done, *earlier))
    sums = [
        _sum(rows, done, earlier if is_compared else (), label, name)
        for label, name in (
            (_("Held"), "meetings"),
            (_("Participants"), "participants"),
            (_("Time in sessions"), "meeting_minutes"),
        )
    ]
    counts = [integer(own.get(day, {}).get("meetings")) or 0 for day in days]
    step = next((one for one in _STEPS if one * 3 >= max(counts)), _STEPS[-1])
    top = max(*counts, 3 * step)
    bars = [_bar(day, counts[at], at, top, today) for at, day in enumerate(days)]
    lines = [(number(one * step), _HIGH - one * step * _HIGH / top) for one in (1, 2, 3)]
    return {"bars": bars, "lines": lines, "sums": sums, "wide": 100 / _DAYS}


def _bar(day: date, count: int, at: int, top: int, today: date) -> Bar:
    height = count * _HIGH / top
    words = _("%(day)s: %(count)s") % {
        "day": formatted(day, _("j F Y")),
        "count": number(count),
    }
    x = at * 100 / _DAYS
    return Bar(day, x, _HIGH - height, height, words, day.weekday() > 4, day == today)


def _sum(
    rows: Mapping[date, Mapping[str, Any]],
    days: Sequence[date],
    earlier: Sequence[date],
    label: str,
    name: str,
) -> Figure:
    """Returns a total of the month, with its change from the month before if that is stored."""

    def added(some: Sequence[date]) -> int:
        return sum(integer(rows.get(day, {}).get(name)) or 0 for day in some)

    now = added(days)
    text = _("%(count)s h") % {"count": number(now / 60)} if "minutes" in name else number(now)
    return Figure(label, text, trend=trend_in_words(now, added(earlier)))


def _storage_column(scopes: Sequence[Scope]) -> dict[int, str]:
    cells = {}
    for one in readings([scope.connection.pk for scope in scopes]).values():
        words = _("%(used)s of %(total)s GB") if one.allowed else _("%(used)s GB")
        sizes = {"used": number(one.used, 1), "total": number(one.allowed or 0)}
        cells[one.connection_id] = words % sizes
    return cells


CLOUD_STORAGE = HomeTile(
    gettext_lazy("Cloud storage"), 40, _storage, needs=(Reports.cloud_recording,)
)
STORAGE_COLUMN = HomeColumn(
    gettext_lazy("Storage"), 40, _storage_column, needs=(Reports.cloud_recording,)
)
MONTH = HomePanel(
    gettext_lazy("Meetings and webinars, last 30 days"),
    10,
    _month,
    "reports/home_month.html",
    ("reports:daily", gettext_lazy("Daily use")),
    wide=True,
    needs=(Reports.daily,),
)
