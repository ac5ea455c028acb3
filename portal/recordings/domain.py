"""Registration of the recordings app with the portal."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.http import Origin, PortalRequest
from portal.access.models import Connection, User
from portal.access.scope import Limit, Outside, Scope, ScopeCount, ScopeRule
from portal.client import NotFound
from portal.connections.api import call_made
from portal.contract.meetings import Meetings
from portal.contract.operation import Call, Caller
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.directory.scope_rules import OUTSIDE, by_person, require_within
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.domain.samples import DEPARTMENT, SampleContent
from portal.mirror.loading import LoadedList
from portal.mirror.search import AT_MOST, Hit, SearchResult, url_of
from portal.recordings import mirror
from portal.recordings.holds import GUARDS, REFUSALS
from portal.recordings.home import SHARING, STORAGE, retention_rules
from portal.recordings.jobs import retention
from portal.recordings.jobs.reading import READING, ReadRecordingsJob, ReadSharingJob
from portal.recordings.jobs.retention import RETENTION, RetentionRunJob
from portal.recordings.jobs.selection import (
    ChangeRecordingSharingJob,
    DeleteRecordingsJob,
    TrashRecordingsJob,
)
from portal.recordings.mirror import RecordingFilter, forget_recordings_of, listed, topic_of
from portal.recordings.models import MirroredRecording, RetentionRule
from portal.recordings.notices import NOTICES
from portal.recordings.offboarding import HostedRecordings, RecoverRecordingStep, TrashRecordingStep
from portal.recordings.storage import STORED
from portal.recordings.webhook_events import (
    EVENT_WORDS,
    handle_event,
    reread,
    unreported,
    update_lists,
)
from portal.translation import gettext as _, gettext_lazy
from portal.ui.navigation import SESSIONS, NavigationEntry
from portal.webhooks import gaps
from portal.webhooks.deliveries import event_received

_DAYS = 30
_NEEDS = (Recordings.of_user,)
_ON_CHOSEN = ("trash", "recover", "delete", "sharing", "hold", "release")
_OF_ONE = (
    "recording",
    "file",
    "hold",
    "release",
    "recordings-settings",
    "recordings-password",
    "recordings-recover",
    "recordings-remove",
    "recording-recover",
    "recording-remove",
)


def _make_sample(colleague: User, connection: Connection) -> None:
    retention.set_rule(
        Origin(colleague, email=colleague.email),
        connection,
        older_than=_DAYS,
        dept=DEPARTMENT,
        whose=DEPARTMENT,
    )


def _remove_sample(colleague: User, by: Origin, connection: Connection) -> None:
    for rule in RetentionRule.objects.filter(connection=connection, owner=colleague):
        retention.remove_rule(by, rule)


SAMPLES = (SampleContent(70, "retention", _make_sample, _remove_sample),)


def find_recordings(request: PortalRequest, text: str) -> SearchResult:
    """Finds recordings by topic, host and number, the latest first."""
    scope = request.scope
    if not request.scope.can_call(Recordings.of_user):
        return SearchResult(_("Recordings"), [])
    state = READING.mark_viewed(scope.connection)
    rows = list(mirror.find(scope, RecordingFilter(search=text))[: AT_MOST + 1])
    hits = [
        Hit(row.label, url, "film", _detail(row))
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


def _of_recording(scope: Scope, call: Call[object], ask: Caller) -> None:
    """Checks the host of a recording, by the mirror or else by one read."""
    name = str(call.ids[0])
    stored = MirroredRecording.objects.filter(
        Q(uuid=name) | Q(session_id=name), connection=scope.connection
    )
    host = stored.values_list("host_id", flat=True).first()
    if host is None:
        try:
            host = ask(Recordings.get.call(name)).host_id
        except NotFound:
            raise Outside(call.operation, OUTSIDE) from None
    require_within(call, scope, host)


RULES: Mapping[str, ScopeRule] = {
    **{
        operation.name: ScopeRule(Limit.BY_SESSION, _of_recording)
        for operation in Recordings.operations()
    },
    Recordings.of_user.name: by_person(),
}


DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            SESSIONS, 40, gettext_lazy("Recordings"), "film", "recordings:list", needs=_NEEDS
        ),
        NavigationEntry(
            SESSIONS,
            41,
            gettext_lazy("Storage"),
            "hard-drive",
            "recordings:storage",
            needs=(Recordings.of_user, Reports.cloud_recording),
            within="recordings:list",
        ),
        NavigationEntry(
            SESSIONS,
            42,
            gettext_lazy("Retention"),
            "calendar-clock",
            "recordings:retention",
            needs=_NEEDS,
            within="recordings:list",
        ),
    ),
    running_by_share=(retention_rules,),
    scope_counts=(
        ScopeCount(
            gettext_lazy("Recordings"),
            Recordings.of_user,
            lambda scope: listed(scope).count(),
        ),
    ),
    mirrored_lists=(STORED,),
    loaded_lists=(
        LoadedList(READING, 40, gettext_lazy("Recordings"), "recordings:list", _NEEDS),
        LoadedList(
            STORED, 50, gettext_lazy("Storage"), "recordings:storage", (Reports.cloud_recording,)
        ),
    ),
    job_types=(
        ReadRecordingsJob,
        ReadSharingJob,
        TrashRecordingsJob,
        DeleteRecordingsJob,
        ChangeRecordingSharingJob,
        RetentionRunJob,
    ),
    object_labels={Meetings.of_user.family: topic_of},  # below whose path recordings are
    guards=GUARDS,
    searches=(find_recordings,),
    work_queues=(RETENTION, NOTICES),
    receivers=(
        (event_received, handle_event),
        (call_made, update_lists),
        (gaps.missed, reread),
        (gaps.witnesses_asked, unreported),
        (users_removed, forget_recordings_of),
    ),
    stored_words=(*EVENT_WORDS, *REFUSALS, *retention.OUTCOMES),
    home=(STORAGE, SHARING),
    holdings=(HostedRecordings(),),
    steps=(TrashRecordingStep(), RecoverRecordingStep()),
    scope_rules=RULES,
    limited_pages=(
        *(f"recordings:{name}" for name in ("list", "export", "refresh", "freshness")),
        *(f"recordings:chosen-{name}" for name in _ON_CHOSEN),
        *(f"recordings:{name}" for name in _OF_ONE),
    ),
    samples=SAMPLES,
)
