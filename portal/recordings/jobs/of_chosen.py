"""Base of bulk jobs on recordings: the selection is read from the mirror when a job is planned."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.urls import reverse

from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.recordings import holds, mirror
from portal.recordings.labels import counted, label_of
from portal.recordings.models import MirroredRecording
from portal.recordings.services.choosing import RecordingSelection
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.sizes import size_in_words
from portal.ui.times import exact

_TOGETHER = 500
DELETED = "delete"  # the action after which a recording has no page


class OfRecordingsJob(JobType):
    """A job type whose items are recordings, by their UUIDs."""

    noun = (gettext_lazy("recording"), gettext_lazy("recordings"))
    list_url_name = "recordings:list"

    def about(self, item: JobItem) -> Sequence[str]:
        return [part for part in (item.data.get("host"), item.data.get("start")) if part]

    def page_of(self, job: Job, item: JobItem) -> str:
        is_gone = item.action == DELETED and item.state == ItemState.DONE
        if is_gone or not item.object_id:
            return ""
        return reverse("recordings:recording", args=[job.connection.key, item.object_id])


class ChosenRecordingsJob(OfRecordingsJob):
    """A job on recordings that somebody chose in the list; `parameters["chosen"]` says which.

    The plan sums up in `done_words` how much of them it is about.
    """

    done_words = ""

    def plan(self, planning: Planning) -> None:
        expected = count = size = 0
        for done, expected, recordings in _read(planning.job):
            for item in self.items(planning, recordings, done + 1):
                if item.state == ItemState.PENDING:
                    count, size = count + 1, size + item.data.get("size", 0)
                planning.add(item)
            planning.progress(done + len(recordings), expected, _("Comparing recordings"))
        if not expected:
            raise Unplannable(_("None of the selected recordings exists any more."))
        if self.done_words:
            words = f"{counted(count)}, {size_in_words(size)}, {self.done_words}."
            planning.note("neutral", words)
        state = mirror.state_of(planning.job.connection)
        if state.refreshed_at and state.is_older_than(mirror.STALE_AFTER):
            words = _("This preview uses the list of recordings as of %(exact)s.") % {
                "exact": exact(state.refreshed_at)
            }
            planning.note(
                "warning", _("%(words)s Refresh the list, then the preview.") % {"words": words}
            )

    @abstractmethod
    def items(
        self, planning: Planning, recordings: Sequence[MirroredRecording], first: int
    ) -> Iterable[NewItem]:
        """Yields the items for some of the recordings; `first` is the number of the first one."""


def new_item(number: int, recording: MirroredRecording, action: str, **values: Any) -> NewItem:
    """An item of one recording; without changes there is nothing to send."""
    start = recording.start_time
    about = {"host": recording.host_name, "start": f"{start:%Y-%m-%d %H:%M} GMT" if start else ""}
    values["data"] = {**about, "size": recording.size, **values.get("data", {})}
    item = NewItem(number, label_of(recording), action, recording.uuid, **values)
    if not item.changes and item.state == ItemState.PENDING:
        item.state = ItemState.UNCHANGED
    return item


def leave_held(items: Iterable[NewItem]) -> Iterator[NewItem]:
    """The same items; those of recordings on hold are not carried out, and say why."""
    known = list(items)
    on_hold = holds.held([item.object_id for item in known])
    for item in known:
        if item.object_id in on_hold:
            item.state = ItemState.INVALID
            item.problems = [(_("Hold"), holds.in_words(on_hold[item.object_id]))]
        yield item


def _read(job: Job) -> Iterator[tuple[int, int, list[MirroredRecording]]]:
    """The recordings, some at a time, with how many came before and how many there are.

    Their keys are read at once, so that a refresh in between leaves none out.
    """
    rows = RecordingSelection.of(job.parameters["chosen"]).rows(job.scope)
    keys = list(rows.values_list("pk", flat=True))
    for start in range(0, len(keys), _TOGETHER):
        found = MirroredRecording.objects.in_bulk(keys[start : start + _TOGETHER])
        yield (
            start,
            len(keys),
            [found[key] for key in keys[start : start + _TOGETHER] if key in found],
        )
