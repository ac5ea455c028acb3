"""Filters of the live sessions, with their values in the URL."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from django import forms
from django.http import QueryDict

from portal.access.form_fields import field_of, offer_choices
from portal.access.scope import Scope
from portal.dashboards.models import Medium
from portal.dashboards.services.live.picture import LISTS, MEETINGS, WEBINARS, LiveSession
from portal.dashboards.services.past import IM_COUNTS, RoomState
from portal.dashboards.services.session.people import SessionStay
from portal.dashboards.services.streams.grouping import DIMENSIONS, StreamFilter
from portal.directory import users
from portal.translation import folded, gettext as _, gettext_lazy
from portal.ui.charts import WORDS
from portal.ui.filters import ListFilter, choice_field, hidden_field, search_field
from portal.ui.forms.widgets import SearchInput
from portal.ui.ranges import Period, RangeFilter
from portal.ui.views.ranged import has_words

NOT_MEASURED = "unknown"
_LONGEST = 100
UNKNOWN = "(unknown)"  # in an address: rows without a value
_NETWORK = "network"


class LiveFilter(forms.Form):
    """The filter bar of Live; `kind` is the shown list. An invalid value narrows nothing."""

    q = forms.CharField(
        label=gettext_lazy("Search live sessions"),
        required=False,
        max_length=_LONGEST,
        widget=SearchInput(gettext_lazy("Topic, host or number")),
    )
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    host = forms.CharField(
        label=gettext_lazy("Host"),
        required=False,
        max_length=_LONGEST,
        widget=forms.TextInput(
            {
                "placeholder": gettext_lazy("Any host"),
                "list": "live-hosts",
                "autocomplete": "off",
            }
        ),
    )
    quality = forms.ChoiceField(
        label=gettext_lazy("Quality"),
        required=False,
        choices=[
            ("", gettext_lazy("Any quality")),
            *WORDS.items(),
            (NOT_MEASURED, gettext_lazy("Not measured")),
        ],
    )
    kind = forms.ChoiceField(
        required=False, choices=[(name, name) for name in LISTS], widget=forms.HiddenInput
    )

    def __init__(self, *args: object, scope: Scope, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._scope = scope
        field_of(self, "department", forms.ChoiceField).choices = self._departments

    def _departments(self) -> list[tuple[str, str]]:
        departments = users.departments(self._scope)
        return [("", _("All departments")), *((each, each) for each in departments)]


def chosen(data: dict[str, str]) -> dict[str, str]:
    """Returns the chosen values without a form, for a fragment that is requested often."""
    names = ("q", "department", "host", "quality", "kind")
    given = {name: data.get(name, "").strip()[:_LONGEST] for name in names}
    if given["kind"] not in LISTS:
        given["kind"] = MEETINGS
    if given["quality"] not in {*WORDS, NOT_MEASURED}:
        given["quality"] = ""
    return given


def narrowed(sessions: Sequence[LiveSession], chosen: dict[str, str]) -> list[LiveSession]:
    host, quality = folded(chosen["host"]), chosen["quality"]
    return [
        one
        for one in sessions
        if has_words(chosen["q"], (one.topic, one.host, one.email, one.number, one.department))
        if not chosen["department"] or one.department == chosen["department"]
        if not host or host in folded(f"{one.host} {one.email}")
        if not quality or (one.quality or NOT_MEASURED) == quality
    ]


class DepartmentFilter(RangeFilter):
    """Base of filter bars that offer the departments of a connection's people."""

    def __init__(self, data: QueryDict, scope: Scope) -> None:
        self.scope = scope
        super().__init__(data)

    def prepare(self) -> None:
        choices = [(name, name) for name in users.departments(self.scope)]
        offer_choices(self, "department", choices, unset=_("Any department"))


class PastFilter(DepartmentFilter):
    sorts = ("start", "topic", "host", "seconds", "participants", "department")
    usual_sort = "-start"
    without_chip = RangeFilter.without_chip | {"type"}

    q = search_field(gettext_lazy("Search sessions"))
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    people = choice_field(
        gettext_lazy("Participants"),
        gettext_lazy("Any participants"),
        [("one", gettext_lazy("One participant only"))],
    )
    type = choice_field(
        gettext_lazy("Type"), gettext_lazy("Meetings"), [(WEBINARS, gettext_lazy("Webinars"))]
    )

    @property
    def family(self) -> str:
        """Returns the kind of the sessions: `MEETINGS` or `WEBINARS`."""
        return self.cleaned_data.get("type") or MEETINGS


class MessagesFilter(DepartmentFilter):
    in_gmt = True
    sorts = ("total_send", "name", "department", *IM_COUNTS)
    usual_sort = "-total_send"

    q = search_field(gettext_lazy("Search people"))
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)


