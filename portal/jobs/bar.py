"""The bar of a job: what its plan does, how far it is, and what became of its rows."""

from collections.abc import Iterator
from dataclasses import dataclass

from portal.jobs.counts import JobCounts
from portal.jobs.models import ItemState, Job, JobState
from portal.ui.states import State

_LEAST_WIDTH = 0.6  # percent of the bar: a narrower segment would be invisible
_ENDED: tuple[tuple[ItemState, State], ...] = (
    (ItemState.DONE, "good"),
    (ItemState.FAILED, "bad"),
    (ItemState.UNKNOWN, "warning"),
    (ItemState.SENDING, "running"),
    (ItemState.INVALID, "bad"),
)
_PLANNED: tuple[tuple[ItemState, State], ...] = (
    (ItemState.PENDING, "running"),
    (ItemState.INVALID, "bad"),
)


@dataclass(frozen=True)
class BarSegment:
    """Segment of the bar; `x` and `width` are percentages as SVG writes them. Of several actions,
    all but the most frequent one are `is_faint`."""

    name: str
    tone: State
    x: str
    width: str
    is_faint: bool = False


def bar_of(job: Job, counts: JobCounts, percent: int) -> list[BarSegment]:
    """Returns the segments of the bar, from its left; the rest stands for waiting rows."""
    if job.state == JobState.PLANNING:
        return [BarSegment("plan", "running", "0%", f"{percent}%")] if percent else []
    # Rows that are never sent have a share in the plan and the result, but not in the progress.
    goes_on = job.is_open and job.approved_at is not None
    whole = counts.sent if goes_on else counts.total
    segments, at = [], 0.0
    for name, tone, count, is_faint in _shares(job, counts, goes_on=goes_on):
        width = min(max(count * 100 / whole, _LEAST_WIDTH), 100 - at)
        segments.append(BarSegment(name, tone, f"{at:.2f}%", f"{width:.2f}%", is_faint))
        at += width
    return segments


def _shares(
    job: Job, counts: JobCounts, *, goes_on: bool
) -> Iterator[tuple[str, State, int, bool]]:
    """Yields name, tone, count and faintness of each segment."""
    for state, tone in _ENDED if job.approved_at else _PLANNED:
        if goes_on:
            if state != ItemState.INVALID and (count := counts.of(state)):
                yield state.value, tone, count, False
            continue
        for at, (_action, count) in enumerate(counts.actions(state).items()):
            yield f"{state.value}-{at}", tone, count, at > 0 and state != ItemState.INVALID
