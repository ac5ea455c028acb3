"""Number of a job's requests that are in flight at once."""

import threading

import pytest

from portal.jobs.workers import InFlight, ResultQueue, WorkerPool, WorkUnit
from tests.support.fault_server import Behaviour, Seen, answer, depending
from tests.support.job_runs import addresses, approved, states

pytestmark = pytest.mark.django_db

CREATED = answer(201, {"id": "u1", "email": "x@example.com", "type": 1})


class Together:
    """Answers requests three at a time, and counts the most that were in flight at once: a fourth
    has a moment to come."""

    def __init__(self) -> None:
        self._three = threading.Barrier(3)
        self._fourth = threading.Event()
        self._lock = threading.Lock()
        self._now = self.most = 0

    def __call__(self, _seen: Seen) -> Behaviour:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            if self._now > 3:
                self._fourth.set()
        self._three.wait(20)
        self._fourth.wait(0.3)
        with self._lock:
            self._now -= 1
        return CREATED


def test_job_has_no_more_requests_in_flight_than_allowed(faulty, fault_server, work, settings):
    settings.JOB_THREADS = 3
    job = approved(faulty, addresses(12), work)
    together = Together()
    fault_server.always(depending(together))
    assert states(work(job)) == {"done": 12}
    assert together.most == 3


def test_requests_stay_in_flight_while_units_await_commit():
    in_flight, results = InFlight(4), ResultQueue()
    together, committed = threading.Barrier(5), threading.Event()

    def work(unit):
        if unit.resolves:  # stands for a unit whose intent is not committed yet
            committed.wait(20)
            return
        with in_flight:
            together.wait(20)

    pool = WorkerPool(in_flight, work, results)
    for waits in (True, True, False, False, False, False):
        pool.submit(WorkUnit([], resolves=waits))
    together.wait(20)  # raises where one of the four cannot come
    committed.set()
    pool.end()
    assert not [each.error for each in results.drain(1) if each.error]


def test_the_unit_that_was_begun_first_has_the_next_room():
    in_flight, admitted = InFlight(1), []

    def request(number):
        in_flight.begin(number)
        with in_flight:
            admitted.append(number)

    threads = [threading.Thread(target=request, args=[number]) for number in (3, 1, 2)]
    with in_flight:
        for count, thread in enumerate(threads, 1):
            thread.start()
            while len(in_flight._waiting) < count:
                thread.join(0.001)
    for thread in threads:
        thread.join(20)
    assert admitted == [1, 2, 3]
