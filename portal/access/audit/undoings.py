"""Which entries were undone, by which other entries."""

from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta

from portal.access.models import AuditEntry, Outcome
from portal.config import clock

# After that time an undo without an end has lost its process.
_LONGEST = timedelta(minutes=5)


def undone_among(sequences: Collection[int], but: str = "") -> dict[int, AuditEntry]:
    """The first entry of what undid each of these, or is about to; none where a part of it failed.

    What one request has sent is one undo, in as many calls as it took. `but` is a request that does
    not count.
    """
    found = AuditEntry.objects.filter(undoes__in=list(sequences), intent=None)
    if but:
        found = found.exclude(request_id=but)
    runs: dict[tuple[int, str], list[AuditEntry]] = defaultdict(list)
    for entry in found.select_related("answer").order_by("sequence"):
        runs[entry.undoes_id or 0, entry.request_id].append(entry)
    return {sequence: run[0] for (sequence, _), run in runs.items() if all(map(_holds, run))}


def undone_by(sequence: int, but: str = "") -> AuditEntry | None:
    return undone_among([sequence], but).get(sequence)


def _holds(entry: AuditEntry) -> bool:
    end: AuditEntry | None = getattr(entry, "answer", None)
    if end is not None:
        return end.outcome == Outcome.DONE
    return entry.outcome == Outcome.BEGUN and entry.time > clock.now() - _LONGEST
