"""Jobs of one connection beside each other, and beside people who wait for a page."""

import threading

import pytest
from django.db import connections as databases

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api, HttpCaller
from portal.connections import rate_limits
from portal.connections.services import connections
from portal.contract.users import UserQuery
from portal.jobs import running
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState
from tests.support.job_runs import addresses, approved

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 40


@pytest.fixture
def limited(sandbox_factory, administrator, settings):
    """A connection to a service that allows 25 requests a second, which is known."""
    settings.API_RATE_LIMIT = 25
    rate_limits._rate_limiter.cache_clear()
    sandbox = sandbox_factory("--frozen", "--rate-limit=30/s")
    connection = Connection(owner=administrator, name="Limited", base_url=sandbox.url)
    connections.save(Origin(administrator), connection, sandbox.token)
    return connection


def done(job):
    return job.items.filter(state=ItemState.DONE).count()


def in_thread(job, at_the_end, others, begin):
    """Runs a job, and notes at its end how far the others were."""

    def work():
        begin.wait(30)
        taken = JOBS.acquire(job.pk)
        assert taken
        running.run(taken, 60)
        at_the_end[job.pk] = sum(done(other) for other in others)
        databases.close_all()

    return threading.Thread(target=work)


def test_two_jobs_share_the_limit_of_their_connection_fairly(limited, work):
    first, second = (approved(limited, addresses(ROWS), work) for _ in range(2))
    noted: dict[int, int] = {}
    begin = threading.Barrier(2)
    threads = [
        in_thread(first, noted, [second], begin),
        in_thread(second, noted, [first], begin),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert done(first) == done(second) == ROWS
    assert min(noted.values()) >= ROWS * 0.5


def test_a_page_does_not_wait_for_the_jobs_of_its_connection(limited, work):
    job = approved(limited, addresses(ROWS * 2), work)
    thread = in_thread(job, {}, [], threading.Barrier(1))
    thread.start()
    page = Api(
        HttpCaller(limited.target, rate_limiter=rate_limits.rate_limiter_of(limited), urgent=True)
    )
    while done(job) < 5:
        assert thread.is_alive()
    before = done(job)
    page.users.list(UserQuery(page_size=1))
    assert done(job) - before <= 10
    thread.join(60)
    assert done(job) == ROWS * 2
