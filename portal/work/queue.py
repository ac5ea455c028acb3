"""Queues of rows for workers, and figures about them.

The work is stored in the database, and a message only wakes a worker: if the message is lost, or
the worker dies, the sweep sends another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.db.models.expressions import Combinable

from portal.config import clock
from portal.config.celery import app, enqueue, repeat
from portal.config.metrics import Gauge, Sample
from portal.work import leases
from portal.work.leases import is_gone
from portal.work.models import Leased

M = TypeVar("M", bound=Leased)
_SWEEP = "work.sweep"
_SWEEP_EXPIRES = 10.0  # seconds


def _nothing(*_: object) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class WorkQueue(Generic[M]):
    """Queue of rows of a model; one worker at a time works on each.

    `task` is the name of the Celery task that works on a row; its argument is the row's field
    `key`. `options` are those of its messages. `waiting` selects the rows to be worked on, `since`
    is the time from which a row waits, `length` that of a lease; rows are read with their `related`
    rows. Every `swept_every` seconds a worker is woken for rows without a worker, after
    `before_sweep` was called. `after_death` is called with a row whose worker has died, in the
    transaction that ends its lease.
    """

    model: type[M]
    task: str
    length: Callable[[], timedelta]
    since: str | Combinable
    swept_every: float
    waiting: Callable[[], Q] = Q
    key: str = "pk"
    related: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    before_sweep: Callable[[], object] = _nothing
    after_death: Callable[[M], object] = _nothing

    def wake(self, key: int) -> None:
        """Wakes a worker once the transaction, if there is one, is committed."""
        transaction.on_commit(lambda: self._send(key))

    def acquire(self, pk: int, **values: object) -> M | None:
        """Returns the row under a lease of the caller; None if it does not wait, or is leased."""
        rows = self.model._default_manager.filter(self.waiting())
        return leases.acquire(rows, pk, self.length(), self.related, **values)

    def free_rows(self) -> QuerySet[M]:
        """Returns the rows that wait, without those that are leased."""
        return self.model._default_manager.filter(leases.free(), self.waiting())

    def sweep(self) -> int:
        """Ends the leases of dead workers, and wakes a worker for each free row. Returns the count
        of these."""
        self.before_sweep()
        leased = self.model._default_manager.filter(lease__isnull=False)
        for row in leased.filter(leased_until__gte=clock.now()):
            if is_gone(row.holder):
                with transaction.atomic():
                    if leases.release(row):
                        self.after_death(row)
        keys = list(self.free_rows().order_by(self.key).values_list(self.key, flat=True).distinct())
        for key in keys:
            self._send(key)
        return len(keys)

    def _send(self, key: int) -> None:
        enqueue(self.task, key, **self.options)


_queues: dict[str, WorkQueue[Any]] = {}


def register(queue: WorkQueue[Any]) -> None:
    """Lets the scheduler sweep this queue from now on."""
    _queues[queue.task] = queue
    repeat(_SWEEP, queue.swept_every, queue.task, expires=_SWEEP_EXPIRES)


@app.task(name=_SWEEP)
def sweep(task: str) -> int:
    """Sweeps the queue of this task. Returns the count of rows that a worker was woken for."""
    return _queues[task].sweep()


def _of_each(figure: Callable[[WorkQueue[Any]], float]) -> Callable[[], Iterator[Sample]]:
    """Returns the reader of a figure of each queue."""
    return lambda: (((queue.task,), figure(queue)) for queue in _queues.values())


def _waiting(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    return queue.free_rows().order_by().filter(lease=None)


def _leased(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    rows: QuerySet[Leased] = queue.model._default_manager.order_by()
    return rows.filter(lease__isnull=False)


def _oldest_lease(queue: WorkQueue[Any]) -> float:
    """Returns the age of the oldest lease: it was renewed its length before its end."""
    ends = _leased(queue).aggregate(ends=Min("leased_until"))["ends"]
    return _age(ends and ends - queue.length())


def _age(moment: datetime | None) -> float:
    return max((clock.now() - moment) / timedelta(seconds=1), 0.0) if moment else 0.0


GAUGES: Iterable[Gauge] = (
    Gauge(
        "switchboard_queue_waiting",
        "Rows that are to be worked on, and that no worker works on",
        ("queue",),
        _of_each(lambda queue: _waiting(queue).count()),
    ),
    Gauge(
        "switchboard_queue_oldest_waiting_seconds",
        "How long ago the oldest of these rows was wanted; of a job, was approved or created",
        ("queue",),
        _of_each(lambda queue: _age(_waiting(queue).aggregate(time=Min(queue.since))["time"])),
    ),
    Gauge(
        "switchboard_queue_leased",
        "Rows that a worker has under a lease",
        ("queue",),
        _of_each(lambda queue: _leased(queue).count()),
    ),
    Gauge(
        "switchboard_queue_oldest_lease_seconds",
        "How long ago the lease was renewed that was not renewed for longest",
        ("queue",),
        _of_each(_oldest_lease),
    ),
)
