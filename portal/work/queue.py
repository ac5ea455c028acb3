"""Queues of rows for workers, and figures about them.

The work is stored in the database, and a message only wakes a worker: if the message is lost, or
the worker dies, the sweep sends another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

import structlog
from django.db import transaction
from django.db.models import F, Min, Q, QuerySet, Window
from django.db.models.expressions import Combinable
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_noop

from portal.config import clock
from portal.config.celery import app, enqueue, repeat
from portal.config.metrics import Gauge, Moment, Sample
from portal.work import leases
from portal.work.leases import is_gone
from portal.work.models import DueRow, Leased
from portal.work.slots import Urgency, after_each

M = TypeVar("M", bound=Leased)
_SWEEP = "work.sweep"
_SWEEP_EXPIRES = 10.0  # seconds
_TRY_AGAIN = timedelta(minutes=5)
# Rows of a queue that one sweep wakes workers for. Each end of work of the night wakes another.
_MOST_WOKEN = {Urgency.NOW: 500, Urgency.SOON: 500, Urgency.NIGHT: 16}
FAULT = gettext_noop(
    "A fault of Switchboard ended this. It is tried again by itself. If it fails again, report it "
    "to the people who run Switchboard."
)
D = TypeVar("D", bound=DueRow)
_log = structlog.get_logger(__name__)


def _nothing(*_: object) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class WorkQueue(Generic[M]):
    """Queue of rows of a model; one worker at a time works on each.

    `task` is the name of the Celery task that works on a row; its argument is the row's field
    `key`. `urgency` is that of its rows, but for those that `at_night` selects. Rows are taken in
    the order in which they began to wait: if they have an `account`, a field, those of all accounts
    in turn. `options` are those of messages. `waiting` selects the rows to be worked on, `since`
    is the time from which a row waits, `length` that of a lease; rows are read with their `related`
    rows. Every `swept_every` seconds a worker is woken for rows without a worker, after
    `before_sweep` was called. `after_death` is called with a row whose worker has died, in the
    transaction that ends its lease.

    A release may run beside the one before it. `supported` selects the rows whose kinds, operations
    and other stored names this one has. It does nothing with the others, which are another's: they
    are not leased, ended or deleted, and only counted. `replaces` are names of tasks by which
    the release before has the rows worked on.
    """

    model: type[M]
    task: str
    length: Callable[[], timedelta]
    since: str | Combinable
    swept_every: float
    waiting: Callable[[], Q] = Q
    supported: Callable[[], Q] = Q
    key: str = "pk"
    related: Sequence[str] = ()
    urgency: Urgency = Urgency.SOON
    at_night: Callable[[], Q] | None = None
    account: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    replaces: Sequence[str] = ()
    before_sweep: Callable[[], object] = _nothing
    after_death: Callable[[M], object] = _nothing

    def wake(self, key: int) -> None:
        """Wakes a worker once the transaction, if there is one, is committed."""
        transaction.on_commit(lambda: self._wake(key))

    def _wake(self, key: int) -> None:
        rows = self.model._default_manager.filter(**{self.key: key})
        is_of_night = self.at_night is not None and rows.filter(self.at_night()).exists()
        self._send(key, Urgency.NIGHT if is_of_night else self.urgency)

    def acquire(self, pk: int, **values: object) -> M | None:
        """Returns the row under a lease of the caller; None if it does not wait, is leased, or is
        not supported."""
        rows = self.supported_rows().filter(self.waiting())
        return leases.acquire(rows, pk, self.length(), self.related, **values)

    def supported_rows(self) -> QuerySet[M]:
        return self.model._default_manager.filter(self.supported())

    def unsupported_rows(self) -> QuerySet[M]:
        """Returns the rows that wait for a worker of another release."""
        if not self.supported():
            return self.model._default_manager.none()
        return self.model._default_manager.filter(self.waiting()).exclude(self.supported())

    def free_rows(self) -> QuerySet[M]:
        """Returns the rows that wait, without those that are leased."""
        return self.supported_rows().filter(leases.free(), self.waiting())

    def deferred_rows(self) -> QuerySet[M]:
        """Returns the rows that are tried again later, since they failed or the service had them
        wait."""
        later = Q(lease=None, leased_until__gte=clock.now())
        return self.supported_rows().filter(later, self.waiting())

    def sweep(self) -> int:
        """Ends the leases of dead workers, and wakes workers for free rows: for no more than can
        soon be worked on, since each end of work wakes a worker for the next. Returns the count of
        these."""
        self.before_sweep()
        leased = self.supported_rows().filter(lease__isnull=False)
        for row in leased.filter(leased_until__gte=clock.now()):
            if is_gone(row.holder):
                with transaction.atomic():
                    if leases.release(row):
                        self.after_death(row)
        return self.wake_free()

    def wake_free(self) -> int:
        """Wakes workers for the free rows that come next. Returns the count of these."""
        woken = 0
        for urgency, condition in self._urgencies():
            keys = self._next(condition, _MOST_WOKEN[urgency])
            for key in keys:
                self._send(key, urgency)
            woken += len(keys)
        return woken

    def wake_next(self) -> None:
        """Wakes a worker for the next row of the night."""
        for urgency, condition in self._urgencies():
            if urgency is Urgency.NIGHT:
                for key in self._next(condition, 1):
                    self._send(key, urgency)

    def _urgencies(self) -> list[tuple[Urgency, Q]]:
        if self.at_night is None:
            return [(self.urgency, Q())]
        night = self.at_night()
        return [(self.urgency, ~night), (Urgency.NIGHT, night)]

    def _next(self, condition: Q, count: int) -> list[int]:
        """Returns the keys of the free rows that come next."""
        since: Any = F(self.since) if isinstance(self.since, str) else self.since
        order: list[Any] = [since, F(self.key)]
        rows: QuerySet[Any] = self.free_rows().filter(condition)
        if self.account:
            turn = Window(RowNumber(), partition_by=self.account, order_by=order)
            rows, order = rows.annotate(turn=turn), [F("turn"), *order]
        keys = rows.order_by(*order).values_list(self.key, flat=True)
        # A key may be that of several rows.
        return list(dict.fromkeys(keys[:count]))

    def _send(self, key: int, urgency: Urgency) -> None:
        enqueue(self.task, key, queue=urgency.value, **self.options)


@contextmanager
def single_turn(queue: WorkQueue[D], pk: int) -> Iterator[D | None]:
    """Yields a row that is due, under a lease until the end; None if there is nothing to do.

    A fault is that row's alone: it is logged, stored as its `failure`, and the row is tried again
    in some minutes. The next turn without one clears it.
    """
    row = queue.acquire(pk)
    if row is None:
        yield None
        return
    try:
        yield row
    except Exception:
        _log.exception("a due row failed", queue=queue.task, row=pk)
        leases.release_soon(row, leased_until=clock.now() + _TRY_AGAIN, failure=FAULT)
    else:
        leases.release_soon(row, failure="")


SWEPT = Moment(
    "switchboard_sweep_timestamp_seconds",
    "When a worker last did what the scheduler asks for all the time",  # untranslated
)
_queues: dict[str, WorkQueue[Any]] = {}


def register(queue: WorkQueue[Any]) -> None:
    """Lets the scheduler sweep this queue from now on."""
    _queues[queue.task] = queue
    after_each(queue.task, queue.wake_next)
    for name in queue.replaces:
        app.task(name=name)(queue.sweep)
    repeat(_SWEEP, queue.swept_every, queue.task, expires=_SWEEP_EXPIRES)


@app.task(name=_SWEEP)
def sweep(task: str) -> int:
    """Sweeps the queue of this task. Returns the count of rows that a worker was woken for."""
    SWEPT.set_to_now()
    return _queues[task].sweep()


def _of_each(figure: Callable[[WorkQueue[Any]], float]) -> Callable[[], Iterator[Sample]]:
    """Returns the reader of a figure of each queue."""
    return lambda: (((queue.task,), figure(queue)) for queue in _queues.values())


def _waiting(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    return queue.free_rows().order_by().filter(lease=None)


def _deferred(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    rows: QuerySet[Leased] = queue.deferred_rows().order_by()
    return rows


def _leased(queue: WorkQueue[Any]) -> QuerySet[Leased]:
    rows: QuerySet[Leased] = queue.supported_rows().order_by()
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
        "Rows that are to be worked on, and that no worker works on",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: _waiting(queue).count()),
    ),
    Gauge(
        "switchboard_queue_unsupported",
        "Rows left to another release, which has their kind",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: queue.unsupported_rows().order_by().count()),
    ),
    Gauge(
        "switchboard_queue_oldest_waiting_seconds",
        "Age of the oldest; of a job, since it was approved",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: _age(_waiting(queue).aggregate(time=Min(queue.since))["time"])),
    ),
    Gauge(
        "switchboard_queue_deferred",
        "Rows that failed or were held up, and are tried again later",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: _deferred(queue).count()),
    ),
    Gauge(
        "switchboard_queue_oldest_deferred_seconds",
        "Age of the oldest of these; of a job, since it was approved",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: _age(_deferred(queue).aggregate(time=Min(queue.since))["time"])),
    ),
    Gauge(
        "switchboard_queue_leased",
        "Rows that a worker has under a lease",  # untranslated: a figure
        ("queue",),
        _of_each(lambda queue: _leased(queue).count()),
    ),
    Gauge(
        "switchboard_queue_oldest_lease_seconds",
        "Age of the lease renewed longest ago",  # untranslated: a figure
        ("queue",),
        _of_each(_oldest_lease),
    ),
)
