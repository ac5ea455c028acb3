"""The job type that changes who may watch recordings."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.recordings import Recordings, RecordingSettings
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import Held, ItemValue, Look, Reversal, RevertibleJob
from portal.recordings import sharing
from portal.recordings.jobs.base import RecordingSelectionJob, new_item
from portal.recordings.labels import sharing_label
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import gettext as _
from portal.translation import gettext_lazy

CHANGE = "change"
PASSWORD = "password"  # noqa: S105 - the name of a field
_TITLES = {
    "share_recording": gettext_lazy("Sharing"),
    "viewer_download": gettext_lazy("Downloads"),
    PASSWORD: gettext_lazy("Password"),
}
# Without what is read wrongly aloud or by eye.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10


class ChangeRecordingSharingJob(RecordingSelectionJob, RevertibleJob):
    """`parameters["changes"]` are fields of `RecordingSettings`; `password` among them asks for one
    to be made for each recording that has none.

    Passwords are encrypted until they are sent; then the recording's page shows them to those who
    ask.
    """

    name = "recordings.sharing"
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
        wanted = planning.job.parameters["changes"]
        for number, recording in enumerate(recordings, start=first):
            now = read.get(recording.uuid)
            if now is None:
                problem = (_("Recording"), _("It is in the trash or deleted."))
                yield new_item(
                    number, recording, CHANGE, state=ItemState.INVALID, problems=[problem]
                )
            else:
                yield _item(number, recording, wanted, now)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.recordings.update_settings(
            item.object_id, RecordingSettings(**item.data["changes"], **item.secret)
        )

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        sharing.note_written(
            job.connection,
            {
                item.object_id: {**item.data["changes"], **item.data.get("made", {})}
                for item in items
            },
        )

    def values(self, item: JobItem) -> Iterator[ItemValue]:
        after = {**item.data["changes"], **item.data.get("made", {})}
        for name, before in item.data["before"].items():
            yield ItemValue(name, _TITLES[name], before, after[name], _words_for(name))

    def looking(self, planning: Planning) -> Look:
        def ask(item: JobItem) -> Held | None:
            try:
                return _holder(planning.api.recordings.settings(item.object_id))
            except NotFound:
                return None

        return lambda items: planning.concurrently(ask, items)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:
        return {
            **{name: item.data[name] for name in ("host", "start", "size")},
            "changes": dict(reversal.values),
            "before": dict(reversal.replaced),
        }


def _item(
    number: int, recording: MirroredRecording, wanted: dict[str, Any], now: RecordingSettings
) -> NewItem:
    holder = _holder(now)
    changes: list[tuple[str, str, str]] = []
    data: dict[str, Any] = {"changes": {}, "before": {}}
    secret: dict[str, str] = {}
    for name, value in wanted.items():
        before, words = holder(name), _words_for(name)
        after = "set" if name == PASSWORD else value
        if before == after:
            continue
        changes.append((_TITLES[name], words(before), words(after)))
        data["before"][name] = before
        if name == PASSWORD:
            data["made"] = {name: after}
            secret = {name: "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}
        else:
            data["changes"][name] = value
    return new_item(number, recording, CHANGE, data=data, changes=changes, secret=secret)


def _holder(now: RecordingSettings) -> Held:
    """The settings by name; of a password, whether one is set."""
    values = {
        "share_recording": str(now.share_recording or ""),
        "viewer_download": now.viewer_download,
        PASSWORD: "set" if now.password else "",
    }
    return values.get


def _words_for(name: str) -> Any:
    if name == "share_recording":
        return lambda value: sharing_label(str(value or ""))
    if name == PASSWORD:
        return lambda value: _("Set") if value else _("Not set")
    return lambda value: _("Allowed") if value else _("Not allowed")
