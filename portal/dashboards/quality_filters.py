"""Filters of the quality board and of the participants behind its rows."""

from typing import ClassVar

from django import forms

from portal.dashboards.models import Medium
from portal.dashboards.past_filters import DepartmentFilter
from portal.dashboards.services.streams.grouping import DIMENSIONS, StreamFilter
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import SearchInput

UNKNOWN = "(unknown)"  # in an address: nothing is known of it
_NETWORK = "network"


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
        label=gettext_lazy("Type"),
        required=False,
        choices=[
            ("", gettext_lazy("Meetings and webinars")),
            ("meetings", gettext_lazy("Meetings")),
            ("webinars", gettext_lazy("Webinars")),
        ],
    )
    stream = forms.ChoiceField(
        label=gettext_lazy("Stream"),
        required=False,
        choices=[("", gettext_lazy("Any stream")), *Medium.choices],
    )
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    by = forms.ChoiceField(
        label=gettext_lazy("Group by"),
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
        label=gettext_lazy("Search participants"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Participant or topic")),
    )
    of = forms.ChoiceField(
        label=gettext_lazy("Streams"),
        required=False,
        choices=[
            ("", gettext_lazy("Poor streams")),
            ("fair", gettext_lazy("Poor or fair streams")),
            ("all", gettext_lazy("All streams")),
        ],
    )
    network = forms.CharField(
        label=gettext_lazy("Network"), required=False, max_length=250, widget=forms.HiddenInput
    )
    location = forms.CharField(
        label=gettext_lazy("Location"), required=False, max_length=250, widget=forms.HiddenInput
    )
    version = forms.CharField(
        label=gettext_lazy("Client version"),
        required=False,
        max_length=250,
        widget=forms.HiddenInput,
    )
    device = forms.CharField(
        label=gettext_lazy("Device"), required=False, max_length=250, widget=forms.HiddenInput
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-poor"
