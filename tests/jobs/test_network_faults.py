"""Jobs over a connection that cuts, delays, garbles and refuses: nothing lost, nothing twice, and
nothing claimed that is not so."""

import threading

import pytest

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.verifying import verify
from portal.connections.services import connections
from portal.jobs import services
from portal.jobs.models import ItemState, JobState
from tests.support.job_runs import addresses, approved, on_the_account
from tests.support.proxy import FATES

pytestmark = pytest.mark.django_db


@pytest.fixture
def faulty(faulty_proxy, sandbox, administrator):
    connection = Connection(owner=administrator, name="Faulty network", base_url=faulty_proxy.url)
    connections.save(Origin(administrator), connection, sandbox.token)
    return connection


@pytest.fixture(autouse=True)
def hasty(settings):
    settings.API_TIMEOUT = 0.6


@pytest.mark.parametrize("seed", [1, 3])
def test_nothing_is_lost_or_doubled_and_every_claim_is_true(
    seed, faulty, faulty_proxy, sandbox, work
):
    emails = addresses(60)
    job = approved(faulty, emails, work)
    faulty_proxy.fails(0.35, seed, late_by=0.8)
    job = work(job)
    assert set(FATES) <= set(faulty_proxy.met)
    done = set(job.items.filter(state=ItemState.DONE).values_list("label", flat=True))
    failed = set(job.items.filter(state=ItemState.FAILED).values_list("label", flat=True))
    assert job.state == JobState.DONE
    assert done | failed == set(emails)
    assert sorted(on_the_account(sandbox, emails)) == sorted(done)
    faulty_proxy.recovers()
    services.retry_failed(job, Origin(faulty.owner))
    assert work(job).state == JobState.DONE
    assert not job.items.exclude(state=ItemState.DONE).exists()
    assert sorted(on_the_account(sandbox, emails)) == emails
    assert verify().problem == ""


def test_a_service_that_is_away_is_waited_for(faulty, faulty_proxy, sandbox, work):
    emails = addresses(8)
    job = approved(faulty, emails, work)
    faulty_proxy.fails(1.0, 5, late_by=0.7)
    threading.Timer(2.0, faulty_proxy.recovers).start()
    assert work(job).state == JobState.DONE
    assert not job.items.exclude(state=ItemState.DONE).exists()
    assert sorted(on_the_account(sandbox, emails)) == emails
