"""Filters of reports, with their values in the URL."""

from typing import ClassVar

from django import forms

from portal.translation import gettext_lazy
from portal.ui.filters import ListFilter, choice_field, search_field
from portal.ui.ranges import Period, RangeFilter

COMPARED, NOT_COMPARED = "before", "none"


class ReportFilter(RangeFilter):
    """The filter bar of a report over days; `Report.filter_class` adds what one report has."""

    usual: ClassVar[Period] = Period.LAST_30_DAYS
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
    def compared(self) -> str:
        """Returns `COMPARED` or `NOT_COMPARED`; empty to compare if the days before are stored."""
        return self.cleaned_data.get("compare") or ""


class AttendanceFilter(ListFilter):
    """The filter bar of the people who attended a session."""

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
    """The filter bar of the people with reports on their meetings."""

    sorts = ("name", "email", "dept")

    q = search_field(gettext_lazy("Search people"))
