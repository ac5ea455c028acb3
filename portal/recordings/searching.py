"""Recordings in the search over everything."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.can import Can
from portal.access.http import PortalRequest
from portal.contract.recordings import Recordings
from portal.mirror.search import AT_MOST, Hit, SearchResult, url_of
from portal.recordings import mirror
from portal.recordings.jobs.reading import READING
from portal.recordings.labels import label_of
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording
from portal.translation import gettext as _


def find_recordings(request: PortalRequest, text: str) -> SearchResult:
    """Recordings by topic, host and number, the latest first."""
    scope = request.scope
    if not Can(request.scope).call(Recordings.of_user):
        return SearchResult(_("Recordings"), [])
    state = READING.mark_viewed(scope.connection)
    rows = list(mirror.find(scope, RecordingFilter(search=text))[: AT_MOST + 1])
    hits = [
        Hit(label_of(row), url, "film", _detail(row))
        for row in rows[:AT_MOST]
        if (url := url_of("recordings:recording", scope.connection, row.uuid))
    ]
    everything = (
        f"{reverse('recordings:list', args=[scope.connection.key])}?{urlencode({'q': text})}"
    )
    more = everything if len(rows) > AT_MOST else ""
    return SearchResult(_("Recordings"), hits, more, is_unread=not state.refreshed_at)


def _detail(row: MirroredRecording) -> str:
    began = ""
    if row.start_time:
        began = dateformat.format(timezone.localtime(row.start_time), _("j M Y, H:i"))
    return " · ".join(filter(None, (began, row.host_name)))
