"""Filters of reports, kept in the URL."""

from typing import Any, ClassVar

from django import forms

from portal.reports.services.rows import span_of
from portal.reports.services.windows import Span
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import Search
from portal.ui.ranges import Period, RangeFilter

COMPARED = "before"


class ReportFilter(RangeFilter):
    """The filter bar of a report of some days."""

    usual: ClassVar[Period] = Period.LAST_30_DAYS
    descending: ClassVar[bool] = True
    unsaid = RangeFilter.unsaid | {"compare", "show"}

    period = forms.ChoiceField(label="Period", required=False, choices=Period.choices)
    compare = forms.ChoiceField(
        label="Comparison",
        required=False,
        choices=[("", "Not compared"), (COMPARED, "Compared with the period before")],
    )

    @property
    def order(self) -> str:
        usual = f"-{self.sorts[0]}" if self.descending else self.sorts[0]
        return self.cleaned_data.get("sort") or usual

    @property
    def is_compared(self) -> bool:
        return self.cleaned_data.get("compare") == COMPARED

    @property
    def span(self) -> Span:
        """The days of GMT that are needed."""
        return span_of(self.range)

    @property
    def search(self) -> str:
        return self.cleaned_data.get("q") or ""


def _search(what: str) -> Any:
    return forms.CharField(label=what, required=False, max_length=200, widget=Search(what))


class DailyFilter(ReportFilter):
    in_gmt = True
    sorts = ("day", "new_users", "meetings", "participants", "minutes")


class StorageFilter(ReportFilter):
    in_gmt = True
    sorts = ("day", "used", "free", "plan")


class HostFilter(ReportFilter):
    in_gmt = True
    sorts = ("minutes", "name", "email", "department", "meetings", "participants")

    q = _search("Search hosts")


class InactiveFilter(ReportFilter):
    in_gmt = True
    descending = False
    sorts = ("name", "email", "department")

    q = _search("Search people")


class CallFilter(ReportFilter):
    sorts = ("start", "host", "department", "country", "duration", "charge")

    q = _search("Search calls")


class PersonFilter(ReportFilter):
    sorts = ("start", "topic", "duration", "minutes", "participants")

    q = _search("Search meetings")


class AttendanceFilter(ListFilter):
    """The filter bar of who attended a session."""

    sorts = ("name", "email", "first", "last", "minutes", "stays")

    q = _search("Search people")
    came = forms.ChoiceField(
        label="Attendance",
        required=False,
        choices=[
            ("", "Everybody"),
            ("came", "Came"),
            ("absent", "Registered and did not come"),
            ("left", "Left early"),
            ("answered", "Answered or asked"),
        ],
    )


class StayFilter(ListFilter):
    """The filter bar of a session's raw rows."""

    sorts = ("joined", "name", "email", "left", "seconds")

    q = _search("Search people")


class AnswerFilter(ListFilter):
    """The filter bar of answers and questions."""

    sorts = ("name", "email", "question", "answer")

    q = _search("Search answers")


class PeopleFilter(ListFilter):
    """The filter bar of the people whose meetings can be reported."""

    sorts = ("name", "email", "dept")

    q = _search("Search people")
