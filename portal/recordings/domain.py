"""What the recordings app registers with the portal."""

from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror import gaps
from portal.mirror.deliveries import event_received
from portal.recordings.holds import GUARDS
from portal.recordings.home import STORAGE
from portal.recordings.jobs.deletion import DeleteRecordings
from portal.recordings.jobs.reading import ReadRecordings
from portal.recordings.jobs.retention import RetentionRun
from portal.recordings.jobs.sharing_change import ChangeRecordingSharing
from portal.recordings.jobs.sharing_reading import ReadSharing
from portal.recordings.jobs.trash import TrashRecordings
from portal.recordings.mirror import forget_recordings_of
from portal.recordings.searching import find_recordings
from portal.recordings.webhook_events import handle_event, reread, unreported
from portal.ui.navigation import RECORDINGS, Entry

_NEEDS = (Recordings.of_user,)

DOMAIN = Domain(
    navigation=(
        Entry(RECORDINGS, 10, "All recordings", "film", "recordings:list", needs=_NEEDS),
        Entry(
            RECORDINGS,
            20,
            "Storage",
            "hard-drive",
            "recordings:storage",
            needs=(Recordings.of_user, Reports.cloud_recording),
        ),
        Entry(RECORDINGS, 30, "Retention", "calendar-clock", "recordings:retention", needs=_NEEDS),
    ),
    job_types=(
        ReadRecordings,
        ReadSharing,
        TrashRecordings,
        DeleteRecordings,
        ChangeRecordingSharing,
        RetentionRun,
    ),
    guards=GUARDS,
    searches=(find_recordings,),
    periodic_tasks={"recordings.keep_fresh": 300.0, "recordings.run_retention": 1800.0},
    receivers=(
        (event_received, handle_event),
        (gaps.missed, reread),
        (users_removed, forget_recordings_of),
    ),
    witnesses=(unreported,),
    home=(STORAGE,),
)
