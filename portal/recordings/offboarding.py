"""Recordings of a person who is offboarded."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import ClassVar

from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.recordings import (
    RecordingAction,
    RecordingRemoval,
    Recordings,
)
from portal.jobs.models import Job, JobItem
from portal.jobs.offboarding import (
    LEAVE,
    REMOVE,
    SHOWN,
    TRANSFER,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Option,
    Phase,
)
from portal.jobs.steps import NewStep, Step
from portal.recordings import holds, mirror
from portal.recordings.files import send_change
from portal.recordings.rows import ListedRecording, recordings_of
from portal.translation import gettext as _, gettext_lazy
from portal.ui.numbers import size_in_words

_RANGE = timedelta(days=182)
_AVAILABLE, _TRASHED = gettext_lazy("Available"), gettext_lazy("In trash")


class HostedRecordings(Holding):
    """Cloud recordings of six months, which is as far as the service lists them."""

    name, title, icon, place = "recordings", gettext_lazy("Recordings, last 6 months"), "film", 30
    phase = Phase.CONTENT
    transferred_by = "transfer_recording"
    may_be_more = True
    removed_by = (Recordings.delete,)
    options = (
        Option(
            TRANSFER,
            gettext_lazy("Transfer to the recipient, those in the trash and older ones too"),
        ),
        Option(LEAVE, gettext_lazy("Leave them with the person")),
        Option(
            REMOVE,
            gettext_lazy("Move them to the trash, from which the service deletes them later"),
        ),
    )
    needs = Recordings.of_user

    def read(self, api: Api, leaver: Leaver) -> list[ListedRecording]:
        today = clock.now().date() + timedelta(days=1)
        return recordings_of(api, leaver.id, today - _RANGE, today)

    def summary(self, inventory: Inventory) -> HoldingSummary:
        recordings = [one for one in inventory.data if one.available]
        size = sum(int(file.file_size or 0) for one in recordings for file in one.available)
        first = [
            (one.data.topic, size_in_words(sum(int(file.file_size or 0) for file in one.available)))
            for one in recordings[:SHOWN]
        ]
        words = holds.of_host(inventory.scope.connection, inventory.leaver.id)
        return HoldingSummary(
            len(recordings), size_in_words(size) if recordings else "", first, words
        )

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        recordings = [one for one in inventory.data if one.available]
        connection = inventory.scope.connection
        on_hold = holds.why_on_hold(connection, [one.data.uuid for one in recordings])
        for one in recordings:
            yield NewStep(
                "recordings.trash",
                one.data.uuid,
                _("Recording “%(topic)s”") % {"topic": one.data.topic},
                _TRASHED,
                # To recover it would also recover what was in the trash before.
                "" if one.trashed else _AVAILABLE,
                problem=on_hold.get(one.data.uuid, ""),
                object=_("“%(topic)s”") % {"topic": one.data.topic},
            )


class _RecordingStep(Step):
    """A step that makes this `change` to all files of a recording."""

    change: ClassVar[RecordingRemoval | RecordingAction]

    def now(self, api: Api, item: JobItem) -> str:
        try:
            files_now = api.recordings.get(item.data["target"]).recording_files
        except NotFound:
            return _TRASHED
        return _AVAILABLE if files_now else _TRASHED

    def carry_out(self, api: Api, item: JobItem) -> None:
        send_change(api, item.data["target"], self.change)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.record_files(
            job.connection, {item.data["target"]: () for item in items}, self.change
        )


class TrashRecordingStep(_RecordingStep):
    name, verb, inverse = "recordings.trash", gettext_lazy("Move to trash"), "recordings.recover"
    calls = (Recordings.delete,)
    change = RecordingRemoval.TRASH


class RecoverRecordingStep(_RecordingStep):
    name, verb, inverse = (
        "recordings.recover",
        gettext_lazy("Recover recording"),
        "recordings.trash",
    )
    calls = (Recordings.recover,)
    change = RecordingAction.RECOVER
