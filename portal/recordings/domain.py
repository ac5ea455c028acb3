"""What recordings add to the portal."""

from portal.contract.recordings import Recordings
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror.hooks import event_received
from portal.recordings.holds import GUARDS
from portal.recordings.jobs.deletion import DeletionOfChosen
from portal.recordings.jobs.reading import ReadRecordings
from portal.recordings.jobs.sharing_change import SharingOfChosen
from portal.recordings.jobs.sharing_reading import ReadSharing
from portal.recordings.jobs.trash import TrashOfChosen
from portal.recordings.mirror import forget_recordings_of
from portal.recordings.searching import find_recordings
from portal.recordings.webhook_events import handle_event
from portal.ui.navigation import RECORDINGS, Entry

_NEEDS = (Recordings.of_user,)

DOMAIN = Domain(
    navigation=(Entry(RECORDINGS, 10, "All recordings", "film", "recordings:list", needs=_NEEDS),),
    job_types=(ReadRecordings, ReadSharing, TrashOfChosen, DeletionOfChosen, SharingOfChosen),
    guards=GUARDS,
    searches=(find_recordings,),
    periodic_tasks={"recordings.keep_fresh": 300.0},
    receivers=((event_received, handle_event), (users_removed, forget_recordings_of)),
)
