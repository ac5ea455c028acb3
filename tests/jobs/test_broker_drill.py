"""Redis is killed under a running job, or refuses it, and comes back: all processes live on."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.deployment import Whole
from tests.support.job_runs import addresses, on_the_account
from tests.support.own_redis import OwnRedis
from tests.support.processes import COUNTS, approved, done, state_of
from tests.support.sandbox import Sandbox
from tests.support.services import Services

pytestmark = pytest.mark.deep

ROWS = 120


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    running = OwnRedis(tmp_path)
    running.start()
    yield running
    running.kill()


@pytest.fixture
def whole(
    tmp_path_factory: pytest.TempPathFactory, slow_sandbox: Sandbox, redis: OwnRedis
) -> Iterator[Whole]:
    services = Services(DATABASE_URL="", REDIS_URL=redis.url, CELERY_BROKER_URL=redis.url)
    made = Whole(tmp_path_factory.mktemp("portal"), slow_sandbox, services)
    yield made
    made.close()


def test_a_restart_of_redis_under_a_job_ends_no_process(
    whole: Whole, redis: OwnRedis, tmp_path: Path
) -> None:
    whole.environment |= {"JOB_THREADS": "1"}  # so that the job outlasts the restart
    whole.start("web", "worker", "beat")
    whole.until(whole.answers)
    emails = addresses(ROWS)
    job = approved(whole, emails, tmp_path / "emails")
    whole.until(lambda: done(whole, job) >= ROWS // 10)
    redis.kill()
    whole.until(lambda: "Connection to broker lost" in (whole.data_dir / "worker.log").read_text())
    redis.start()
    assert done(whole, job) < ROWS
    whole.until(lambda: state_of(whole, job) == "done" or bool(whole.ended()), timeout=180)
    assert dict(whole.query(COUNTS, job)) == {"done": ROWS}
    assert sorted(on_the_account(whole.sandbox, emails)) == emails
    second = approved(whole, addresses(5), tmp_path / "more")
    whole.until(lambda: state_of(whole, second) == "done", timeout=60)
    assert whole.ended() == {}


def test_a_redis_that_refuses_writes_under_a_job_ends_no_process(
    whole: Whole, redis: OwnRedis, tmp_path: Path
) -> None:
    """As it does where its disk or its memory is full, or where it has lost its replicas."""
    whole.environment |= {"JOB_THREADS": "1"}
    whole.start("web", "worker", "beat")
    whole.until(whole.answers)
    emails = addresses(ROWS)
    job = approved(whole, emails, tmp_path / "emails")
    whole.until(lambda: done(whole, job) >= ROWS // 10)
    with closing(whole.visitor()) as visitor:
        redis.client.config_set("min-replicas-to-write", 1)
        whole.until(lambda: "NOREPLICAS" in (whole.data_dir / "worker.log").read_text())
        assert visitor.get(f"/c/{whole.connection}/jobs/{job}/").status_code == 200
        assert visitor.get("/readyz").json()["broker"] == "failed"
    whole.until(lambda: state_of(whole, job) == "done" or bool(whole.ended()), timeout=180)
    assert whole.ended() == {}
    redis.client.config_set("min-replicas-to-write", 0)
    second = approved(whole, addresses(5), tmp_path / "more")
    whole.until(lambda: state_of(whole, second) == "done", timeout=60)
    assert dict(whole.query(COUNTS, job)) == {"done": ROWS}
    assert whole.ended() == {}
