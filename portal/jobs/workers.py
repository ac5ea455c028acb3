"""The worker threads of a job: each takes a unit of work, does it, and reports its result.

They leave the database alone. What they report goes to a queue, which the thread that runs the job
empties in few transactions: the intents and ends of the audit trail, ids that were reached,
results. An intent, or an id, is waited for until it is committed.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from queue import Empty, Queue, SimpleQueue
from typing import Any

import structlog
from django.conf import settings
from django.db import connections
from django.utils import timezone, translation

from portal.access.audit import trail
from portal.access.audit.guards import Forbidden, refusal_of
from portal.access.audit.trail import Ledger
from portal.access.models import AuditEntry
from portal.client import CallWithheld
from portal.jobs.models import JobItem

_log = structlog.get_logger(__name__)


class NotWritten(Exception):
    """Raised if a record could not be committed that had to be first: nothing was sent."""


class NotBegun(CallWithheld):
    """The job waits for the service since the unit was submitted: the request was not sent."""


@dataclass(frozen=True)
class WorkUnit:
    """Items to be carried out by one request, or one item whose outcome is to be asked for."""

    items: Sequence[JobItem]
    resolves: bool = False


@dataclass
class PendingWrite:
    """Something to be committed; `done` is set then, or when it turned out that it cannot be.

    An entry that a guard forbids is committed as a failure. `refused` is why the request that waits
    for this may not leave; with neither an entry nor an item that is all that is asked.
    """

    entry: AuditEntry | None = None
    item: JobItem | None = None
    done: threading.Event = field(default_factory=threading.Event)
    failed: bool = False
    refused: CallWithheld | None = None

    @property
    def leads_to_request(self) -> bool:
        """Returns whether a request leaves once this is settled."""
        is_intent = self.entry is not None and self.entry.intent is None
        return is_intent or (self.entry is None and self.item is None)

    def finish(self, *, failed: bool = False) -> None:
        self.failed = failed
        self.done.set()

    def give_up(self) -> None:
        """It cannot be written here. How a request ended is written elsewhere, since nobody could
        find it out again."""
        if self.entry is not None and self.entry.intent_id is not None:
            trail.later(self.entry)
        self.finish(failed=True)

    def wait(self) -> None:
        self.done.wait()
        if self.refused:
            raise self.refused
        if self.failed:
            raise NotWritten
        if self.entry is not None and (words := refusal_of(self.entry)):
            raise Forbidden(words)


@dataclass(frozen=True)
class Result:
    """The result of a unit: a value of the job type, or the exception that ended it."""

    unit: WorkUnit
    value: Any = None
    error: BaseException | None = None


class ResultQueue(Ledger):
    """Reports of the threads, in the order in which they are to be written."""

    def __init__(self) -> None:
        # Not a `SimpleQueue`, whose `get` with a timeout may never end in CPython 3.11: woken for
        # nothing as the time runs out, it goes on with a negative timeout.
        self._queue: Queue[PendingWrite | Result] = Queue()
        self._is_closed = False
        self._lock = threading.Lock()

    def begin(self, entry: AuditEntry) -> None:
        self._write(PendingWrite(entry)).wait()

    def finish(self, entry: AuditEntry) -> None:
        self._write(PendingWrite(entry))

    def may_leave(self) -> None:
        """Raises `CallWithheld` where the job's owner may not send anything any more."""
        self._write(PendingWrite()).wait()

    def reached(self, item: JobItem) -> None:
        """Keeps the item's `object_id` and `data`, before its next request leaves."""
        self._write(PendingWrite(item=item)).wait()

    def put(self, result: Result) -> None:
        self._queue.put(result)

    def take(self, seconds: float, gather: float = 0.0) -> list[PendingWrite | Result]:
        """All that is there; waits up to these seconds for the first, then `gather` for more."""
        results = []
        with suppress(Empty):
            results.append(self._queue.get(timeout=max(seconds, 0.001)))
            if gather:
                time.sleep(gather)
            while True:
                results.append(self._queue.get_nowait())
        return results

    def close(self) -> None:
        """From now on nothing is written any more, and nobody waits for it."""
        with self._lock:
            self._is_closed = True
        for each in self.take(0):
            if isinstance(each, PendingWrite):
                each.give_up()

    def _write(self, written: PendingWrite) -> PendingWrite:
        with self._lock:
            if self._is_closed:
                written.give_up()
            else:
                self._queue.put(written)
        return written


class InFlight:
    """Room for so many requests at once; `with` it one is in flight.

    Whoever began first has the next room: units that make many requests end one after the other,
    and not all together with nothing left that could fill the room beside the last of them.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._count = 0
        self._lock = threading.Lock()
        self._waiting: list[tuple[int, int, threading.Event]] = []
        self._arrivals = count()
        self._own = threading.local()

    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, size: int) -> None:
        with self._lock:
            self._size = size
            self._admit()

    def begin(self, number: int) -> None:
        """Counts all requests of this thread from now on as those of the unit of that number."""
        self._own.number = number

    def __enter__(self) -> None:
        mine = threading.Event()
        with self._lock:
            number = getattr(self._own, "number", 0)
            heappush(self._waiting, (number, next(self._arrivals), mine))
            self._admit()
        mine.wait()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            self._admit()

    def _admit(self) -> None:
        while self._waiting and self._count < self._size:
            self._count += 1
            heappop(self._waiting)[-1].set()


class WorkerPool:
    """Some threads, and the units under way with them.

    They are half as many again as may have a request in flight: some wait for what they reported
    to be committed, or work on an answer, and no room for a request stays empty.
    """

    def __init__(
        self, in_flight: InFlight, work: Callable[[WorkUnit], object], results: ResultQueue
    ) -> None:
        self.under_way = 0
        self._in_flight = in_flight
        self._work = work
        self._results = results
        self._units: SimpleQueue[tuple[int, WorkUnit] | None] = SimpleQueue()
        self._numbers = count()
        self._threads: list[threading.Thread] = []
        # What the threads say is said as where the pool was made.
        self._language, self._zone = translation.get_language(), timezone.get_current_timezone()

    @property
    def size(self) -> int:
        return self._in_flight.size + max(self._in_flight.size // 2, 1)

    @property
    def is_busy(self) -> bool:
        """Returns whether several threads are about to report something."""
        return self.under_way > len(self._threads) // 2 > 1

    @property
    def room(self) -> int:
        """Returns the number of units to submit now: a few at a time, and some before there is a
        free thread."""
        most = self._in_flight.size
        room = self.size + most // 4 - self.under_way
        return room if room >= most // 2 or not self.under_way else 0

    def submit(self, unit: WorkUnit) -> None:
        self.under_way += 1
        if len(self._threads) < min(self.under_way, self.size):
            thread = threading.Thread(target=self._run, daemon=True, name="job")
            self._threads.append(thread)
            thread.start()
        self._units.put((next(self._numbers), unit))

    def end(self) -> None:
        """Ends the threads, and waits for those that are at a unit."""
        for _ in self._threads:
            self._units.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        translation.activate(self._language or settings.LANGUAGE_CODE)
        timezone.activate(self._zone)
        try:
            while (next_unit := self._units.get()) is not None:
                number, unit = next_unit
                self._in_flight.begin(number)
                try:
                    result = Result(unit, self._work(unit))
                except BaseException as error:
                    result = Result(unit, error=error)
                self._results.put(result)
        finally:
            connections.close_all()
