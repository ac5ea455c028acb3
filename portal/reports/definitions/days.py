"""Reports by meeting, by day and by month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, TypeVar

from django.db.models import QuerySet, Sum
from django.db.models.functions import Lower, TruncDate

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.reports import Reports
from portal.directory.scope_rules import visible_people
from portal.mirror.values import integer
from portal.reports.definitions.base import (
    MOMENT,
    ListedReport,
    Rows,
    SummedReport,
    added,
    number,
    summed,
    words,
)
from portal.reports.filters import CallFilter, DailyFilter, PersonFilter, StorageFilter
from portal.reports.models import StoredRow
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import Total, rows_of, span_of
from portal.reports.services.sources import DAILY, PERSON, STORAGE, TELEPHONE, ReportSource
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


DayT = TypeVar("DayT")


class _DaysReport(SummedReport, Generic[DayT]):
    one, many = gettext_lazy("day"), gettext_lazy("days")
    source: ClassVar[ReportSource]

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        return [ReportWindow(self.source, span_of(chosen))]

    def of_day(self, day: date, data: dict[str, object]) -> DayT:
        raise NotImplementedError

    def made(self, scope: Scope, chosen: Range, search: str) -> list[DayT]:
        [wanted] = self.wanted(chosen)
        rows = rows_of(scope, wanted, chosen)
        return [self.of_day(row.day, row.data) for row in rows if row.day]


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


class DailyUse(_DaysReport[UseOfDay]):
    slug = "daily"
    title = gettext_lazy("Daily use")
    about = gettext_lazy("Meetings, participants, minutes and new people of each day.")
    icon = "calendar-range"
    operation = Reports.daily
    filter_class = DailyFilter
    table_class = DailyTable
    source = DAILY
    sorts = ("day", "new_users", "meetings", "participants", "minutes")

    def of_day(self, day: date, data: dict[str, object]) -> UseOfDay:
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


class Storage(_DaysReport[StorageOfDay]):
    slug = "storage"
    title = gettext_lazy("Cloud recording storage")
    about = gettext_lazy("Storage used at the end of each day, compared with the plan.")
    icon = "hard-drive"
    operation = Reports.cloud_recording
    filter_class = StorageFilter
    table_class = StorageTable
    source = STORAGE
    sorts = ("day", "used", "free", "plan", "included")

    def of_day(self, day: date, data: dict[str, object]) -> StorageOfDay:
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


def by_day(name: str, title: str, rows: Any, chosen: Range, number: str) -> Chart:
    """The sum of a number on each of the days so far; nothing on a day is zero."""
    by_date = (
        rows.order_by()
        .annotate(on=TruncDate("moment", tzinfo=chosen.zone))
        .values("on")
        .annotate(sum=Sum(summed(number)))
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
    slug = "telephone"
    title = gettext_lazy("Telephone calls")
    nothing = (
        gettext_lazy("No calls"),
        gettext_lazy("Nobody dialled in or was called on these days."),
    )
    about = gettext_lazy("Dial-in and dial-out calls, with their minutes and charges.")
    icon = "phone"
    one, many = gettext_lazy("call"), gettext_lazy("calls")
    operation = Reports.telephone
    filter_class = CallFilter
    table_class = CallTable
    source = TELEPHONE
    sorts = {
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

    def stored_rows(
        self, scope: Scope, wanted: ReportWindow, chosen: Range, search: str
    ) -> QuerySet[StoredRow, StoredRow]:
        rows = rows_of(scope, wanted, chosen, search)
        if not scope.is_narrow:
            return rows
        hosts = visible_people(scope).values(lower=Lower("email"))
        return rows.annotate(host=words("host_email")).filter(host__in=hosts)

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [by_day("calls", _("Minutes on the telephone"), rows, chosen, "duration")]


class PersonMeetings(ListedReport):
    slug = "person"
    title = gettext_lazy("Meetings of a person")
    nothing = (
        gettext_lazy("Nothing hosted"),
        gettext_lazy("This person hosted no meeting or webinar on these days."),
    )
    about = gettext_lazy("The meetings and webinars that one person hosted.")
    icon = "user"
    one, many = gettext_lazy("meeting or webinar"), gettext_lazy("meetings and webinars")
    operation = Reports.user_meetings
    filter_class = PersonFilter
    table_class = PersonReportTable
    source = PERSON
    has_subject = True
    sorts = {
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
        return [by_day("hosted", _("Minutes hosted"), rows, chosen, "duration")]
