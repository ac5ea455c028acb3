"""The list of a session's participants: its table and its filters."""

from collections.abc import Iterable
from datetime import datetime

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.form_fields import offer_choices
from portal.access.models import Connection
from portal.dashboards.services.live.picture import WEBINARS
from portal.dashboards.services.session.people import SessionStay, called, shared_in_words
from portal.dashboards.services.session.readings import Place
from portal.dashboards.services.session.timeline import clock_time
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.ui.exports import of
from portal.ui.filters import ListFilter, search_field
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.times import exact

NAME = "session-participants"  # of the list, for the columns that a user chose
_CLOCK = {"td": {"class": "cell-tiny"}}
_ABOUT = {"td": {"class": "cell-narrow"}}
_ANY = {
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
        for name, anything in _ANY.items():
            values = sorted({getattr(one, name) for one in self._stays} - {""})
            offer_choices(self, name, [(one, one) for one in values], unset=anything)

    def matching(self) -> list[SessionStay]:
        chosen = self.cleaned_data
        words = (chosen.get("q") or "").casefold().split()
        exactly = {name: chosen[name] for name in _ANY if chosen.get(name)}
        return [
            one
            for one in self._stays
            if all(getattr(one, name) == value for name, value in exactly.items())
            and all(word in _searched(one) for word in words)
        ]


def _searched(one: SessionStay) -> str:
    texts = (one.name, one.id, one.user_id, one.ip_address, one.computer, one.location, one.version)
    return "\n".join(texts).casefold()


def _time(at: datetime) -> SafeString:
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', at.isoformat(), exact(at), clock_time(at)
    )


class ParticipantTable(Table):
    """One row for each stay; a row leads to the quality of it."""

    caption = gettext_lazy("Participants")

    name = SortedColumn(gettext_lazy("Name"), css="cell-main", export="user_name")
    joined = SortedColumn(
        gettext_lazy("Joined"),
        default=gettext_lazy("Unknown"),
        attrs=_CLOCK,
        cell=_time,
        export="join_time",
        is_moment=True,
    )
    left = SortedColumn(
        pgettext_lazy("the session", "Left"),
        empty_values=(),
        default="",
        attrs=_ABOUT,
        export="leave_time",
        is_moment=True,
    )
    device = SortedColumn(gettext_lazy("Device"), default="")
    network = SortedColumn(gettext_lazy("Network"), default="", export="network_type")
    location = SortedColumn(gettext_lazy("Location"), default="")
    version = SortedColumn(gettext_lazy("Client version"), default="")
    microphone = TableColumn(gettext_lazy("Microphone"), default="")
    shared = TableColumn(gettext_lazy("Shared"), default="", cell=shared_in_words)
    speaker = TableColumn(gettext_lazy("Loudspeaker"), default="")
    connection = TableColumn(gettext_lazy("Connection"), default="", export="connection_type")
    data_center = TableColumn(gettext_lazy("Data centre"), default="")
    ip_address = TableColumn(gettext_lazy("IP address"), default="")
    computer = TableColumn(gettext_lazy("Computer"), default="", export="pc_name")
    domain = TableColumn(gettext_lazy("Domain"), default="")
    recorded = TableColumn(
        gettext_lazy("Recorded"), empty_values=(None,), default="", export="recording"
    )

    optional = (
        "speaker",
        "connection",
        "data_center",
        "ip_address",
        "computer",
        "domain",
        "recorded",
    )
    exported_first = (
        of("id", gettext_lazy("Participant ID")),
        of("user_id", gettext_lazy("User ID")),
    )

    def __init__(
        self, rows: list[SessionStay], *, home: Connection, place: Place, **options: object
    ) -> None:
        super().__init__(rows, **options)
        self._home, self._place = home, place

    def render_name(self, record: SessionStay) -> str | SafeString:
        url = person_url(self._home, self._place, record.address)
        return row_link(url, called(record.name)) if url else called(record.name)

    def render_left(self, record: SessionStay) -> str | SafeString:
        if record.left:
            return _time(record.left)
        if record.gone_by:
            return format_html(_("About {}"), _time(record.gone_by))
        if not self._place.is_live:
            return ""
        return _("In webinar") if self._place.board.family == WEBINARS else _("In meeting")

    def render_recorded(self, value: bool) -> str:
        return _("Yes") if value else _("No")


def person_url(connection: Connection, place: Place, address: str) -> str:
    """Returns the address of the page about one participant's quality; empty without an id."""
    if not address:
        return ""
    name = place.board.url_name("person")
    return f"{reverse(name, args=[connection.key, place.id, address])}?type={place.which}"
