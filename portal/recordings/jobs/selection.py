"""Jobs on selected recordings: sharing, moving to the trash, recovering, erasing."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.urls import reverse

from portal.access.models import Connection
from portal.audit.wording import moment_in_words
from portal.client import Api, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.recordings import (
    RecordingAction,
    RecordingRemoval,
    Recordings,
    RecordingSettings,
)
from portal.jobs.desired_state import DesiredStateJob
from portal.jobs.job_types import ItemVerdict, JobType, Resolution
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.undo import CurrentValue, ItemValue, Reversal, RevertibleJob
from portal.mirror.selection import SelectionJob, marked_unchanged
from portal.recordings import holds, mirror, sharing
from portal.recordings.files import send_change
from portal.recordings.filters import RecordingSelection
from portal.recordings.jobs.reading import READING
from portal.recordings.models import (
    MirroredRecording,
    RecordingStatus,
    counted,
    sharing_label,
)
from portal.translation import gettext as _, gettext_lazy
from portal.translation.phrases import joined
from portal.ui.numbers import size_in_words

DELETED = "delete"  # the action after which a recording has no page
CHANGE = "change"
PASSWORD = "password"  # noqa: S105 - the name of a field
_SET = "set"
_TITLES = {
    "share_recording": gettext_lazy("Sharing"),
    "viewer_download": gettext_lazy("Downloads"),
    PASSWORD: gettext_lazy("Password"),
}
# Without what is read wrongly aloud or by eye.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10
TRASH, RECOVER = RecordingRemoval.TRASH.value, RecordingAction.RECOVER.value
AVAILABLE, IN_TRASH = "available", "trash"
_WORDS = {
    AVAILABLE: gettext_lazy("Available"),
    IN_TRASH: gettext_lazy("In trash"),
    "partly": gettext_lazy("Partly in trash"),
}
_CHANGES: dict[str, RecordingRemoval | RecordingAction] = {
    TRASH: RecordingRemoval.TRASH,
    RECOVER: RecordingAction.RECOVER,
}
_AFTER = {TRASH: IN_TRASH, RECOVER: AVAILABLE}
_ACTION_TO = {IN_TRASH: TRASH, AVAILABLE: RECOVER}


class OfRecordingsJob(JobType):
    """A job type whose items are recordings, by their UUIDs."""

    noun = (gettext_lazy("recording"), gettext_lazy("recordings"))
    list_url_name = "recordings:list"

    def about(self, item: JobItem) -> Sequence[str]:
        return [words for words in (item.data.get("host"), _when(item.data.get("start"))) if words]

    def page_of(self, job: Job, item: JobItem) -> str:
        is_gone = item.action == DELETED and item.state == ItemState.DONE
        if is_gone or not item.object_id:
            return ""
        return reverse("recordings:recording", args=[job.connection.key, item.object_id])


class RecordingSelectionJob(OfRecordingsJob, SelectionJob[MirroredRecording]):
    """A job on recordings selected in the list. The plan sums up what becomes of how many, in the
    words of `outcome`."""

    selection = RecordingSelection
    none_left = gettext_lazy("None of the selected recordings exists any more.")
    comparing = gettext_lazy("Comparing recordings")
    list_as_of = gettext_lazy("This preview uses the list of recordings as of %(exact)s.")
    mirrored = READING

    def outcome(self, job: Job) -> str:  # noqa: ARG002
        """Returns the end of that sentence: "would move to the trash"; empty if there is none."""
        return ""

    def add_notices(self, planning: Planning) -> None:
        if not (outcome := self.outcome(planning.job)):
            return
        pending = planning.job.items.filter(state=ItemState.PENDING)
        sizes = [size or 0 for size in pending.values_list("data__size", flat=True)]
        words = joined(", ", counted(len(sizes)), size_in_words(sum(sizes)), outcome)
        planning.add_notice("neutral", words + ".")


def new_item(number: int, recording: MirroredRecording, action: str, **values: Any) -> NewItem:
    """Returns the item of a recording; without changes there is nothing to send."""
    start = recording.start_time
    about = {"host": recording.host_name, "start": start.isoformat() if start else ""}
    values["data"] = {**about, "size": recording.size, **values.get("data", {})}
    return marked_unchanged(NewItem(number, recording.label, action, recording.uuid, **values))


def mark_on_hold(connection: Connection, items: Iterable[NewItem]) -> Iterator[NewItem]:
    """Returns the items; those of recordings on hold are not carried out, and say why."""
    listed = list(items)
    on_hold = holds.why_on_hold(connection, [item.object_id for item in listed])
    for item in listed:
        if item.object_id in on_hold:
            item.state = ItemState.INVALID
            item.problems = [(_("Hold"), on_hold[item.object_id])]
        yield item


def _when(start: object) -> str:
    """Returns the time in the reader's zone; unchanged if earlier releases stored no zone."""
    try:
        return moment_in_words(datetime.fromisoformat(str(start).replace(" GMT", "+00:00")))
    except ValueError:
        return str(start or "")


