"""Redis is killed under a running job, or refuses it, and comes back: all processes live on."""

from contextlib import closing

import pytest

from tests.support.deployment import Whole
from tests.support.drills import under_way
from tests.support.own_redis import OwnRedis
from tests.support.processes import done, state_of
from tests.support.services import Services

pytestmark = pytest.mark.deep


@pytest.fixture
def redis(tmp_path):
    running = OwnRedis(tmp_path, "--enable-protected-configs", "yes")
    running.start()
    yield running
    running.kill()


@pytest.fixture
def whole(tmp_path_factory, slow_sandbox, redis):
    services = Services(DATABASE_URL="", REDIS_URL=redis.url, CELERY_BROKER_URL=redis.url)
    made = Whole(tmp_path_factory.mktemp("portal"), slow_sandbox, services)
    yield made
    made.close()


def test_a_restart_of_redis_under_a_job_ends_no_process(whole, redis, tmp_path):
    job = under_way(whole, tmp_path)
    redis.kill()
    whole.until(lambda: job.said("Connection to broker lost"))
    redis.start()
    assert done(whole, job.job) < len(job.emails)
    job.ends_well()


@pytest.mark.parametrize(
    ("name", "value", "usual", "words"),
    [
        ("min-replicas-to-write", "1", "0", "NOREPLICAS"),
        ("maxmemory", "1", "0", "used memory > 'maxmemory'"),
        ("save", "3600 1", "", "MISCONF"),
    ],
)
def test_a_redis_that_refuses_writes_under_a_job_ends_no_process(
    *, whole, redis, tmp_path, name, value, usual, words
):
    """As it does without its replicas, with its memory full, and with its disk full."""
    job = under_way(whole, tmp_path)
    with closing(whole.visitor()) as visitor:
        redis.client.config_set(name, value)
        if words == "MISCONF":
            redis.cannot_save()
        whole.until(lambda: job.said(words) or job.said(words, "beat"))
        job.shows_pages(visitor)
        parts = visitor.get("/readyz").json()
        assert (parts["broker"], parts["cache"]) == ("failed", "failed")
        whole.until(lambda: state_of(whole, job.job) == "done" or bool(whole.ended()), timeout=180)
        assert whole.ended() == {}
        redis.client.config_set(name, usual)
        whole.until(whole.answers)
    job.ends_well()
