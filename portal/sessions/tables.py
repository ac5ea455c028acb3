"""Tables of sessions."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.audit.wording import length
from portal.config import clock
from portal.contract.sessions import ApprovalType
from portal.contract.user_settings import AutoRecording
from portal.sessions.models import MirroredSession
from portal.sessions.specs import SessionSpec, has_page
from portal.sessions.times import listed_time
from portal.translation import gettext as _, gettext_lazy
from portal.ui import listing
from portal.ui.converters import path_of
from portal.ui.exports import ExportColumn, of
from portal.ui.html import icon
from portal.ui.numbers import spaced
from portal.ui.selection import export_actions
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.times import exact

_MARK = '<span class="me-1{2}" title="{0}">{1}<span class="visually-hidden">{0} </span></span>'
_NOW = (
    '<span class="status-dot status-green me-1" title="{0}"></span>'
    '<span class="visually-hidden">{0}: </span>'
)
_REGISTERED = {0, 1}  # automatically, or by hand
_RECORDED = {
    AutoRecording.CLOUD.value: gettext_lazy("Recorded to the cloud"),
    AutoRecording.LOCAL.value: gettext_lazy("Recorded on the host's computer"),
}


def list_of(spec: SessionSpec) -> listing.ListSpec:
    """Returns the list of a kind, with the actions for its rows."""
    url = f"{spec.family}:export"
    return listing.ListSpec(
        spec.family,
        spec.noun,
        spec.plural,
        actions=export_actions(url, spec.of_user),
        export_url_name=url,
    )


def _tracking(one: MirroredSession) -> str:
    return "; ".join(f"{field}: {value}" for field, value in one.tracking.items())


class SessionsTable(Table):
    """Sessions of one kind; a row leads to the session."""

    key_field = "pk"
    name_field = "topic"

    topic = SortedColumn(gettext_lazy("Topic"), css="cell-main cell-rest")
    start_time = SortedColumn(
        gettext_lazy("Starts"),
        default=gettext_lazy("No fixed time"),
        css="cell-time",
        is_moment=True,
    )
    duration = SortedColumn(
        gettext_lazy("Duration"),
        css="cell-length",
        cell=length,
        default="",
        export=[of("duration", gettext_lazy("Duration (minutes)"))],
    )
    host = SortedColumn(
        gettext_lazy("Host"),
        accessor="host_name",
        css="cell-name",
        export=[ExportColumn("host_email", lambda one: one.host_email or one.host_id)],
    )
    type = TableColumn(gettext_lazy("Type"), css="cell-narrow")
    joining = TableColumn(
        gettext_lazy("Joining"),
        empty_values=(),
        css="cell-brief",
        export=[
            of("has_password", gettext_lazy("Has password")),
            of("join_before_host", gettext_lazy("Join before host")),
            of("auto_recording", gettext_lazy("Automatic recording")),
        ],
    )
    registration = TableColumn(
        gettext_lazy("Registration"),
        accessor="approval_type",
        default="",
        export="approval_type",
        words=lambda value: ApprovalType(value).label if value in {0, 1, 2} else "",
    )
    number = TableColumn("ID", accessor="session_id", export="id", cell=spaced)
    timezone = TableColumn(gettext_lazy("Time zone"))
    created_at = SortedColumn(gettext_lazy("Created"), is_moment=True)

    optional = ("registration", "number", "timezone", "created_at")
    later = ("type",)
    exported_first = (
        ExportColumn("id", lambda one: one.session_id, "ID"),
        of("topic", gettext_lazy("Topic")),
    )
    exported_last = (
        of("join_url", gettext_lazy("Join link")),
        ExportColumn("tracking_fields", _tracking, gettext_lazy("Tracking fields")),
    )

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.pk}

    def __init__(self, rows: object, *, key: str, spec: SessionSpec, **options: object) -> None:
        super().__init__(rows, **options)
        self.caption = spec.title
        self.columns["number"].column.verbose_name = spec.id_title
        self._spec = spec
        types = {each.value: each.label for each in spec.types}
        self.columns["type"].column.words = lambda value: types.get(value, "")
        # One reverse for the page, not one a row.
        self._session = reverse(f"{spec.family}:session", args=[key, "SESSION"])

    def render_topic(self, record: MirroredSession) -> SafeString:
        if not has_page(record.session_id):
            return format_html("{}", record.topic or record.session_id)
        link = row_link(
            path_of(self._session, "SESSION", record.session_id), record.topic or record.session_id
        )
        start = getattr(record, "next_time", record.start_time)
        length = timedelta(minutes=record.duration or 0)
        is_now = start and start <= clock.now() < start + length
        return format_html(_NOW, _("Scheduled for now")) + link if is_now else link

    def render_start_time(self, value: datetime, record: object) -> SafeString:
        value = getattr(record, "next_time", value)
        return format_html(
            '<time datetime="{}" title="{}">{}</time>',
            value.isoformat(),
            exact(value),
            listed_time(value),
        )

    def render_type(self, value: int) -> SafeString | str:
        """One word: whether the times are fixed stands under the start."""
        words = self.columns["type"].column.words(value)
        if value not in self._spec.recurring:
            return str(words)
        return format_html('<span title="{}">{}</span>', words, _("Recurring"))

    def render_joining(self, record: MirroredSession) -> SafeString:
        return format_html_join("", _MARK, _marks(record))


def _marks(record: MirroredSession) -> Iterator[tuple[str, SafeString, str]]:
    """Shows what decides who gets in, with an icon; in colour if anyone gets past it."""
    if record.has_password is not None:
        word, name = (
            (_("Password"), "lock") if record.has_password else (_("No password"), "lock-open")
        )
        yield word, icon(name, 16), "" if record.has_password else " text-warning"
    if record.approval_type in _REGISTERED:
        yield _("Registration"), icon("user-check", 16), ""
    if record.auto_recording in _RECORDED:
        yield _RECORDED[record.auto_recording], icon("circle-dot", 16), ""
    if record.join_before_host:
        yield _("Join before host"), icon("door-open", 16), ""
