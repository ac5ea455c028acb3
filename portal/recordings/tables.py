"""The table of recordings."""

from dataclasses import replace
from datetime import datetime
from operator import attrgetter

from django.urls import reverse
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.audit.wording import length
from portal.config import clock
from portal.contract.recordings import Recordings
from portal.recordings.forms import (
    DeleteForm,
    HoldForm,
    RecoverForm,
    ReleaseForm,
    SharingForm,
    TrashForm,
)
from portal.recordings.models import (
    MirroredRecording,
    RecordingStatus,
    days_left,
    formats_in_words,
    sharing_cell,
    sharing_label,
    status_pill,
)
from portal.translation import gettext as _, gettext_lazy, ngettext
from portal.ui.exports import ExportColumn, of
from portal.ui.listing import ListSpec
from portal.ui.numbers import size_in_words, spaced
from portal.ui.selection import export_actions
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.times import exact

_EXPORT = "recordings:export"
_EXPORTS = export_actions(_EXPORT, Recordings.of_user)
_ON_ALL = (SharingForm.action, HoldForm.action, ReleaseForm.action)
RECORDINGS = ListSpec(
    "recordings",
    gettext_lazy("recording"),
    gettext_lazy("recordings"),
    actions=(TrashForm.action, *_ON_ALL, RecoverForm.action, *_EXPORTS, DeleteForm.action),
    export_url_name=_EXPORT,
)
# Of recordings in the trash: to recover them comes first, and they cannot be moved there.
TRASHED = replace(RECORDINGS, actions=(RecoverForm.action, *_ON_ALL, *_EXPORTS, DeleteForm.action))


def _sharing_field(name: str, title: str) -> ExportColumn:
    return ExportColumn(
        name, lambda row: getattr(getattr(row, "stored_sharing", None), name, None), title
    )


def _shared(row: MirroredRecording) -> str:
    stored = getattr(row, "stored_sharing", None)
    return sharing_label(stored.sharing) if stored else ""


class RecordingsTable(Table):
    caption = gettext_lazy("Recordings")
    key_field = "uuid"
    name_field = "topic"

    topic = SortedColumn(gettext_lazy("Topic"), css="cell-main cell-rest")
    host = SortedColumn(
        gettext_lazy("Host"),
        accessor="host_name",
        export=[ExportColumn("host_email", lambda row: row.host_email or row.host_id)],
    )
    dept = SortedColumn(gettext_lazy("Department"))
    start_time = SortedColumn(gettext_lazy("Recorded"), css="cell-narrow", is_moment=True)
    size = SortedColumn(
        gettext_lazy("Size"),
        css="cell-number cell-length",
        cell=size_in_words,
        export=[ExportColumn("total_size", attrgetter("size"), gettext_lazy("Size (bytes)"))],
    )
    status = TableColumn(
        gettext_lazy("Status"),
        css="cell-state cell-long",
        words=lambda value: RecordingStatus(value).label,
    )
    sharing = TableColumn(
        gettext_lazy("Sharing"),
        accessor="stored_sharing",
        empty_values=(),
        css="cell-kind",
        export=[
            ExportColumn("share_recording", _shared, gettext_lazy("Sharing")),
            _sharing_field("has_password", gettext_lazy("Password")),
            _sharing_field("viewer_download", gettext_lazy("Download by viewers")),
        ],
    )
    duration = SortedColumn(
        gettext_lazy("Duration"),
        css="cell-narrow",
        cell=length,
        default="",
        export=[of("duration", gettext_lazy("Duration (minutes)"))],
    )
    files = TableColumn(gettext_lazy("Files"), accessor="file_count", export="recording_count")
    kinds = TableColumn(gettext_lazy("File types"), export="file_types", words=formats_in_words)
    trashed_at = SortedColumn(gettext_lazy("Left in trash"), export="deleted_time", is_moment=True)
    number = TableColumn(
        gettext_lazy("Meeting ID"), accessor="session_id", export="id", cell=spaced
    )

    optional = ("dept", "duration", "files", "kinds", "trashed_at", "number")
    later = ("host", "dept", "size")
    exported_last = (
        ExportColumn(
            "on_hold", lambda row: getattr(row, "is_on_hold", None), gettext_lazy("On hold")
        ),
    )
    exported_first = (
        of("uuid", gettext_lazy("UUID")),
        ExportColumn("id", lambda row: row.session_id, gettext_lazy("Meeting ID")),
        of("topic", gettext_lazy("Topic")),
    )

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.uuid}

    def __init__(self, rows: object, *, connection: Connection, **options: object) -> None:
        super().__init__(rows, **options)
        self._key = connection.key

    def render_topic(self, record: MirroredRecording) -> SafeString:
        return row_link(reverse("recordings:recording", args=[self._key, record.uuid]), record)

    def render_start_time(self, value: datetime) -> SafeString:
        local, now = timezone.localtime(value), timezone.localtime(clock.now())
        pattern = _("j M") if local.year == now.year else _("j M Y")
        return format_html(
            '<time datetime="{}" title="{}">{}</time>',
            value.isoformat(),
            exact(value),
            dateformat.format(local, pattern),
        )

    def render_status(self, record: MirroredRecording) -> SafeString:
        """Shows a hold rather than that a recording is available."""
        if getattr(record, "is_on_hold", False) and record.status == RecordingStatus.AVAILABLE:
            return pill("warning", _("On hold"), "lock")
        return status_pill(record.status)

    def render_sharing(self, record: MirroredRecording) -> SafeString:
        return sharing_cell(getattr(record, "stored_sharing", None))

    def render_trashed_at(self, value: datetime) -> str:
        left = days_left(value) or 0
        return ngettext("%(count)s day", "%(count)s days", left) % {"count": left}
