"""RabbitMQ runs out of memory under a running job: it accepts no message any more, and does not
tell its clients. Pages do not wait for it, and nothing is lost."""

import time
from contextlib import closing

import pytest

from portal.config import network
from tests.support.deployment import Whole
from tests.support.drills import under_way
from tests.support.job_runs import addresses
from tests.support.processes import DRAFT, state_of
from tests.support.services import Services

pytestmark = pytest.mark.deep

# Seconds: a message is sent, nothing answers, and the connection is given up and made again.
LONGEST_PAGE = 4 * network.TIMEOUT


@pytest.fixture
def whole(tmp_path, slow_sandbox, rabbitmq):
    made = Whole(tmp_path, slow_sandbox, Services("", "", rabbitmq.url))
    yield made
    made.close()


def test_rabbitmq_out_of_memory_under_a_job_loses_nothing(whole, rabbitmq, tmp_path):
    job = under_way(whole, tmp_path)
    begun = tmp_path / "begun"
    begun.write_text("\n".join(addresses(3)))
    with closing(whole.visitor()) as visitor:
        with rabbitmq.out_of_memory():
            whole.until(lambda: visitor.get("/readyz").json()["broker"] == "failed", timeout=60)
            for _ in range(2):  # the second time after a message was sent that is not taken
                second = whole.script(DRAFT, whole.connection, str(begun)).strip()
                assert state_of(whole, second) == "planning"
                began = time.monotonic()
                job.shows_pages(visitor)
                assert time.monotonic() - began < 2 * LONGEST_PAGE
            assert whole.ended() == {}
        whole.until(whole.answers, timeout=60)
        whole.until(lambda: state_of(whole, second) == "planned", timeout=60)
    job.ends_well()
