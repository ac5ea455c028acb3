"""Registration of the recordings app with the portal."""

from portal.access.calls_made import calls_made
from portal.access.parts import PartCount
from portal.contract.meetings import Meetings
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror import gaps
from portal.mirror.deliveries import event_received
from portal.mirror.loading import LoadedList
from portal.recordings.holds import GUARDS, REFUSALS
from portal.recordings.home import SHARING, STORAGE
from portal.recordings.jobs.deletion import DeleteRecordingsJob
from portal.recordings.jobs.reading import READING, ReadRecordingsJob
from portal.recordings.jobs.retention import RetentionRunJob
from portal.recordings.jobs.sharing_change import ChangeRecordingSharingJob
from portal.recordings.jobs.sharing_reading import ReadSharingJob
from portal.recordings.jobs.trash import TrashRecordingsJob
from portal.recordings.leaving import HostedRecordings, RecoverRecordingStep, TrashRecordingStep
from portal.recordings.list_updates import update_lists
from portal.recordings.mirror import forget_recordings_of, listed, topic_of
from portal.recordings.part_rules import RULES
from portal.recordings.running_by_share import retention_rules
from portal.recordings.sample import SAMPLES
from portal.recordings.searching import find_recordings
from portal.recordings.services.storage import STORED
from portal.recordings.webhook_events import EVENT_WORDS, handle_event, reread, unreported
from portal.translation import gettext_lazy
from portal.ui.navigation import SESSIONS, NavigationEntry

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
    part_counts=(
        PartCount(
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
    periodic_tasks={"recordings.run_retention": 1800.0},
    receivers=(
        (event_received, handle_event),
        (calls_made, update_lists),
        (gaps.missed, reread),
        (users_removed, forget_recordings_of),
    ),
    witnesses=(unreported,),
    stored_words=(*EVENT_WORDS, *REFUSALS),
    home=(STORAGE, SHARING),
    holdings=(HostedRecordings(),),
    steps=(TrashRecordingStep(), RecoverRecordingStep()),
    part_rules=RULES,
    part_pages=(
        *(f"recordings:{name}" for name in ("list", "export", "refresh", "freshness")),
        *(f"recordings:chosen-{name}" for name in _ON_CHOSEN),
        *(f"recordings:{name}" for name in _OF_ONE),
    ),
    samples=SAMPLES,
)
