"""The job type that moves recordings to the trash, or takes them out of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.recordings import (
    RecordingAction,
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingStatusChange,
)
from portal.jobs.job_types import ItemVerdict, Settled
from portal.jobs.models import UNDOES, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import Held, ItemValue, Reversal, RevertibleJob
from portal.recordings import mirror
from portal.recordings.jobs.base import DELETED, RecordingSelectionJob, leave_held, new_item
from portal.recordings.models import MirroredRecording
from portal.translation import gettext as _
from portal.translation import gettext_lazy

TRASH, RECOVER = RecordingRemoval.TRASH.value, RecordingAction.RECOVER.value
AVAILABLE, IN_TRASH = "available", "trash"
_WORDS = {
    AVAILABLE: gettext_lazy("Available"),
    IN_TRASH: gettext_lazy("In trash"),
    "partly": gettext_lazy("Partly in trash"),
}
_AFTER = {TRASH: IN_TRASH, RECOVER: AVAILABLE}
_ACTION_TO = {IN_TRASH: TRASH, AVAILABLE: RECOVER}


class TrashRecordingsJob(RecordingSelectionJob, RevertibleJob):
    """`parameters["action"]` is `trash` or `recover`.

    An item's `files` are the ids of the files that it moves; `whole` says that these are all there
    are, so that one call does.
    """

    name = "recordings.trash"
    verbs = {TRASH: gettext_lazy("Move to trash"), RECOVER: gettext_lazy("Recover")}
    phrases = {TRASH: gettext_lazy("Move %(what)s to trash")}
    gone = (gettext_lazy("Recording"), gettext_lazy("It is gone from the trash."))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        if UNDOES in job.parameters:
            return [Recordings.delete, Recordings.recover]
        return [Recordings.delete if job.parameters["action"] == TRASH else Recordings.recover]

    def outcome(self, job: Job) -> str:
        is_trash = job.parameters["action"] == TRASH
        return _("would move to the trash") if is_trash else _("would be recovered")

    def items(
        self, planning: Planning, recordings: Sequence[MirroredRecording], first: int
    ) -> Iterable[NewItem]:
        action = planning.job.parameters["action"]
        found = [_item(number, one, action) for number, one in enumerate(recordings, start=first)]
        return leave_held(found) if action == TRASH else found

    def carry_out(self, api: Api, item: JobItem) -> None:
        is_trash, files = item.action == TRASH, item.data["files"]
        removal = RecordingRemovalQuery(action=RecordingRemoval.TRASH)
        recovery = RecordingStatusChange(action=RecordingAction.RECOVER)
        if item.data["whole"]:
            if is_trash:
                api.recordings.delete(item.object_id, removal)
            else:
                api.recordings.recover(item.object_id, recovery)
            return
        for file_id in files:
            if is_trash:
                api.recordings.delete_file(item.object_id, file_id, removal)
            else:
                api.recordings.recover_file(item.object_id, file_id, recovery)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        whole = [item.object_id for item in items if item.data["whole"]]
        for action, note in ((TRASH, mirror.note_trashed), (RECOVER, mirror.note_recovered)):
            of_action = {item.object_id for item in items if item.action == action}
            note(job.connection, of_action & set(whole))
        for item in items:
            if item.data["whole"]:
                continue
            if item.action == TRASH:
                for file_id in item.data["files"]:
                    mirror.note_trashed(job.connection, [item.object_id], file_id)
            else:
                mirror.note_recovered(job.connection, [item.object_id], item.data["files"])

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        before = item.data["before"]
        yield ItemValue("status", _("Files"), before, _AFTER[item.action], _in_words)

    def now(self, api: Api, item: JobItem) -> Held:
        try:
            kept = {one.id for one in api.recordings.get(item.object_id).recording_files}
        except NotFound:
            kept = set()
        if not kept:
            api.recordings.settings(item.object_id)  # which those in the trash have too
        own = set(item.data["files"])
        now = AVAILABLE if own <= kept else "partly" if own & kept else IN_TRASH
        return {"status": now}.get

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return _ACTION_TO.get(reversal.values.get("status", ""), item.action)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:
        kept = {name: item.data[name] for name in ("files", "whole", "size", "host", "start")}
        return {**kept, "before": reversal.replaced.get("status", "")}


def _item(number: int, recording: MirroredRecording, action: str) -> NewItem:
    is_trash = action == TRASH
    moved = recording.kept_files if is_trash else recording.trashed_files
    files = [one["id"] for one in moved if one["id"]]
    size = sum(one["size"] for one in moved)
    whole = len(moved) == len(recording.files) or len(files) < len(moved)
    before = AVAILABLE if is_trash else IN_TRASH
    changes = [(_("Files"), _WORDS[before], _WORDS[_AFTER[action]])] if moved else []
    data = {"before": before, "files": files, "whole": whole, "size": size}
    return new_item(number, recording, action, data=data, changes=changes)


def _in_words(status: Any) -> str:
    return _WORDS.get(str(status), str(status or ""))


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
