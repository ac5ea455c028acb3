"""The worker threads of a job: each carries units of work out, and reports their results.

The threads do not write to the database. They put their reports into a queue, which the thread that
runs the job empties in few transactions: the intents and ends of the audit trail, ids of objects,
results. A thread waits until its intent, or its id, is committed.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from queue import Empty, Queue, SimpleQueue
from typing import Any

from django.db import connections

from portal.audit import trail
from portal.audit.guards import Forbidden, refusal_of
from portal.audit.models import AuditEntry
from portal.audit.trail import Ledger
from portal.client import CallWithheld
from portal.config.logs import with_log_context
from portal.config.postgresql.surplus import close_surplus
from portal.config.telemetry import within
from portal.jobs.models import JobItem


class NotWritten(Exception):
    """Raised if a record that a request needs could not be committed: the request was not sent."""


class NotBegun(CallWithheld):
    """Raised if the job waits for the service since the unit was submitted: nothing was sent."""


@dataclass(frozen=True)
class WorkUnit:
    """Items to be carried out by one request, or one item whose outcome is to be asked for."""

    items: Sequence[JobItem]
    resolves: bool = False


@dataclass
class PendingWrite:
    """A record to be committed; `committed` ends when it is, or with the reason why it is not.

    An entry that a guard forbids is committed as a failure. With neither an entry nor an item, the
    thread only asks whether its request may leave.
    """

    entry: AuditEntry | None = None
    item: JobItem | None = None
    committed: Future[None] = field(default_factory=Future)

    @property
    def leads_to_request(self) -> bool:
        """Returns whether a request leaves once this is committed."""
        is_intent = self.entry is not None and self.entry.intent is None
        return is_intent or (self.entry is None and self.item is None)

    def give_up(self) -> None:
        """Ends the wait without a commit. The end of a request is written elsewhere, since it could
        not be found out again."""
        if self.entry is not None and self.entry.intent_id is not None:
            trail.later(self.entry)
        self.committed.set_exception(NotWritten())

    def wait(self) -> None:
        self.committed.result()
        if self.entry is not None and (words := refusal_of(self.entry)):
            raise Forbidden(words)


@dataclass(frozen=True)
class Result:
    """The result of a unit: a value of the job type, or the exception that ended the unit."""

    unit: WorkUnit
    value: Any = None
    error: BaseException | None = None


class ResultQueue(Ledger):
    """Queue of the threads' reports, in the order in which they are written."""

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
        """Raises `CallWithheld` if the job's owner may not send anything any more."""
        self._write(PendingWrite()).wait()

    def reached(self, item: JobItem) -> None:
        """Stores the item's `object_id` and `data`, before its next request leaves."""
        self._write(PendingWrite(item=item)).wait()

    def put(self, result: Result) -> None:
        self._queue.put(result)

    def drain(self, seconds: float, gather: float = 0.0) -> list[PendingWrite | Result]:
        """Returns all reports; waits up to these seconds for the first, then `gather` for more."""
        results = []
        with suppress(Empty):
            results.append(self._queue.get(timeout=max(seconds, 0.001)))
            if gather:
                time.sleep(gather)
            while True:
                results.append(self._queue.get_nowait())
        return results

    def close(self) -> None:
        """Ends the waits of all threads: nothing is written from now on."""
        with self._lock:
            self._is_closed = True
        for each in self.drain(0):
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
    """Priority semaphore for so many requests; within `with`, one request is in flight.

    The unit that began first has the next room: units of many requests then end one after the
    other, and not all together, which would leave room unused beside the last of them.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._count = 0
        self._lock = threading.Lock()
        self._waiting: list[tuple[int, int, threading.Event]] = []
        self._arrivals = count()
        self._own = threading.local()

    def resize(self, size: int) -> None:
        with self._lock:
            self.size = size
            self._admit()

    def begin(self, number: int) -> None:
        """Assigns all requests of this thread from now on to the unit of that number."""
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
        while self._waiting and self._count < self.size:
            self._count += 1
            heappop(self._waiting)[-1].set()


class WorkerPool:
    """Threads that carry units out, half as many again as may have a request in flight.

    Some threads wait for a commit, or work on an answer, while no room for a request stays empty.
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

    @property
    def size(self) -> int:
        return self._in_flight.size + max(self._in_flight.size // 2, 1)

    @property
    def is_busy(self) -> bool:
        """Returns whether several threads are about to report something."""
        return self.under_way > len(self._threads) // 2 > 1

    @property
    def room(self) -> int:
        """Returns the number of units to submit now: several at a time, and some before a thread is
        free."""
        most = self._in_flight.size
        room = self.size + most // 4 - self.under_way
        return room if room >= most // 2 or not self.under_way else 0

    def submit(self, unit: WorkUnit) -> None:
        self.under_way += 1
        if len(self._threads) < min(self.under_way, self.size):
            run = with_log_context(within(self._run))
            thread = threading.Thread(target=run, daemon=True, name="job")
            self._threads.append(thread)
            thread.start()
        self._units.put((next(self._numbers), unit))

    def end(self) -> None:
        """Ends the threads, after the units that are under way."""
        for _ in self._threads:
            self._units.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        try:
            while (next_unit := self._units.get()) is not None:
                number, unit = next_unit
                self._in_flight.begin(number)
                try:
                    result = Result(unit, self._work(unit))
                except BaseException as error:
                    result = Result(unit, error=error)
                close_surplus()
                self._results.put(result)
        finally:
            connections.close_all()
