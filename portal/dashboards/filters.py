"""Filters of the live sessions, kept in the URL."""

from collections.abc import Sequence

from django import forms

from portal.access.scope import Scope
from portal.dashboards.services.live.attention import LEVELS
from portal.dashboards.services.live.picture import LISTS, MEETINGS, LiveSession
from portal.directory import users
from portal.translation import folded, gettext_lazy, searched
from portal.translation import gettext as _
from portal.ui.forms.widgets import SearchInput

NOT_MEASURED = "unknown"
_LONGEST = 100


class LiveFilter(forms.Form):
    """`kind` is which of the two lists is shown; what is not valid narrows nothing."""

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
            *LEVELS.items(),
            (NOT_MEASURED, gettext_lazy("Not measured")),
        ],
    )
    kind = forms.ChoiceField(
        required=False, choices=[(name, name) for name in LISTS], widget=forms.HiddenInput
    )

    def __init__(self, *args: object, scope: Scope, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._scope = scope
        field: forms.ChoiceField = self.fields["department"]  # type: ignore[assignment]
        field.choices = self._departments

    def _departments(self) -> list[tuple[str, str]]:
        known = users.departments(self._scope)
        return [("", _("All departments")), *((each, each) for each in known)]


def chosen(data: dict[str, str]) -> dict[str, str]:
    """Returns the chosen values without a form, for a fragment that is asked for often."""
    names = ("q", "department", "host", "quality", "kind")
    given = {name: data.get(name, "").strip()[:_LONGEST] for name in names}
    if given["kind"] not in LISTS:
        given["kind"] = MEETINGS
    if given["quality"] not in {*LEVELS, NOT_MEASURED}:
        given["quality"] = ""
    return given


def narrowed(sessions: Sequence[LiveSession], chosen: dict[str, str]) -> list[LiveSession]:
    """The sessions that fit what was chosen."""
    words = searched(chosen["q"])
    host, quality = folded(chosen["host"]), chosen["quality"]
    return [
        one
        for one in sessions
        if all(word in _searched(one) for word in words)
        if not chosen["department"] or one.department == chosen["department"]
        if not host or host in folded(f"{one.host} {one.email}")
        if not quality or (one.quality or NOT_MEASURED) == quality
    ]


def _searched(one: LiveSession) -> str:
    return folded(f"{one.topic} {one.host} {one.email} {one.number} {one.department}")
