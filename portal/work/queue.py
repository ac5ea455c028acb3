"""Queues of rows that workers are to work on, and figures about them.

What is to be done stands in the database, and a message to a worker only wakes it: if the message
is lost, or the worker dies, the sweep sends another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet
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
    """Rows of a model, each of which one worker at a time works on.

    `task` is the name of the Celery task that works on a row; it gets the row's field `key`.
    `options` are those of its messages. `waiting` says which rows are to be worked on, `since` the
    time from which a row is wanted, `length` for how long they are leased; they are taken with what
    is `related` to them. Every `swept_every` seconds a worker is woken for those that nobody works
    on, after `before_sweep` was called. `taken_away` gets a row whose worker has died, in the
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
    taken_away: Callable[[M], object] = _nothing

    def wake(self, key: int) -> None:
        """Wakes a worker once the transaction, if there is one, is committed."""
        transaction.on_commit(lambda: self._send(key))

    def acquire(self, pk: int, **values: object) -> M | None:
        """The row under a lease of the caller; None where it does not wait, or is taken."""
        rows = self.model._default_manager.filter(self.waiting())
        return leases.acquire(rows, pk, self.length(), self.related, **values)

    def is_anything_free(self, **fields: object) -> bool:
        """Returns whether a row with these fields waits that no process works on."""
        rows = self.model._default_manager.filter(self.waiting(), **fields)
        return rows.filter(leases.free(clock.now())).exists()

    def sweep(self) -> int:
        """Wakes a worker for all that waits and that nobody works on. Returns for how many."""
        self.before_sweep()
        self._take_away()
        waiting = self.model._default_manager.filter(leases.free(clock.now()), self.waiting())
        keys = list(waiting.order_by(self.key).values_list(self.key, flat=True).distinct())
        for key in keys:
            self._send(key)
        return len(keys)

    def _take_away(self) -> None:
        """Ends the leases of workers that are known to be dead."""
        leased = self.model._default_manager.filter(lease__isnull=False)
        for row in leased.filter(leased_until__gte=clock.now()):
            if is_gone(row.holder):
                with transaction.atomic():
                    if leases.release(row):
                        self.taken_away(row)

    def _send(self, key: int) -> None:
        enqueue(self.task, key, **self.options)


_queues: dict[str, WorkQueue[Any]] = {}


def register(queue: WorkQueue[Any]) -> None:
    """Has the scheduler sweep this queue from now on."""
    _queues[queue.task] = queue
    repeat(_SWEEP, queue.swept_every, queue.task, expires=_SWEEP_EXPIRES)


def queues() -> list[WorkQueue[Any]]:
    """All that the scheduler sweeps."""
    return [*_queues.values()]


@app.task(name=_SWEEP)
def sweep(task: str) -> int:
    """Sweeps the queue of this task. Returns for how many rows a worker was woken."""
    return _queues[task].sweep()


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