class RoomFilter(ListFilter):
    sorts = ("state", "name", "last_started")

    q = search_field(gettext_lazy("Search rooms"))
    status = choice_field(
        gettext_lazy("Status"),
        gettext_lazy("Any status"),
        [(each.value, each.label) for each in RoomState],
    )


class RoomMeetingsFilter(RangeFilter):
    usual = Period.LAST_30_DAYS
    sorts = PastFilter.sorts
    usual_sort = "-start"

    q = search_field(gettext_lazy("Search meetings"))


class PortsFilter(RangeFilter):
    sorts = ("day",)


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
    usual_sort = "-share"
    without_chip = DepartmentFilter.without_chip | {"by"}

    type = choice_field(
        gettext_lazy("Type"),
        gettext_lazy("Meetings and webinars"),
        [("meetings", gettext_lazy("Meetings")), ("webinars", gettext_lazy("Webinars"))],
    )
    stream = choice_field(gettext_lazy("Stream"), gettext_lazy("Any stream"), Medium.choices)
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    by = forms.ChoiceField(
        label=gettext_lazy("Group by"),
        required=False,
        choices=[("", DIMENSIONS[_NETWORK]), *list(DIMENSIONS.items())[1:]],
        widget=forms.HiddenInput,
    )

    @property
    def dimension(self) -> str:
        """Returns a key of `DIMENSIONS`."""
        return self.cleaned_data.get("by") or _NETWORK

    @property
    def wanted(self) -> StreamFilter:
        chosen = self.range
        return StreamFilter(
            begin=chosen.begin,
            end=chosen.end,
            family=self.cleaned_data.get("type") or "",
            medium=self.cleaned_data.get("stream") or "",
            search=self.search,
            common=self._common(),
        )

    def _common(self) -> dict[str, str]:
        given = {name: self.cleaned_data.get(name) for name in DIMENSIONS}
        return {name: "" if value == UNKNOWN else value for name, value in given.items() if value}


class ParticipantsFilter(BoardFilter):
    sorts = ("poor", "name", "session", "start", "network", "location", "version", "device")
    usual_sort = "-poor"
    without_chip = BoardFilter.without_chip | {"of"}

    q = search_field(gettext_lazy("Search participants"), gettext_lazy("Participant or topic"))
    of = choice_field(
        gettext_lazy("Streams"),
        gettext_lazy("Poor streams"),
        [("fair", gettext_lazy("Poor or fair streams")), ("all", gettext_lazy("All streams"))],
    )
    network = hidden_field(gettext_lazy("Network"), max_length=250)
    location = hidden_field(gettext_lazy("Location"), max_length=250)
    version = hidden_field(gettext_lazy("Client version"), max_length=250)
    device = hidden_field(gettext_lazy("Device"), max_length=250)


_ANY_OF = {
    "network": gettext_lazy("Any network"),
    "location": gettext_lazy("Any location"),
    "version": gettext_lazy("Any client version"),
    "device": gettext_lazy("Any device"),
}


class ParticipantFilter(ListFilter):
    """The filter bar of participants; it offers the places and networks of the session."""

    sorts = ("joined", "name", "left", "device", "network", "location", "version")
    without_chip = frozenset({"type"})
    rare = ("location", "version", "device")

    q = search_field(gettext_lazy("Search participants"))
    network = forms.ChoiceField(label=gettext_lazy("Network"), required=False)
    location = forms.ChoiceField(label=gettext_lazy("Location"), required=False)
    version = forms.ChoiceField(label=gettext_lazy("Client version"), required=False)
    device = forms.ChoiceField(label=gettext_lazy("Device"), required=False)
    type = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict, stays: Iterable[SessionStay]) -> None:
        self._stays = list(stays)
        super().__init__(data)

    def prepare(self) -> None:
        for name, anything in _ANY_OF.items():
            values = sorted({getattr(one, name) for one in self._stays} - {""})
            offer_choices(self, name, [(one, one) for one in values], unset=anything)

    def matching(self) -> list[SessionStay]:
        chosen = self.cleaned_data
        words = (chosen.get("q") or "").casefold().split()
        exactly = {name: chosen[name] for name in _ANY_OF if chosen.get(name)}
        return [
            one
            for one in self._stays
            if all(getattr(one, name) == value for name, value in exactly.items())
            and all(word in _texts_of(one) for word in words)
        ]


def _texts_of(one: SessionStay) -> str:
    texts = (one.name, one.id, one.user_id, one.ip_address, one.computer, one.location, one.version)
    return "\n".join(texts).casefold()
