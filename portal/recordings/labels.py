"""Labels of recordings, their state and their sharing."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.config import clock
from portal.contract.recordings import RecordingSharing, format_in_words
from portal.recordings.models import KnownSharing, MirroredRecording, RecordingStatus
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.states import State, pill

_STATES: dict[str, State] = {
    RecordingStatus.AVAILABLE: "good",
    RecordingStatus.PARTLY: "warning",
    RecordingStatus.TRASHED: "neutral",
}
_SHORT = {
    RecordingSharing.PUBLICLY.value: gettext_lazy("Public"),
    RecordingSharing.INTERNALLY.value: gettext_lazy("Account"),
    RecordingSharing.NONE.value: gettext_lazy("No one"),
}
UNKNOWN = gettext_lazy("Not known yet")


def status_pill(status: str) -> SafeString:
    """The status as a state with its icon."""
    known = RecordingStatus(status)
    icon = "trash-2" if known is RecordingStatus.TRASHED else ""
    return pill(_STATES[known], known.label, icon)


def sharing_label(value: str) -> str:
    """Returns the audience of a recording, in words."""
    try:
        return RecordingSharing(value).label
    except ValueError:
        return value or UNKNOWN


def sharing_in_words(known: KnownSharing | None) -> str:
    """Returns a sentence about audience, password and downloads."""
    if known is None:
        return UNKNOWN
    parts = [str(_SHORT.get(known.sharing) or sharing_label(known.sharing))]
    if known.sharing != RecordingSharing.NONE:
        parts.append(_("password") if known.has_password else _("no password"))
        if known.viewer_download:
            parts.append(_("downloads"))
    return ", ".join(parts)


def sharing_cell(known: KnownSharing | None) -> SafeString:
    """Returns the same in few words, of which those alone stand out that are open to anyone."""
    words = sharing_in_words(known)
    if known is None or known.sharing != RecordingSharing.PUBLICLY:
        return format_html('<span class="text-secondary" title="{0}">{0}</span>', words)
    drawn = pill("warning", _("Open, password")) if known.has_password else pill("bad", _("Open"))
    return format_html('<span title="{}">{}</span>', words, drawn)


def trash_ends(trashed_at: datetime | None) -> datetime | None:
    """Returns the time at which the service empties the trash of files that came there then, if it
    is known."""
    if trashed_at is None:
        return None
    return trashed_at + timedelta(days=settings.RECORDINGS_TRASH_DAYS)


def days_left(trashed_at: datetime | None) -> int | None:
    """Whole days that are left in the trash; none below zero."""
    ends = trash_ends(trashed_at)
    return None if ends is None else max((ends - clock.now()).days, 0)


def label_of(recording: MirroredRecording) -> str:
    """Returns the label of a job's row."""
    return recording.topic or _("Recording of %(number)s") % {
        "number": recording.session_id or recording.uuid
    }


def formats_in_words(kinds: str) -> str:
    """Returns the formats of a recording's files, of which the names are between spaces."""
    return ", ".join(dict.fromkeys(map(format_in_words, kinds.split())))


def counted(count: int) -> str:
    """ "1 recording", "312 recordings"."""
    words = ngettext("%(count)s recording", "%(count)s recordings", count)
    return words % {"count": number(count)}
