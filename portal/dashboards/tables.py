"""Tables of past sessions, their participants, messages and rooms."""

from datetime import datetime
from functools import partial

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.audit.wording import length
from portal.contract.dashboards import ImUse
from portal.contract.model import Titles
from portal.dashboards.services.past import (
    COUNTS,
    FEATURES,
    IM_COUNTS,
    DashboardSession,
    PersonUse,
    Room,
    RoomState,
)
from portal.dashboards.services.session.people import SessionStay, called, shared_in_words
from portal.dashboards.services.session.readings import BOARDS, WEBINARS, Place
from portal.dashboards.services.session.timeline import clock_time
from portal.mirror.search import url_of
from portal.sessions.attendance.words import status_in_words
from portal.translation import gettext as _, gettext_lazy, lazily, number, pgettext_lazy
from portal.ui.exports import ExportColumn, of
from portal.ui.html import icon
from portal.ui.numbers import spaced
from portal.ui.states import live_pill, pill
from portal.ui.tables import ConnectedTable, SortedColumn, TableColumn, linked
from portal.ui.times import absolute, exact

_FEATURE = '<span class="me-1" title="{0}">{1}<span class="visually-hidden">{0} </span></span>'


def person_link(connection: Connection, person_id: str, name: str) -> str | SafeString:
    """Returns a name, which links to the person's page if they are of the account."""
    if not person_id:
        return name
    url = reverse("people:person", args=[connection.key, person_id])
    return format_html('<a href="{}">{}</a>', url, name)


def session_url(connection: Connection, family: str, uuid: str) -> str:
    """Returns the address of one past session; empty if it has none."""
    return url_of(BOARDS[family].url_name(), connection, uuid)


