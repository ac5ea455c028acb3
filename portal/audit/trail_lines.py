"""The lines of the audit page: one a change, and one for all changes of a job."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import F, QuerySet

from portal.access.models import User
from portal.audit.acts import Act
from portal.audit.changes import AuditChange
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import FIRST_STRETCH, lines
from portal.audit.undo.offered import UndoableLine, undoable_lines
from portal.audit.wording import say_titles


@dataclass(frozen=True)
class TrailGroup:
    """Entries of one job, or one entry: the number of the newest, how many there are, and how many
    of them were not done."""

    newest: int
    count: int
    failed: int


@dataclass(frozen=True)
class TrailLine(UndoableLine):
    """A line of the audit page, for one entry, or for the `count` entries of a job."""

    count: int
    failed: int

    @property
    def only_change(self) -> AuditChange | None:
        """Returns the value that was replaced, if the line is about it alone: then its sentence is
        "Licence of Ada Byron: Corp → Pro"."""
        if not self.is_done or not self.object or len(self.changes) != 1:
            return None
        [change] = self.changes
        return change if change.before and change.is_sent and not change.is_removed else None


def grouped(entries: QuerySet[AuditEntry], words: str) -> list[TrailGroup]:
    """Returns entries, newest first, those of a job together; each of a job that is searched for by
    its request stands alone."""
    # The numbers alone: with all that a line shows, those of other pages would be read too.
    fields = ("sequence", "request_id", "object_id", F("result"))
    numbers = list(entries.order_by("-sequence").values_list(*fields))
    if not numbers:
        return []
    # A job is drafted before its changes, by the same request; the whole trail is not read for it.
    beside = (numbers[-1][0] - FIRST_STRETCH, numbers[0][0])
    drafted = AuditEntry.objects.filter(sequence__range=beside, operation=Act.JOB_DRAFTED.value)
    acts = drafted.exclude(request_id="")
    requests = {row[1] for row in numbers}
    jobs = {
        request: job
        for request, job in acts.values_list("request_id", "object_id")
        if request in requests and request != words
    }
    keys = set(jobs.values())
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, request, object_id, result in numbers:
        job = jobs.get(request) or (object_id if object_id in keys else "")
        groups.setdefault(job or str(number), []).append((number, result))
    return [
        TrailGroup(group[0][0], len(group), sum(result != Outcome.DONE for _n, result in group))
        for group in groups.values()
    ]


def trail_lines(user: User, groups: Iterable[TrailGroup]) -> list[TrailLine]:
    by_number: Mapping[int, TrailGroup] = {group.newest: group for group in groups}
    entries = list(lines().filter(sequence__in=by_number).order_by("-sequence"))
    say_titles(entries)
    return list(_joined(undoable_lines(user, entries), by_number))


def _joined(
    shown: Iterable[UndoableLine], by_number: Mapping[int, TrailGroup]
) -> Iterator[TrailLine]:
    for line in shown:
        group = by_number[line.entry.sequence]
        yield TrailLine(line.entry, line.undoing, line.job, group.count, group.failed)
