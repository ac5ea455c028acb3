"""How many requests of a job are in flight at once."""

import threading

import pytest
from pytest_django import Settings

from portal.access.models import Connection
from tests.jobs.creating import addresses, approved, states
from tests.plugins.fault_server import Behaviour, FaultServer, Seen, answer, depending
from tests.plugins.jobs import Work

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


def test_a_job_has_as_many_requests_in_flight_as_it_may_and_no_more(
    faulty: Connection, fault_server: FaultServer, work: Work, settings: Settings
):
    settings.JOB_THREADS = 3
    job = approved(faulty, addresses(12), work)
    together = Together()
    fault_server.always(depending(together))
    assert states(work(job)) == {"done": 12}
    assert together.most == 3
