"""Filters of the lists of past sessions, messages, rooms and ports, kept in the URL."""

from typing import Any

from django import forms
from django.http import QueryDict

from portal.access.scope import Scope
from portal.dashboards.services.messages import IM_COUNTS
from portal.dashboards.services.rooms import RoomState
from portal.directory import users as directory
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput
from portal.ui.ranges import Period, RangeFilter

MEETINGS, WEBINARS = "meetings", "webinars"


class DepartmentFilter(RangeFilter):
    """The base of filter bars that offer the departments of a connection's people."""

    def __init__(self, data: QueryDict, scope: Scope) -> None:
        self.scope = scope
        super().__init__(data)

    def prepare(self) -> None:
        known = [(name, name) for name in directory.departments(self.scope)]
        field: Any = self.fields["department"]
        field.choices = [("", _("Any department")), *known]


class PastFilter(DepartmentFilter):
    """The filter bar of past sessions."""

    sorts = ("start", "topic", "host", "seconds", "participants", "department")
    unsaid = RangeFilter.unsaid | {"type"}

    q = forms.CharField(
        label=gettext_lazy("Search sessions"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search sessions")),
    )
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    people = forms.ChoiceField(
        label=gettext_lazy("Participants"),
        required=False,
        choices=[
            ("", gettext_lazy("Any participants")),
            ("one", gettext_lazy("One participant only")),
        ],
    )
    type = forms.ChoiceField(
        label=gettext_lazy("Type"),
        required=False,
        choices=[("", gettext_lazy("Meetings")), (WEBINARS, gettext_lazy("Webinars"))],
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-start"

    @property
    def family(self) -> str:
        """Which sessions: `MEETINGS` or `WEBINARS`."""
        return self.cleaned_data.get("type") or MEETINGS


class MessagesFilter(DepartmentFilter):
    """The filter bar of the use of instant messages."""

    in_gmt = True
    sorts = ("total_send", "name", "department", *IM_COUNTS)

    q = forms.CharField(
        label=gettext_lazy("Search people"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search people")),
    )
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-total_send"


class RoomFilter(ListFilter):
    """The filter bar of conference rooms."""

    sorts = ("state", "name", "last_started")

    q = forms.CharField(
        label=gettext_lazy("Search rooms"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search rooms")),
    )
    status = forms.ChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=[
            ("", gettext_lazy("Any status")),
            *((each.value, each.label) for each in RoomState),
        ],
    )


class RoomMeetingsFilter(RangeFilter):
    """The filter bar of the meetings that were held in a room."""

    usual = Period.LAST_30_DAYS
    sorts = PastFilter.sorts

    q = forms.CharField(
        label=gettext_lazy("Search meetings"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search meetings")),
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-start"


class PortsFilter(RangeFilter):
    """The days of the use of call-routing ports."""

    sorts = ("day",)
