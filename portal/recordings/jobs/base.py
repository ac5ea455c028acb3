"""Bases of jobs on recordings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse

from portal.access.audit.wording import moment_in_words
from portal.access.models import Connection
from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.models import MirrorState
from portal.mirror.selection import SelectionJob, settled
from portal.recordings import holds, mirror
from portal.recordings.filters import RecordingSelection
from portal.recordings.labels import counted, label_of
from portal.recordings.models import MirroredRecording
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.numbers import size_in_words

DELETED = "delete"  # the action after which a recording has no page


class OfRecordingsJob(JobType):
    """A job type whose items are recordings, by their UUIDs."""

    noun = (gettext_lazy("recording"), gettext_lazy("recordings"))
    list_url_name = "recordings:list"

    def about(self, item: JobItem) -> Sequence[str]:
        return [part for part in (item.data.get("host"), _when(item.data.get("start"))) if part]

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
    stale_after = mirror.STALE_AFTER

    def outcome(self, job: Job) -> str:  # noqa: ARG002
        """Returns the end of that sentence: "would move to the trash"; empty if there is none."""
        return ""

    def state_of(self, connection: Connection) -> MirrorState:
        return mirror.state_of(connection)

    def note(self, planning: Planning) -> None:
        if not (outcome := self.outcome(planning.job)):
            return
        pending = planning.job.items.filter(state=ItemState.PENDING)
        sizes = [size or 0 for size in pending.values_list("data__size", flat=True)]
        words = f"{counted(len(sizes))}, {size_in_words(sum(sizes))}, {outcome}."
        planning.note("neutral", words)


def new_item(number: int, recording: MirroredRecording, action: str, **values: Any) -> NewItem:
    """An item of one recording; without changes there is nothing to send."""
    start = recording.start_time
    about = {"host": recording.host_name, "start": start.isoformat() if start else ""}
    values["data"] = {**about, "size": recording.size, **values.get("data", {})}
    return settled(NewItem(number, label_of(recording), action, recording.uuid, **values))


def leave_held(items: Iterable[NewItem]) -> Iterator[NewItem]:
    """Returns the items; those of recordings on hold are not carried out, and say why."""
    known = list(items)
    on_hold = holds.held([item.object_id for item in known])
    for item in known:
        if item.object_id in on_hold:
            item.state = ItemState.INVALID
            item.problems = [(_("Hold"), holds.in_words(on_hold[item.object_id]))]
        yield item


def _when(start: Any) -> str:
    """The time where the reader is; as an earlier version stored it, where that has no zone."""
    try:
        return moment_in_words(datetime.fromisoformat(str(start).replace(" GMT", "+00:00")))
    except ValueError:
        return str(start or "")
