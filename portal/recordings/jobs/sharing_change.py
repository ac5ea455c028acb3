"""The job type that changes who may watch recordings."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.recordings import Recordings, RecordingSettings
from portal.jobs.desired_state import DesiredStateJob
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import Held, ItemValue, Reversal
from portal.recordings import sharing
from portal.recordings.jobs.base import RecordingSelectionJob, new_item
from portal.recordings.labels import sharing_label
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import gettext as _
from portal.translation import gettext_lazy

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

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Recordings.update_settings]

    def items(
        self, planning: Planning, recordings: Sequence[MirroredRecording], first: int
    ) -> Iterable[NewItem]:
        """The settings are read again: what the list knows may be a day old."""

        def ask(recording: MirroredRecording) -> RecordingSettings | None:
            if recording.status == RecordingStatus.TRASHED:
                return None
            try:
                return planning.api.recordings.settings(recording.uuid)
            except NotFound:
                return None

        found = list(planning.concurrently(ask, recordings))
        read = {one.uuid: now for one, now in zip(recordings, found, strict=True) if now}
        sharing.take_over(planning.job.connection, read)
        wanted = {**planning.job.parameters["changes"]}
        if PASSWORD in wanted:
            wanted[PASSWORD] = _SET
        for number, recording in enumerate(recordings, start=first):
            item = new_item(number, recording, CHANGE)
            if recording.uuid not in read:
                item.state = ItemState.INVALID
                item.problems = [(_("Recording"), _("It is in the trash or deleted."))]
            else:
                self.differing(item, _holder(read[recording.uuid]), wanted)
            if PASSWORD in item.data.get("changes", ()):
                item.secret = {PASSWORD: "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}
            yield item

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.recordings.update_settings(
            item.object_id, RecordingSettings(**{**item.data["changes"], **item.secret})
        )

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        sharing.note_written(
            job.connection,
            {item.object_id: item.data["changes"] for item in items},
        )

    def value(self, data: Mapping[str, Any], name: str, before: Any, after: Any) -> ItemValue:  # noqa: ARG002
        return ItemValue(name, _TITLES[name], before, after, _words_for(name))

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        item.data["changes"] |= item.data.get("made", {})  # where earlier releases have a password
        return super().values(item)

    def now(self, api: Api, item: JobItem) -> Held:
        return _holder(api.recordings.settings(item.object_id))

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:
        data = super().undo_data(item, reversal)
        # A password that is taken away is stored nowhere, so that it cannot be set again.
        data["before"].pop(PASSWORD, None)
        return data if data["before"] else {"changes": data["changes"]}

    def undo_context(self, item: JobItem) -> dict[str, Any]:
        return {name: item.data[name] for name in ("host", "start", "size")}


def _holder(now: RecordingSettings) -> Held:
    """The settings by name; of a password, whether one is set."""
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
