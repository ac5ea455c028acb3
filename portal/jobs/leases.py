"""The queue of jobs for workers, recovery after the death of a worker, and figures about jobs."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, DateTimeField, Q
from django.db.models.functions import Coalesce

from portal.config import clock
from portal.config.metrics import Counter, Gauge, Sample
from portal.jobs.models import OPEN, WORKED_ON, ItemState, Job, JobItem, JobState
from portal.work import leases
from portal.work.leases import LeaseLost, release
from portal.work.queue import WorkQueue

__all__ = ["JOBS", "LeaseLost", "mark_unknown", "release", "renew"]
_PLANNING = timedelta(seconds=90)  # a read between two steps of a plan may take long


def renew(job: Job, **values: object) -> None:
    """Extends the lease of the job, and stores its progress. Raises `LeaseLost`."""
    length = timedelta(seconds=settings.JOB_LEASE)
    if job.state == JobState.PLANNING:
        length = max(length, _PLANNING)
    leases.renew(job, length, **values)


def mark_unknown(job: Job, in_flight_until: datetime) -> None:
    """Marks `sending` items as unknown: they may have been sent, and be under way until then."""
    job.items.filter(state=ItemState.SENDING).update(
        state=ItemState.UNKNOWN,
        ended_at=None,
        due_at=None,
        in_flight_until=in_flight_until,
    )


JOBS = WorkQueue(
    model=Job,
    task="jobs.work_on",
    waiting=lambda: Q(state__in=WORKED_ON),
    length=lambda: timedelta(seconds=settings.JOB_LEASE),
    since=Coalesce("approved_at", "created_at", output_field=DateTimeField()),
    related=("connection__owner", "owner"),
    swept_every=2.0,
    options={"expires": 30},
    # Its last requests may be under way, since this did not wait for the end of the lease.
    after_death=lambda job: mark_unknown(
        job, clock.now() + timedelta(seconds=settings.API_TIMEOUT)
    ),
)


ENDED = Counter("switchboard_jobs_ended_total", "Jobs that were carried out", ("kind",))
ITEMS = Counter(
    "switchboard_job_items_total",
    "Items of jobs that ended, by how",
    ("kind", "state"),
)


def items_ended(job: Job, items: Iterable[JobItem]) -> None:
    for state, number in Tally(item.state for item in items).items():
        ITEMS.add(job.kind, str(state), amount=number)


def _open_jobs() -> Iterator[Sample]:
    """Yields the number of jobs in each open state, read from an index."""
    rows = Job.objects.order_by().filter(state__in=OPEN).values("state").annotate(n=Count("pk"))
    counts = {row["state"]: row["n"] for row in rows}
    for state in OPEN:
        yield (state.value,), counts.get(state, 0)


OPEN_JOBS = Gauge(
    "switchboard_jobs",
    "Jobs that have not ended, by state",  # untranslated: read by Prometheus
    ("state",),
    _open_jobs,
)
