"""The job type that deletes recordings for good."""

from collections.abc import Iterable, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.recordings import RecordingRemoval, RecordingRemovalQuery, Recordings
from portal.jobs.job_types import ItemVerdict, Settled
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.recordings import mirror
from portal.recordings.jobs.base import DELETED, RecordingSelectionJob, leave_held, new_item
from portal.recordings.models import MirroredRecording
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class DeleteRecordingsJob(RecordingSelectionJob):
    """Deletes all files of recordings, those in the trash too. There is no way back."""

    name = "recordings.delete"
    verbs = {DELETED: gettext_lazy("Delete permanently")}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Recordings.delete]

    def outcome(self, job: Job) -> str:  # noqa: ARG002
        return _("would be deleted permanently")

    def items(
        self,
        planning: Planning,  # noqa: ARG002
        recordings: Sequence[MirroredRecording],
        first: int,
    ) -> Iterable[NewItem]:
        found = []
        for number, recording in enumerate(recordings, start=first):
            changes = [(_("Files"), recording.get_status_display(), _("Deleted permanently"))]
            found.append(new_item(number, recording, DELETED, changes=changes))
        return leave_held(found)

    def carry_out(self, api: Api, item: JobItem) -> None:
        query = RecordingRemovalQuery(action=RecordingRemoval.DELETE)
        api.recordings.delete(item.object_id, query)

    def settle(self, api: Api, item: JobItem) -> Settled:
        try:
            api.recordings.settings(item.object_id)
        except NotFound:
            return Settled(ItemVerdict.DONE)
        return Settled(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.note_deleted(job.connection, [item.object_id for item in items])
