"""The queue of jobs for workers, recovery after the death of a worker, and figures about jobs."""

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import reduce
from operator import and_, or_

from django.conf import settings
from django.db.models import Count, DateTimeField, Q
from django.db.models.functions import Coalesce
from structlog.contextvars import bound_contextvars

from portal.config import clock
from portal.config.metrics import Counter, Gauge, Sample
from portal.jobs.models import OPEN, WORKED_ON, ItemState, Job, JobItem, JobState
from portal.work import leases
from portal.work.leases import LeaseLost, release
from portal.work.queue import WorkQueue
from portal.work.slots import Urgency

__all__ = ["JOBS", "LeaseLost", "mark_unknown", "release", "renew", "support"]
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


def logged(job: Job) -> AbstractContextManager[None]:
    """Context of work on a job: each line of the log has its key, and the id of the request that
    approved it."""
    request = {"request_id": job.request_id} if job.request_id else {}
    return bound_contextvars(job=job.key, **request)


_supported: list[Callable[[], Q]] = []
_at_night: list[Callable[[], Q]] = []


def support(condition: Callable[[], Q]) -> None:
    """Leases from now on only jobs that meet this condition; it comes from `job_types` above."""
    _supported.append(condition)


def leave_to_the_night(condition: Callable[[], Q]) -> None:
    """Has jobs that meet this condition wait for those of people; it comes from `job_types`."""
    _at_night.append(condition)


JOBS = WorkQueue(
    model=Job,
    task="jobs.work_on",
    waiting=lambda: Q(state__in=WORKED_ON),
    supported=lambda: reduce(and_, (condition() for condition in _supported), Q()),
    length=lambda: timedelta(seconds=settings.JOB_LEASE),
    since=Coalesce("approved_at", "created_at", output_field=DateTimeField()),
    related=("connection__owner", "owner"),
    swept_every=2.0,
    urgency=Urgency.NOW,
    at_night=lambda: reduce(or_, (condition() for condition in _at_night), Q(pk=None)),
    account="connection",
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
