"""Figures about the queues, by the names of their tasks."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet

from portal.config import clock
from portal.config.metrics import Gauge, Sample
from portal.work import leases
from portal.work.models import Leased
from portal.work.queue import WorkQueue, queues


def _waiting() -> Iterator[Sample]:
    for queue in queues():
        yield (queue.task,), _rows(queue).count()


def _oldest_waiting() -> Iterator[Sample]:
    for queue in queues():
        oldest = _rows(queue).aggregate(oldest=Min(queue.since))["oldest"]
        yield (queue.task,), _age(oldest)


def _leased() -> Iterator[Sample]:
    for queue in queues():
        yield (queue.task,), _leases(queue).aggregate(leased=Count("pk"))["leased"]


def _oldest_lease() -> Iterator[Sample]:
    """A lease says until when it runs: it was renewed its length before that."""
    for queue in queues():
        ends = _leases(queue).aggregate(ends=Min("leased_until"))["ends"]
        yield (queue.task,), _age(ends and ends - queue.length())


def _rows(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    rows: QuerySet[Leased] = queue.model._default_manager.order_by()
    return rows.filter(leases.free(clock.now()), queue.waiting(), lease=None)


def _leases(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    rows: QuerySet[Leased] = queue.model._default_manager.order_by()
    return rows.filter(lease__isnull=False)


def _age(moment: datetime | None) -> float:
    return max((clock.now() - moment) / timedelta(seconds=1), 0.0) if moment else 0.0


GAUGES: Iterable[Gauge] = (
    Gauge(
        "switchboard_queue_waiting",
        "Rows that are to be worked on, and that no worker works on",
        ("queue",),
        _waiting,
    ),
    Gauge(
        "switchboard_queue_oldest_waiting_seconds",
        "How long ago the oldest of these rows was wanted; of a job, was approved or created",
        ("queue",),
        _oldest_waiting,
    ),
    Gauge("switchboard_queue_leased", "Rows that a worker has under a lease", ("queue",), _leased),
    Gauge(
        "switchboard_queue_oldest_lease_seconds",
        "How long ago the lease was renewed that was not renewed for longest",
        ("queue",),
        _oldest_lease,
    ),
)
