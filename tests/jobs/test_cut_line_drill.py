"""The line to the database or to Redis is cut under a running job, and neither end is told: nothing
waits for longer than is stated, and with the line back all goes on by itself."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from portal.config import network
from tests.support.deployment import Whole
from tests.support.drills import under_way
from tests.support.own_postgresql import OwnPostgreSQL
from tests.support.own_redis import OwnRedis
from tests.support.processes import done
from tests.support.services import Services

pytestmark = pytest.mark.deep

# Seconds. Silence of six, and three without an answer; a page may meet that and try once more.
GIVEN_UP = 6 + 3
LONGEST_PAGE = 2 * network.TIMEOUT + 4
BACK_AFTER = 20


@pytest.fixture
def postgresql(cut_line):
    made = OwnPostgreSQL(cut_line)
    yield made
    cut_line.mend()
    made.close()


@pytest.fixture
def redis(tmp_path, cut_line):
    running = OwnRedis(tmp_path, line=cut_line)
    running.start()
    yield running
    cut_line.mend()
    running.kill()


@pytest.fixture
def on_redis(tmp_path, slow_sandbox, redis):
    made = Whole(tmp_path, slow_sandbox, Services("", redis.url, redis.url))
    yield made
    made.close()


@pytest.fixture
def on_postgresql(tmp_path, slow_sandbox, postgresql, cut_line):
    made = Whole(tmp_path, slow_sandbox, Services(postgresql.url, "", ""))
    yield made
    cut_line.mend()
    made.close()


def cut_under(job, line, status):
    """Cuts the line while a job runs; each page is answered in time, by this status."""
    whole = job.whole
    with closing(whole.visitor()) as visitor:
        job.shows_pages(visitor)
        line.cut()
        for _ in range(2):
            for page in ("/", f"/c/{whole.connection}/people/", f"/c/{whole.connection}/groups/"):
                began = time.monotonic()
                assert visitor.get(page).status_code == status, page
                assert time.monotonic() - began < LONGEST_PAGE, page
        assert visitor.get("/healthz").status_code == 200
        assert visitor.get("/readyz").status_code == 503
        assert whole.ended() == {}
        line.mend()
        whole.until(whole.answers, timeout=BACK_AFTER)
        job.shows_pages(visitor)


def test_redis_cut_off_under_a_job_keeps_no_page_waiting(on_redis, cut_line, tmp_path):
    job = under_way(on_redis, tmp_path)
    cut_under(job, cut_line, 200)
    job.ends_well()


def test_database_cut_off_under_a_job_loses_no_row(on_postgresql, cut_line, tmp_path):
    job = under_way(on_postgresql, tmp_path)
    cut_under(job, cut_line, 503)
    before = done(on_postgresql, job.job)
    assert before < len(job.emails)
    on_postgresql.until(lambda: done(on_postgresql, job.job) > before, timeout=BACK_AFTER)
    job.ends_well()


def test_cut_line_frees_whoever_waits_and_what_is_locked(postgresql, cut_line):
    """One has sent all, and waits for an answer; the other sends nothing, and has a lock."""
    locks = (
        "SELECT count(*) FROM pg_locks WHERE relation = 'pg_class'::regclass AND mode LIKE 'Sh%'"
    )
    sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    with (
        closing(psycopg.connect(postgresql.url, **network.POSTGRESQL)) as locking,
        closing(psycopg.connect(postgresql.url, **network.POSTGRESQL)) as waiting,
        ThreadPoolExecutor(1) as thread,
    ):
        locking.execute("LOCK TABLE pg_class IN SHARE ROW EXCLUSIVE MODE")
        answer = thread.submit(waiting.execute, "SELECT pg_sleep(90)")
        while postgresql.told(sleeps) != "1":
            assert not answer.done()
        cut_line.cut()
        began = time.monotonic()
        with pytest.raises(psycopg.OperationalError):
            answer.result(2 * GIVEN_UP)
        while postgresql.told(locks) != "0":
            assert time.monotonic() - began < 2 * GIVEN_UP
