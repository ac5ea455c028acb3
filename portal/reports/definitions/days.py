"""Reports by meeting, by day and by month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from typing import Any, ClassVar, Literal

from django.db.models import Sum
from django.db.models.functions import TruncDate

from portal.access.scope import Scope
from portal.config import clock
from portal.mirror.values import integer
from portal.reports.definitions.base import (
    MOMENT,
    ListedReport,
    Rows,
    SummedReport,
    number,
    summed,
    words,
)
from portal.reports.services.rows import Total, rows_of
from portal.reports.services.sources import DAILY, PERSON, STORAGE, TELEPHONE
from portal.reports.tables import CallTable, DailyTable, PersonReportTable, StorageTable
from portal.translation import gettext as _, gettext_lazy
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

    @classmethod
    def of(cls, day: date, data: Mapping[str, object]) -> "UseOfDay":
        names = ("new_users", "meetings", "participants", "meeting_minutes")
        return cls(day, *(integer(data.get(name)) for name in names))


@dataclass(frozen=True)
class StorageOfDay:
    """Storage at the end of one day, in GB."""

    day: date
    used: float | None
    free: float | None
    plan: float | None

    @classmethod
    def of(cls, day: date, data: Mapping[str, object]) -> "StorageOfDay":
        return cls(day, *(gigabytes(data.get(f"{name}usage")) for name in ("", "free_", "plan_")))

    @property
    def included(self) -> float | None:
        return included((self.free, self.plan))


class _DaysReport(SummedReport):
    one, many = gettext_lazy("day"), gettext_lazy("days")
    in_gmt = True
    usual_sort = "-day"
    row_class: ClassVar[type[UseOfDay | StorageOfDay]]

    def made(self, scope: Scope, chosen: Range, search: str) -> list[UseOfDay | StorageOfDay]:
        [wanted] = self.wanted(chosen)
        rows = rows_of(scope, wanted, chosen)
        return [self.row_class.of(row.day, row.data) for row in rows if row.day]


def _chart(
    name: str,
    title: str,
    days: Rows,
    series: dict[str, str],
    *,
    shape: Literal["line", "bars"] = "line",
    unit: str = "",
) -> Chart:
    rows: list[Any] = sorted(days, key=attrgetter("day"))
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
        unit=unit,
    )


class DailyUse(_DaysReport):
    source = DAILY
    about = gettext_lazy("Meetings, participants, minutes and new people of each day.")
    icon = "calendar-range"
    table_class = DailyTable
    row_class = UseOfDay
    sums = (
        ("meetings", gettext_lazy("Meetings and webinars"), ""),
        ("participants", gettext_lazy("Participants"), ""),
        ("minutes", gettext_lazy("Participant time"), "minutes"),
        ("new_users", gettext_lazy("New people"), ""),
    )

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        lines = {"meetings": _("Meetings"), "minutes": _("Minutes")}
        return [
            _chart(name, str(title), rows, {name: lines.get(name, str(title))}, shape="bars")
            for name, title, _unit in self.sums
        ]


class Storage(_DaysReport):
    source = STORAGE
    about = gettext_lazy("Storage used at the end of each day, compared with the plan.")
    icon = "hard-drive"
    table_class = StorageTable
    row_class = StorageOfDay

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
        return [_chart("storage", _("Storage"), rows, series, unit="GB")]


def _minutes_by_day(name: str, title: str, rows: Any, chosen: Range) -> Chart:
    """Returns a chart of the minutes on each of the days so far; a day without rows has none."""
    by_date = (
        rows.order_by()
        .annotate(on=TruncDate("moment", tzinfo=chosen.zone))
        .values("on")
        .annotate(sum=Sum(summed("duration")))
    )
    sums = {each["on"]: each["sum"] or 0 for each in by_date}
    today = clock.now().astimezone(chosen.zone).date()
    days = [day for day in chosen.days() if day <= today]
    return Chart(
        name,
        title,
        [datetime.combine(day, time(12), chosen.zone) for day in days],
        [Series(_("Minutes"), [sums.get(day, 0) for day in days])],
        by="day",
    )


class Calls(ListedReport):
    source = TELEPHONE
    nothing = (
        gettext_lazy("No calls"),
        gettext_lazy("Nobody dialled in or was called on these days."),
    )
    about = gettext_lazy("Dial-in and dial-out calls, with their minutes and charges.")
    icon = "phone"
    one, many = gettext_lazy("call"), gettext_lazy("calls")
    search = gettext_lazy("Search calls")
    table_class = CallTable
    usual_sort = "-start"
    host = "host_email"
    keys = {
        "start": MOMENT,
        "host": words("host_name"),
        "department": words("dept"),
        "country": words("country_name"),
        "duration": number("duration"),
        "charge": number("total"),
    }
    sums = (
        ("duration", gettext_lazy("Call time"), "minutes"),
        ("total", gettext_lazy("Charges"), "money"),
    )

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [_minutes_by_day("calls", _("Minutes on the telephone"), rows, chosen)]


class PersonMeetings(ListedReport):
    source = PERSON
    nothing = (
        gettext_lazy("Nothing hosted"),
        gettext_lazy("This person hosted no meeting or webinar on these days."),
    )
    about = gettext_lazy("The meetings and webinars that one person hosted.")
    icon = "user"
    one, many = gettext_lazy("meeting or webinar"), gettext_lazy("meetings and webinars")
    search = gettext_lazy("Search meetings")
    table_class = PersonReportTable
    has_subject = True
    usual_sort = "-start"
    keys = {
        "start": MOMENT,
        "topic": words("topic"),
        "duration": number("duration"),
        "minutes": number("total_minutes"),
        "participants": number("participants_count"),
    }
    sums = (
        ("participants_count", gettext_lazy("Participants"), ""),
        ("duration", gettext_lazy("Hosted time"), "minutes"),
        ("total_minutes", gettext_lazy("Participant time"), "minutes"),
    )

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [_minutes_by_day("hosted", _("Minutes hosted"), rows, chosen)]
