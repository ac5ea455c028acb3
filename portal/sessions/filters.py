"""Filters of a list of sessions, as they stand in the URL."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from portal.access.form_fields import offer_choices
from portal.access.scope import Scope
from portal.directory.colleagues import colleague
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, gettext_lazy, lazily, number, options
from portal.ui.filters import ListFilter, hidden_field
from portal.ui.forms.widgets import SearchInput

LIVE = "live"
ALL = "all"
WHEN = (
    ("", gettext_lazy("Upcoming")),
    (LIVE, gettext_lazy("Live")),
    ("past", gettext_lazy("Past")),
    ("unscheduled", gettext_lazy("No fixed time")),
    (ALL, gettext_lazy("All")),
)
# The title and the text of an empty tab.
NOTHING = {
    "": (
        gettext_lazy("No upcoming {}"),
        gettext_lazy("Scheduled sessions appear here until their last occurrence is over."),
    ),
    LIVE: (
        gettext_lazy("No live {}"),
        gettext_lazy("Sessions in progress appear here until they end."),
    ),
    "past": (
        gettext_lazy("No past {}"),
        gettext_lazy(
            "Sessions appear here after their last occurrence, while the service keeps them."
        ),
    ),
    "unscheduled": (
        gettext_lazy("No {} without a fixed time"),
        gettext_lazy("Sessions that can be started at any time appear here."),
    ),
}
_REGISTRATION = [
    ("", gettext_lazy("Any registration")),
    ("yes", gettext_lazy("With registration")),
    ("no", gettext_lazy("Without registration")),
]
_RECORDED = [
    ("", gettext_lazy("Any recording")),
    ("yes", gettext_lazy("Recorded in the last month")),
    ("no", gettext_lazy("Not recorded in the last month")),
]


# The mirror's names of tabs that it names otherwise.
_MIRRORED = {"": "upcoming", LIVE: "", ALL: ""}


class TimedFilter(ListFilter):
    """A filter by when sessions take place."""

    latest_first = frozenset({"past"})

    @property
    def chosen_time(self) -> str:
        return self.cleaned_data.get("when") or ""

    @property
    def order(self) -> str:
        """Returns the chosen order, or else the next ones first and of past ones the latest."""
        usual = "-start_time" if self.chosen_time in self.latest_first else "start_time"
        return self.cleaned_data.get("sort") or usual


class SessionsFilter(TimedFilter):
    """The filter bar of sessions of a kind. `host` is a person's id, as links give it."""

    sorts = ("start_time", *sorted(mirror.SORTS - {"start_time"}))
    without_chip = frozenset({"when"})
    rare = ("registration", "recorded", "tracking")

    q = forms.CharField(
        required=False, max_length=200, widget=SearchInput(gettext_lazy("Topic, host or ID"))
    )
    type = forms.TypedChoiceField(label=gettext_lazy("Type"), required=False, coerce=int)
    registration = forms.ChoiceField(
        label=gettext_lazy("Registration"), required=False, choices=_REGISTRATION
    )
    recorded = forms.ChoiceField(label=gettext_lazy("Recording"), required=False, choices=_RECORDED)
    tracking = forms.ChoiceField(label=gettext_lazy("Tracking field"), required=False)
    when = forms.ChoiceField(label=gettext_lazy("When"), required=False, choices=WHEN)
    host = hidden_field(gettext_lazy("Host"))

    def __init__(self, data: QueryDict, scope: Scope, spec: SessionSpec) -> None:
        self.scope, self.spec = scope, spec
        super().__init__(data)

    def prepare(self) -> None:
        self.fields["q"].label = lazily(
            lambda: _("Search %(plural)s") % {"plural": self.spec.plural}
        )
        offer_choices(self, "type", options(self.spec.types), unset=gettext_lazy("Any type"))
        values = mirror.tracking_values(self.scope)
        pairs = [(json.dumps(pair), ": ".join(pair)) for pair in values]
        offer_choices(self, "tracking", pairs, unset=gettext_lazy("Any tracking field"))

    @property
    def wanted(self) -> SessionFilter:
        """Without `live`, which only the service knows."""
        chosen = self.cleaned_data
        return SessionFilter(
            search=chosen.get("q") or "",
            kinds=[self.spec.family],
            types=[chosen["type"]] if chosen.get("type") else [],
            hosts=[chosen["host"]] if chosen.get("host") else [],
            when=_MIRRORED.get(self.chosen_time, self.chosen_time),
            registration=_either(chosen.get("registration")),
            recorded=_either(chosen.get("recorded")),
            tracking=[tuple(json.loads(chosen["tracking"]))] if chosen.get("tracking") else [],
        )

    def _words(self, name: str, value: Any) -> str:
        if name == "host":
            return colleague(self.scope, value).name
        return super()._words(name, value)


class HostedFilter(TimedFilter):
    """Filter of the sessions of one host on the page about them."""

    TIMES = tuple((value, label) for value, label in WHEN if value != LIVE)

    sorts = SessionsFilter.sorts
    latest_first = frozenset({"past", ALL})

    when = forms.ChoiceField(label=gettext_lazy("When"), required=False, choices=TIMES)

    def count(self, counts: Mapping[str, int]) -> None:
        """Adds the number of sessions to the label of each of `TIMES`."""
        offered = [(when, f"{label} ({number(counts[when])})") for when, label in self.TIMES]
        offer_choices(self, "when", offered)

    @staticmethod
    def wanted(spec: SessionSpec, host_id: str, when: str) -> SessionFilter:
        """Returns the filter of the sessions that a person hosts at one of `TIMES`."""
        return SessionFilter(kinds=[spec.family], hosts=[host_id], when=_MIRRORED.get(when, when))


def _either(value: str | None) -> bool | None:
    return {"yes": True, "no": False}.get(value or "")