def duration(seconds: int) -> str:
    """Returns a duration in words; begun minutes count whole."""
    return length(-(-seconds // 60))


def _has(name: str, one: DashboardSession) -> bool:
    return name in one.features


class PastTable(ConnectedTable):
    """Past sessions; a row leads to the session."""

    caption = gettext_lazy("Past sessions")
    key_field = "uuid"

    topic = SortedColumn(gettext_lazy("Topic"), empty_values=(), css="cell-main cell-rest")
    host = SortedColumn(gettext_lazy("Host"), empty_values=(), default="", css="cell-name")
    start = SortedColumn(
        gettext_lazy("Start"),
        default=gettext_lazy("Unknown"),
        css="cell-moment",
        cell=absolute,
        export="start_time",
        is_moment=True,
    )
    seconds = SortedColumn(
        gettext_lazy("Duration"),
        default=gettext_lazy("Unknown"),
        css="cell-number cell-narrow",
        cell=duration,
        export=[
            ExportColumn(
                "duration_seconds", lambda one: one.seconds, gettext_lazy("Duration (seconds)")
            )
        ],
    )
    participants = SortedColumn(
        gettext_lazy("Participants"),
        default=gettext_lazy("Unknown"),
        css="cell-number cell-narrow",
        cell=number,
    )
    features = TableColumn(
        gettext_lazy("Media"),
        empty_values=(),
        css="cell-kind",
        default="",
        export=[
            ExportColumn(name, partial(_has, name), title)
            for name, (title, _icon) in FEATURES.items()
        ],
    )
    department = SortedColumn(gettext_lazy("Department"))
    email = TableColumn(gettext_lazy("Host's email"))
    licence = TableColumn(gettext_lazy("Host's licence"), export="user_type")
    end = TableColumn(
        gettext_lazy("End"),
        default=gettext_lazy("Unknown"),
        css="cell-moment",
        cell=absolute,
        export="end_time",
        is_moment=True,
    )
    number = TableColumn(gettext_lazy("Meeting ID"), export="id", cell=spaced)
    uuid = TableColumn(gettext_lazy("UUID"))

    optional = ("department", "email", "licence", "end", "number", "uuid")
    later = ("host",)
    exported_first = (of("uuid", gettext_lazy("UUID")),)

    def __init__(
        self, rows: object, *, connection: Connection, family: str, **options: object
    ) -> None:
        super().__init__(rows, connection=connection, **options)
        self._family = family

    def render_topic(self, record: DashboardSession) -> str | SafeString:
        return linked(session_url(self.connection, self._family, record.uuid), record.name)

    def render_host(self, record: DashboardSession) -> str | SafeString:
        return person_link(self.connection, record.person_id, record.host or record.email)

    def render_features(self, record: DashboardSession) -> SafeString:
        used = (FEATURES[name] for name in record.features)
        return format_html_join("", _FEATURE, ((title, icon(name, 16)) for title, name in used))


_TITLES = Titles(ImUse)
_USUAL_COUNTS = ("total_send", "total_receive", "group_send", "calls_send", "files_send")


def _count_column(name: str) -> SortedColumn:
    return SortedColumn(
        lazily(partial(_TITLES.__getitem__, name)),
        accessor=f"counts__{name}",
        default=gettext_lazy("Unknown"),
        css="cell-number cell-length",
        cell=number,
        export=[ExportColumn(name, COUNTS[name])],
    )


class MessagesTable(ConnectedTable):
    """The use of instant messages by person; a name leads to the person."""

    caption = gettext_lazy("Instant messages by person")
    key_field = "user_id"

    name = SortedColumn(gettext_lazy("Person"), css="cell-main cell-rest")
    department = SortedColumn(gettext_lazy("Department"), css="cell-name")
    email = TableColumn(gettext_lazy("Email"))

    optional = ("email", *(set(IM_COUNTS) - set(_USUAL_COUNTS)))
    exported_first = (of("user_id", gettext_lazy("User ID")),)

    def __init__(self, rows: object, *, connection: Connection, **options: object) -> None:
        counts = [(name, _count_column(name)) for name in IM_COUNTS]
        super().__init__(rows, connection=connection, extra_columns=counts, **options)

    def render_name(self, record: PersonUse) -> str | SafeString:
        return person_link(self.connection, record.person_id, record.name)


class RoomTable(ConnectedTable):
    """Conference rooms; a row leads to the room."""

    caption = gettext_lazy("Conference rooms")

    name = SortedColumn(gettext_lazy("Name"), css="cell-main", export="room_name")
    state = SortedColumn(
        gettext_lazy("Status"),
        css="cell-state",
        export=[ExportColumn("status", lambda room: room.status_words)],
    )
    last_started = SortedColumn(
        gettext_lazy("Last started"),
        default=gettext_lazy("Unknown"),
        export="last_start_time",
        is_moment=True,
    )
    address = TableColumn(gettext_lazy("IP address"), export="device_ip")
    calendar = TableColumn(gettext_lazy("Calendar"), export="calender_name")
    email = TableColumn(gettext_lazy("Email"))
    camera = TableColumn(gettext_lazy("Camera"))
    microphone = TableColumn(gettext_lazy("Microphone"))
    speaker = TableColumn(gettext_lazy("Loudspeaker"))
    account_type = TableColumn(gettext_lazy("Account type"))

    optional = ("email", "camera", "microphone", "speaker", "account_type")
    exported_first = (of("id", gettext_lazy("Room ID")),)

    def render_name(self, record: Room) -> str | SafeString:
        return linked(url_of("dashboards:room", self.connection, record.id), record.name)

    def render_state(self, record: Room) -> SafeString:
        return room_status(record)


def room_status(room: Room) -> SafeString:
    if room.state is RoomState.IN_MEETING:
        return live_pill(room.status_words)
    return pill(room.tone, room.status_words)


def _time(at: datetime) -> SafeString:
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', at.isoformat(), exact(at), clock_time(at)
    )


class ParticipantTable(ConnectedTable):
    """One row for each stay; a row leads to the quality of it."""

    caption = gettext_lazy("Participants")

    name = SortedColumn(gettext_lazy("Name"), css="cell-main", export="user_name")
    joined = SortedColumn(
        gettext_lazy("Joined"),
        default=gettext_lazy("Unknown"),
        css="cell-tiny",
        cell=_time,
        export="join_time",
        is_moment=True,
    )
    left = SortedColumn(
        pgettext_lazy("the session", "Left"),
        empty_values=(),
        default="",
        css="cell-narrow",
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
    status = TableColumn(gettext_lazy("Status"), default="", words=status_in_words)
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
        "status",
        "recorded",
    )
    exported_first = (
        of("id", gettext_lazy("Participant ID")),
        of("user_id", gettext_lazy("User ID")),
    )

    def __init__(
        self, rows: list[SessionStay], *, connection: Connection, place: Place, **options: object
    ) -> None:
        super().__init__(rows, connection=connection, **options)
        self._place = place

    def render_name(self, record: SessionStay) -> str | SafeString:
        url = person_url(self.connection, self._place, record.address)
        return linked(url, called(record.name))

    def render_left(self, record: SessionStay) -> str | SafeString:
        if record.left:
            return _time(record.left)
        if record.gone_by:
            return format_html(_("About {}"), _time(record.gone_by))
        if not self._place.is_live:
            return ""
        if record.is_waiting:
            return _("In the waiting room")
        return _("In webinar") if self._place.board is WEBINARS else _("In meeting")

    def render_recorded(self, value: bool) -> str:
        return _("Yes") if value else _("No")


def person_url(connection: Connection, place: Place, address: str) -> str:
    """Returns the address of the page about one participant's quality; empty without an id."""
    url = url_of(place.board.url_name("person"), connection, place.id, address)
    return f"{url}?type={place.which}" if url else ""
