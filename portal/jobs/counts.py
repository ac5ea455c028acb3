"""Counts of a job's items by state, read by one query from an index."""

from collections.abc import Iterable, Mapping

from django.db.models import Count

from portal.config import cache
from portal.jobs.models import NEVER_SENT, ItemState, Job, JobItem, JobState

_ENDED = (ItemState.DONE, ItemState.FAILED, ItemState.UNKNOWN)
_AT_REST = (JobState.DONE, JobState.CANCELLED)
_CACHED_FOR = 3600


class JobCounts:
    """Items of one job, counted by action and state.

    `sent` counts all items to be sent, whatever their outcome, and `percent` is the share of them
    that has ended: 100 only if all have.
    """

    def __init__(self, counts: Mapping[tuple[str, str], int]) -> None:
        self.counts = counts
        self.total = sum(counts.values())
        self.sent = self.total - self.of(*NEVER_SENT)
        self.ended = self.of(*_ENDED)
        self.waiting = self.of(ItemState.PENDING, ItemState.SENDING)
        self.percent = self.ended * 100 // self.sent if self.sent else 0

    def of(self, *states: str) -> int:
        return sum(count for (_, state), count in self.counts.items() if state in states)

    def actions(self, *states: str) -> dict[str, int]:
        """Returns the count of each action, in these states or in any, the largest first."""
        results: dict[str, int] = {}
        for (action, state), count in self.counts.items():
            if not states or state in states:
                results[action] = results.get(action, 0) + count
        return dict(sorted(results.items(), key=lambda pair: -pair[1]))

    def narrowed(self, state: str = "", action: str = "") -> int:
        """Returns the count of this state and action; empty is any."""
        return sum(
            count
            for (its_action, its_state), count in self.counts.items()
            if state in ("", its_state) and action in ("", its_action)
        )


def counts_of(job: Job) -> JobCounts:
    return counts_by_job([job])[job.pk]


def counts_by_job(jobs: Iterable[Job]) -> dict[int, JobCounts]:
    """Returns the counts of each job. Those of jobs that have ended are cached."""
    jobs = list(jobs)
    # A key changes when a job that had ended goes on, and ends again.
    keys = {
        job.pk: f"jobs.counts:{job.pk}:{job.finished_at.timestamp() if job.finished_at else 0}"
        for job in jobs
        if job.state in _AT_REST
    }
    cached = cache.get_many(keys.values()) if keys else {}
    results = {
        pk: JobCounts({(action, state): count for action, state, count in cached[key]})
        for pk, key in keys.items()
        if key in cached
    }
    if others := [job.pk for job in jobs if job.pk not in results]:
        counted: dict[int, dict[tuple[str, str], int]] = {pk: {} for pk in others}
        rows = JobItem.objects.filter(job__in=others).values_list("job", "action", "state")
        for pk, action, state, count in rows.annotate(count=Count("pk")).order_by():
            counted[pk][action, state] = count
        results |= {pk: JobCounts(counts) for pk, counts in counted.items()}
    cache.set_many(
        {
            key: [[*which, count] for which, count in results[pk].counts.items()]
            for pk, key in keys.items()
            if key not in cached and not results[pk].of(ItemState.SENDING, ItemState.UNKNOWN)
        },
        _CACHED_FOR,
    )
    return results
