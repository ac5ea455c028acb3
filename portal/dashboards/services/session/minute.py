"""Participants with poor quality in one minute, and what they had in common."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.access.models import Connection
from portal.dashboards.models import KeptSample
from portal.dashboards.services.session.measures import Thresholds, level
from portal.dashboards.services.session.people import called
from portal.dashboards.services.session.session import DashboardSession
from portal.translation import gettext as _
from portal.ui.charts import Level

_AROUND = timedelta(minutes=1)


@dataclass(frozen=True)
class MeasuredMinute:
    """A participant's measurements at the minute."""

    row: KeptSample
    level: Level | None

    @property
    def name(self) -> str:
        return called(self.row.name)


@dataclass(frozen=True)
class MinuteGroup:
    """Those with the same network, location or version; the worst of each was counted."""

    name: str
    poor: int
    fair: int
    measured: int


@dataclass(frozen=True)
class Grouping:
    title: str
    groups: list[MinuteGroup]


@dataclass(frozen=True)
class Minute:
    """Those who were measured within a minute of `at`, the worst first."""

    at: datetime
    measured: list[MeasuredMinute]
    groupings: list[Grouping]

    @property
    def bad(self) -> list[MeasuredMinute]:
        return [one for one in self.measured if one.level in ("fair", "poor")]


def minute(
    connection: Connection, session: DashboardSession, at: datetime, thresholds: Thresholds
) -> Minute:
    """Returns the stored sample of each participant that was measured nearest to that moment."""
    rows = KeptSample.objects.filter(
        connection=connection,
        session=session.key,
        measured_at__range=(at - _AROUND, at + _AROUND),
    )
    nearest: dict[str, KeptSample] = {}
    for row in sorted(rows, key=lambda row: abs(row.measured_at - at)):
        nearest.setdefault(row.stay, row)
    rank: dict[Level | None, int] = {"poor": 0, "fair": 1, "good": 2, None: 3}
    measured = sorted(
        (MeasuredMinute(row, level(row.content, thresholds)) for row in nearest.values()),
        key=lambda one: (rank[one.level], one.row.name),
    )
    by: tuple[tuple[str, Callable[[KeptSample], str]], ...] = (
        (_("Network"), lambda row: row.network),
        (_("Location"), lambda row: row.location),
        (_("Client version"), lambda row: row.version),
    )
    return Minute(at, measured, [Grouping(title, _groups(measured, of)) for title, of in by])


def _groups(
    measured: Iterable[MeasuredMinute], of: Callable[[KeptSample], str]
) -> list[MinuteGroup]:
    """The worst group first."""
    found: dict[str, list[Level | None]] = {}
    for one in measured:
        found.setdefault(of(one.row) or _("Unknown"), []).append(one.level)
    groups = [
        MinuteGroup(name, levels.count("poor"), levels.count("fair"), len(levels))
        for name, levels in found.items()
    ]
    return sorted(
        groups, key=lambda one: (-one.poor / one.measured, -one.fair / one.measured, one.name)
    )
