"""The database is restarted, or read-only under a running job, and a worker is frozen within
a transaction: nothing waits for longer than is stated, and all goes on by itself."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from urllib.parse import urlsplit

import pytest

from portal.config.network import IDLE_TIMEOUT
from portal.config.postgresql import surplus
from tests.support import plain_http
from tests.support.deployment import Whole
from tests.support.drills import under_way
from tests.support.html import text_of
from tests.support.own_postgresql import OwnPostgreSQL
from tests.support.processes import done
from tests.support.services import Services

pytestmark = pytest.mark.deep

# Seconds. What begins at once takes a turn of the scheduler's sweep, on a busy machine.
LEASE = 60
GOES_ON_AFTER = 8
AFTER_RESTART = 3
PAUSE = 0.05


@pytest.fixture
def postgresql(cut_line):
    made = OwnPostgreSQL(cut_line)
    yield made
    made.close()


@pytest.fixture
def on_postgresql(tmp_path, slow_sandbox, postgresql):
    made = Whole(tmp_path, slow_sandbox, Services(postgresql.url, "", ""))
    made.environment |= {"JOB_LEASE": str(LEASE)}
    yield made
    made.close()


def signs_in(whole):
    """Returns the answer to a password, and the seconds that it took."""
    with closing(plain_http.Client(base_url=whole.url, timeout=120)) as client:
        client.get("/account/login/")
        data = {"login": whole.email, "password": whole.password}
        token = client.cookies.get("csrftoken", "")
        began = time.monotonic()
        answer = client.post("/account/login/", data={**data, "csrfmiddlewaretoken": token})
        return answer, time.monotonic() - began


def make_read_only(postgresql, whole, turn):
    """Has new connections find a database that is read-only, as after a failover to a standby."""
    name = urlsplit(whole.environment["DATABASE_URL"]).path.strip("/")
    postgresql.told(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {turn}')
    postgresql.told(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
    )


def goes_on(job, within):
    """Returns once more rows are done than now."""
    before = done(job.whole, job.job)
    assert before < len(job.emails)
    job.whole.until(lambda: done(job.whole, job.job) > before, timeout=within)


def frozen_within_transaction(whole, postgresql):
    """Stops a worker where it has a transaction with a lock open. Returns its process."""
    holds = (
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
        " AND backend_xid IS NOT NULL"
    )
    pid = whole.pid("worker")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        os.kill(pid, signal.SIGSTOP)
        if postgresql.told(holds) != "0":
            return pid
        os.kill(pid, signal.SIGCONT)
        time.sleep(PAUSE)
    raise AssertionError("It was never within a transaction.")


def test_worker_frozen_within_transaction_stops_nobody_for_long(
    on_postgresql, postgresql, tmp_path
):
    whole = on_postgresql
    job = under_way(whole, tmp_path, rows=400)
    whole.start("worker-2")
    pid = frozen_within_transaction(whole, postgresql)
    try:
        answer, seconds = signs_in(whole)
        assert answer.status_code < 400
        assert seconds < IDLE_TIMEOUT + GOES_ON_AFTER
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    job.ends_well()


def test_restart_of_database_holds_a_job_up_for_seconds(on_postgresql, postgresql, tmp_path):
    job = under_way(on_postgresql, tmp_path, rows=400)
    postgresql.restart()
    goes_on(job, AFTER_RESTART)
    job.ends_well()


def test_read_only_database_is_named_and_job_goes_on(on_postgresql, postgresql, tmp_path):
    whole = on_postgresql
    job = under_way(whole, tmp_path, rows=400)
    make_read_only(postgresql, whole, "on")
    ready = plain_http.Client(base_url=whole.url, timeout=60)
    with closing(ready):
        whole.until(lambda: ready.get("/readyz").json()["database"] == "read-only", timeout=60)
        answer, _seconds = signs_in(whole)
        assert answer.status_code == 503
        assert "The database is read-only." in text_of(answer.text)
        assert ready.get("/").status_code < 400
    make_read_only(postgresql, whole, "off")
    goes_on(job, 2 * GOES_ON_AFTER)
    job.ends_well()


def test_burst_of_pages_leaves_few_connections_open(on_postgresql, postgresql):
    whole = on_postgresql
    whole.environment |= {"WEB_THREADS": "24"}
    whole.start("web")
    whole.until(whole.answers)
    name = urlsplit(whole.environment["DATABASE_URL"]).path.strip("/")
    count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
    with closing(whole.visitor()) as visitor, ThreadPoolExecutor(24) as threads:
        answers = [threads.submit(visitor.get, "/connections/") for _ in range(96)]
        assert {answer.result().status_code for answer in answers} == {200}
    whole.until(lambda: int(postgresql.told(count)) <= surplus.KEPT, timeout=30)
