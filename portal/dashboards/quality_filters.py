"""Filters of the quality board and of the participants behind its rows."""

from typing import ClassVar

from django import forms

from portal.dashboards.models import Medium
from portal.dashboards.past_filters import DepartmentFilter
from portal.dashboards.services.streams.grouping import DIMENSIONS, StreamFilter
from portal.ui.forms.widgets import Search

UNKNOWN = "(unknown)"  # in an address: nothing is known of it
_NETWORK, *_ = DIMENSIONS


class BoardFilter(DepartmentFilter):
    """The filter bar of the quality board; its tabs choose what streams are grouped `by`."""

    sorts: ClassVar[tuple[str, ...]] = (
        "share",
        "poor",
        "fair",
        "streams",
        "people",
        "sessions",
        "name",
    )
    unsaid = DepartmentFilter.unsaid | {"by"}

    type = forms.ChoiceField(
        label="Type",
        required=False,
        choices=[("", "Meetings and webinars"), ("meetings", "Meetings"), ("webinars", "Webinars")],
    )
    stream = forms.ChoiceField(
        label="Stream", required=False, choices=[("", "Any stream"), *Medium.choices]
    )
    department = forms.ChoiceField(label="Department", required=False)
    by = forms.ChoiceField(
        label="Group by",
        required=False,
        choices=[("", DIMENSIONS[_NETWORK]), *list(DIMENSIONS.items())[1:]],
        widget=forms.HiddenInput,
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-share"

    @property
    def dimension(self) -> str:
        """A key of `DIMENSIONS`."""
        return self.cleaned_data.get("by") or _NETWORK

    @property
    def wanted(self) -> StreamFilter:
        chosen = self.range
        return StreamFilter(
            begin=chosen.begin,
            end=chosen.end,
            family=self.cleaned_data.get("type") or "",
            medium=self.cleaned_data.get("stream") or "",
            search=self.cleaned_data.get("q") or "",
            common=self._common(),
        )

    def _common(self) -> dict[str, str]:
        given = {name: self.cleaned_data.get(name) for name in DIMENSIONS}
        return {name: "" if value == UNKNOWN else value for name, value in given.items() if value}


class ParticipantsFilter(BoardFilter):
    """The filter bar of the participants behind a row of the board."""

    sorts = ("poor", "name", "session", "start", "network", "location", "version", "device")
    unsaid = BoardFilter.unsaid | {"of"}

    q = forms.CharField(
        label="Search participants",
        required=False,
        max_length=200,
        widget=Search("Participant or topic"),
    )
    of = forms.ChoiceField(
        label="Streams",
        required=False,
        choices=[("", "Poor streams"), ("fair", "Poor or fair streams"), ("all", "All streams")],
    )
    network = forms.CharField(
        label="Network", required=False, max_length=250, widget=forms.HiddenInput
    )
    location = forms.CharField(
        label="Location", required=False, max_length=250, widget=forms.HiddenInput
    )
    version = forms.CharField(
        label="Client version", required=False, max_length=250, widget=forms.HiddenInput
    )
    device = forms.CharField(
        label="Device", required=False, max_length=250, widget=forms.HiddenInput
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-poor"
