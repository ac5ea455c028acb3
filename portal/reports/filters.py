"""Filters of reports, kept in the URL."""

from typing import ClassVar

from django import forms

from portal.reports.services.rows import span_of
from portal.reports.services.windows import Span
from portal.translation import gettext_lazy
from portal.ui.filters import ListFilter, choice_field, search_field
from portal.ui.ranges import Period, RangeFilter

COMPARED, NOT_COMPARED = "before", "none"


class ReportFilter(RangeFilter):
    """The filter bar of a report of some days."""

    usual: ClassVar[Period] = Period.LAST_30_DAYS
    descending: ClassVar[bool] = True
    without_chip = RangeFilter.without_chip | {"compare", "show"}

    period = forms.ChoiceField(label=gettext_lazy("Period"), required=False, choices=Period.choices)
    compare = choice_field(
        gettext_lazy("Comparison"),
        gettext_lazy("Compared if loaded"),
        [
            (COMPARED, gettext_lazy("Compared with the period before")),
            (NOT_COMPARED, gettext_lazy("No comparison")),
        ],
    )

    @property
    def order(self) -> str:
        usual = f"-{self.sorts[0]}" if self.descending else self.sorts[0]
        return self.cleaned_data.get("sort") or usual

    @property
    def compared(self) -> str:
        """Returns `COMPARED`, `NOT_COMPARED`, or nothing: compared where the days are known."""
        return self.cleaned_data.get("compare") or ""

    @property
    def span(self) -> Span:
        """The days of GMT that are needed."""
        return span_of(self.range)


class DailyFilter(ReportFilter):
    in_gmt = True
    sorts = ("day", "new_users", "meetings", "participants", "minutes")


class StorageFilter(ReportFilter):
    in_gmt = True
    sorts = ("day", "used", "free", "plan", "included")


class HostFilter(ReportFilter):
    in_gmt = True
    sorts = ("minutes", "name", "email", "department", "meetings", "participants")

    q = search_field(gettext_lazy("Search hosts"))


class InactiveFilter(ReportFilter):
    in_gmt = True
    descending = False
    sorts = ("name", "email", "department")

    q = search_field(gettext_lazy("Search people"))


class CallFilter(ReportFilter):
    sorts = ("start", "host", "department", "country", "duration", "charge")

    q = search_field(gettext_lazy("Search calls"))


class PersonFilter(ReportFilter):
    sorts = ("start", "topic", "duration", "minutes", "participants")

    q = search_field(gettext_lazy("Search meetings"))


class AttendanceFilter(ListFilter):
    """The filter bar of who attended a session."""

    sorts = ("name", "email", "first", "last", "minutes", "stays")

    q = search_field(gettext_lazy("Search people"))
    came = choice_field(
        gettext_lazy("Attendance"),
        gettext_lazy("Everybody"),
        [
            ("came", gettext_lazy("Came")),
            ("absent", gettext_lazy("Registered and did not come")),
            ("left", gettext_lazy("Left early")),
            ("answered", gettext_lazy("Answered or asked")),
        ],
    )


class StayFilter(ListFilter):
    """The filter bar of a session's raw rows."""

    sorts = ("joined", "name", "email", "left", "seconds")

    q = search_field(gettext_lazy("Search people"))


class AnswerFilter(ListFilter):
    sorts = ("name", "email", "question", "answer")

    q = search_field(gettext_lazy("Search answers"))


class PeopleReportFilter(ListFilter):
    """The filter bar of the people whose meetings can be reported."""

    sorts = ("name", "email", "dept")

    q = search_field(gettext_lazy("Search people"))