class ChangeRecordingSharingJob(RecordingSelectionJob, DesiredStateJob):
    """`parameters["changes"]` are fields of `RecordingSettings`; `password` among them asks for one
    to be made for each recording that has none.

    Passwords are encrypted until they are sent; then the recording's page shows them to those who
    ask. In the data of an item stands only whether one is `_SET`.
    """

    name = "recordings.sharing"
    wanted_in = "changes"
    verbs = {CHANGE: gettext_lazy("Change the sharing of")}
    gone = (gettext_lazy("Recording"), gettext_lazy("It is gone."))

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [Recordings.update_settings]

    def items(
        self, planning: Planning, recordings: Sequence[MirroredRecording], first: int
    ) -> Iterable[NewItem]:
        """Reads the settings again, since the stored ones may be a day old."""

        def fetch(recording: MirroredRecording) -> RecordingSettings | None:
            if recording.status == RecordingStatus.TRASHED:
                return None
            try:
                return planning.api.recordings.settings(recording.uuid)
            except NotFound:
                return None

        answers = list(planning.read_each(fetch, recordings))
        readings = {one.uuid: now for one, now in zip(recordings, answers, strict=True)}
        read = {uuid: one.result for uuid, one in readings.items() if one.result}
        sharing.store_sharing(planning.job.connection, read)
        wanted = {**planning.job.parameters["changes"]}
        if PASSWORD in wanted:
            wanted[PASSWORD] = _SET

        def compare(number: int, recording: MirroredRecording) -> NewItem:
            item, now = new_item(number, recording, CHANGE), readings[recording.uuid].value
            if now is None:
                item.state = ItemState.INVALID
                item.problems = [(_("Recording"), _("It is in the trash or deleted."))]
            else:
                self.differing(item, _holder(now), wanted)
            if PASSWORD in item.data.get("changes", ()):
                item.secret = {PASSWORD: "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}
            return item

        for number, recording in enumerate(recordings, start=first):
            make = partial(compare, number, recording)
            yield planning.item(number, recording.label, make, recording.uuid)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.recordings.update_settings(
            item.object_id, RecordingSettings(**{**item.data["changes"], **item.secret})
        )

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        sharing.record_written(
            job.connection,
            {item.object_id: item.data["changes"] for item in items},
        )

    def value(self, data: Mapping[str, object], name: str, before: Any, after: object) -> ItemValue:  # noqa: ARG002
        return ItemValue(name, _TITLES[name], before, after, _words_for(name))

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        item.data["changes"] |= item.data.get("made", {})  # where earlier releases have a password
        return super().values(item)

    def now(self, api: Api, item: JobItem) -> CurrentValue:
        return _holder(api.recordings.settings(item.object_id))

    def undo_data(self, item: JobItem, reversal: Reversal) -> JsonDict:
        data = super().undo_data(item, reversal)
        # A password that is taken away is stored nowhere, so that it cannot be set again.
        data["before"].pop(PASSWORD, None)
        return data if data["before"] else {"changes": data["changes"]}

    def undo_context(self, item: JobItem) -> dict[str, object]:
        return {name: item.data[name] for name in ("host", "start", "size")}


def _holder(now: RecordingSettings) -> CurrentValue:
    """Returns the settings by name; of a password, whether one is set."""
    values = {
        "share_recording": str(now.share_recording or ""),
        "viewer_download": now.viewer_download,
        PASSWORD: _SET if now.password else "",
    }
    return values.get


def _words_for(name: str) -> Any:
    if name == "share_recording":
        return lambda value: sharing_label(str(value or ""))
    if name == PASSWORD:
        return lambda value: _("Set") if value else _("Not set")
    return lambda value: _("Allowed") if value else _("Not allowed")


class TrashRecordingsJob(RecordingSelectionJob, RevertibleJob):
    """`parameters["action"]` is `trash` or `recover`.

    An item's `files` are the ids of the files that it moves; `whole` says that these are all there
    are, so that one call does.
    """

    name = "recordings.trash"
    verbs = {TRASH: gettext_lazy("Move to trash"), RECOVER: gettext_lazy("Recover")}
    phrases = {TRASH: gettext_lazy("Move %(what)s to trash")}
    gone = (gettext_lazy("Recording"), gettext_lazy("It is gone from the trash."))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        if UNDOES in job.parameters:
            return [Recordings.delete, Recordings.recover]
        return [Recordings.delete if job.parameters["action"] == TRASH else Recordings.recover]

    def calls_of_row(self, item: NewItem) -> Sequence[AnyOperation]:
        call = Recordings.delete if item.action == TRASH else Recordings.recover
        return [call] * (1 if item.data.get("whole") else len(item.data.get("files", ())))

    def outcome(self, job: Job) -> str:
        is_trash = job.parameters["action"] == TRASH
        return _("would move to the trash") if is_trash else _("would be recovered")

    def items(
        self, planning: Planning, recordings: Sequence[MirroredRecording], first: int
    ) -> Iterable[NewItem]:
        action = planning.job.parameters["action"]
        items = [
            planning.item(number, one.label, partial(_item, number, one, action), one.uuid)
            for number, one in enumerate(recordings, start=first)
        ]
        return mark_on_hold(planning.job.connection, items) if action == TRASH else items

    def carry_out(self, api: Api, item: JobItem) -> None:
        for file_id in [""] if item.data["whole"] else item.data["files"]:
            send_change(api, item.object_id, _CHANGES[item.action], file_id)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for action, change in _CHANGES.items():
            moved = {
                item.object_id: () if item.data["whole"] else item.data["files"]
                for item in items
                if item.action == action
            }
            mirror.record_files(job.connection, moved, change)

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        def words(status: object) -> str:
            return _WORDS.get(str(status), str(status or ""))

        before = item.data["before"]
        yield ItemValue("status", _("Files"), before, _AFTER[item.action], words)

    def now(self, api: Api, item: JobItem) -> CurrentValue:
        try:
            available = {one.id for one in api.recordings.get(item.object_id).recording_files}
        except NotFound:
            available = set()
        if not available:
            api.recordings.settings(item.object_id)  # which those in the trash have too
        own = set(item.data["files"])
        now = AVAILABLE if own <= available else "partly" if own & available else IN_TRASH
        return {"status": now}.get

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return _ACTION_TO.get(reversal.values.get("status", ""), item.action)

    def undo_data(self, item: JobItem, reversal: Reversal) -> JsonDict:
        carried = {name: item.data[name] for name in ("files", "whole", "size", "host", "start")}
        return {**carried, "before": reversal.replaced.get("status", "")}


def _item(number: int, recording: MirroredRecording, action: str) -> NewItem:
    is_trash = action == TRASH
    moved = recording.available_files if is_trash else recording.trashed_files
    files = [one["id"] for one in moved if one["id"]]
    size = sum(one["size"] for one in moved)
    whole = len(moved) == len(recording.files) or len(files) < len(moved)
    before = AVAILABLE if is_trash else IN_TRASH
    changes = [(_("Files"), _WORDS[before], _WORDS[_AFTER[action]])] if moved else []
    data = {"before": before, "files": files, "whole": whole, "size": size}
    return new_item(number, recording, action, data=data, changes=changes)


class DeleteRecordingsJob(RecordingSelectionJob):
    """Deletes all files of recordings, those in the trash too. There is no way back."""

    name = "recordings.delete"
    verbs = {DELETED: gettext_lazy("Delete permanently")}

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [Recordings.delete]

    def outcome(self, job: Job) -> str:  # noqa: ARG002
        return _("would be deleted permanently")

    def items(
        self,
        planning: Planning,
        recordings: Sequence[MirroredRecording],
        first: int,
    ) -> Iterable[NewItem]:
        items = []
        for number, recording in enumerate(recordings, start=first):
            changes = [(_("Files"), recording.get_status_display(), _("Deleted permanently"))]
            items.append(new_item(number, recording, DELETED, changes=changes))
        return mark_on_hold(planning.job.connection, items)

    def carry_out(self, api: Api, item: JobItem) -> None:
        send_change(api, item.object_id, RecordingRemoval.DELETE)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        try:
            api.recordings.settings(item.object_id)
        except NotFound:
            return Resolution(ItemVerdict.DONE)
        return Resolution(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        gone = {item.object_id: () for item in items}
        mirror.record_files(job.connection, gone, RecordingRemoval.DELETE)
