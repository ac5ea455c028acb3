"""Reports of which each row is a day of GMT: use and storage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from typing import Any, ClassVar, Literal

from portal.access.scope import Scope
from portal.contract.reports import Reports
from portal.mirror.values import integer
from portal.reports.definitions.base import Rows, SummedReport, added
from portal.reports.filters import DailyFilter, StorageFilter
from portal.reports.services.comparing import Total
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import rows_of, span_of
from portal.reports.services.sources import DAILY, STORAGE, ReportSource
from portal.reports.tables import DailyTable, StorageTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.charts import Chart, Series
from portal.ui.numbers import gigabytes, included
from portal.ui.ranges import Range


@dataclass(frozen=True)
class UseOfDay:
    """Figures of one day; None if the service does not report one."""

    day: date
    new_users: int | None
    meetings: int | None
    participants: int | None
    minutes: int | None


@dataclass(frozen=True)
class StorageOfDay:
    """Storage at the end of one day, in GB."""

    day: date
    used: float | None
    free: float | None
    plan: float | None

    @property
    def included(self) -> float | None:
        return included((self.free, self.plan))


class _DaysReport(SummedReport):
    one, many = gettext_lazy("day"), gettext_lazy("days")
    source: ClassVar[ReportSource]

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        return [ReportWindow(self.source, span_of(chosen))]

    def of_day(self, day: date, data: dict[str, Any]) -> Any:
        """The row of a day."""
        raise NotImplementedError

    def made(self, scope: Scope, chosen: Range, search: str) -> list[Any]:
        [wanted] = self.wanted(chosen)
        kept = rows_of(scope, wanted, chosen)
        return [self.of_day(row.day, row.data) for row in kept if row.day]


def _chart(
    name: str,
    title: str,
    days: list[Any],
    series: dict[str, str],
    shape: Literal["line", "bars"] = "line",
    **more: Any,
) -> Chart:
    rows = sorted(days, key=attrgetter("day"))
    return Chart(
        name,
        title,
        [datetime(row.day.year, row.day.month, row.day.day, tzinfo=UTC) for row in rows],
        [
            Series(label, [getattr(row, field) for row in rows], shape=shape)
            for field, label in series.items()
        ],
        by="day",
        every=timedelta(days=1),
        **more,
    )


class DailyUse(_DaysReport):
    slug = "daily"
    title = gettext_lazy("Daily use")
    about = gettext_lazy("Meetings, participants, minutes and new people of each day.")
    icon = "calendar-range"
    operation = Reports.daily
    filter_class = DailyFilter
    table_class = DailyTable
    source = DAILY
    sorts = ("day", "new_users", "meetings", "participants", "minutes")

    def of_day(self, day: date, data: dict[str, Any]) -> UseOfDay:
        return UseOfDay(
            day,
            integer(data.get("new_users")),
            integer(data.get("meetings")),
            integer(data.get("participants")),
            integer(data.get("meeting_minutes")),
        )

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        return [
            Total(_("Meetings and webinars"), added(one.meetings for one in made)),
            Total(_("Participants"), added(one.participants for one in made)),
            Total(_("Participant time"), added(one.minutes for one in made), "minutes"),
            Total(_("New people"), added(one.new_users for one in made)),
        ]

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        days = list(rows)
        return [
            _chart(name, title, days, {name: label}, "bars")
            for name, title, label in (
                ("meetings", _("Meetings and webinars"), _("Meetings")),
                ("participants", _("Participants"), _("Participants")),
                ("minutes", _("Participant time"), _("Minutes")),
                ("new_users", _("New people"), _("New people")),
            )
        ]


class Storage(_DaysReport):
    slug = "storage"
    title = gettext_lazy("Cloud recording storage")
    about = gettext_lazy("Storage used at the end of each day, compared with the plan.")
    icon = "hard-drive"
    operation = Reports.cloud_recording
    filter_class = StorageFilter
    table_class = StorageTable
    source = STORAGE
    sorts = ("day", "used", "free", "plan", "included")

    def of_day(self, day: date, data: dict[str, Any]) -> StorageOfDay:
        return StorageOfDay(
            day,
            gigabytes(data.get("usage")),
            gigabytes(data.get("free_usage")),
            gigabytes(data.get("plan_usage")),
        )

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        """Storage is not added up: what counts is the last day."""
        days = sorted(made, key=attrgetter("day"))
        first, last = (days[0], days[-1]) if days else (None, None)
        grown = None
        if first and last and first.used is not None and last.used is not None:
            grown = last.used - first.used
        return [
            Total(_("Used on the last day"), last.used if last else None, "GB"),
            Total(_("Added within these days"), grown, "GB"),
            Total(_("Included"), last.included if last else None, "GB"),
        ]

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        series = {"used": _("Used"), "included": _("Included")}
        return [_chart("storage", _("Storage"), list(rows), series, unit="GB")]
