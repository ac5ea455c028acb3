"""Machines of the portal whose clocks are wrong work by the database's (promise 57)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import ServiceToken
from portal.client import limits
from portal.config import clock
from portal.connections import rate_limits, renewal
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.jobs import services
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from portal.mirror import rows
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.ui.models import SentForm
from portal.work import queue
from portal.work.leases import LeaseLost, holder, renew
from tests.support.job_types import CreatePeople

pytestmark = pytest.mark.django_db

Machine = Callable[[timedelta], AbstractContextManager[object]]
FIVE = timedelta(minutes=5)
skewed = pytest.mark.parametrize("ahead", [FIVE, -FIVE], ids=["fast", "slow"])


@pytest.fixture
def job(connection):
    made = services.draft(Origin(connection.owner), connection, CreatePeople.name, "Create people")
    Job.objects.filter(pk=made.pk).update(state=JobState.RUNNING)
    return made


@pytest.fixture
def woken(monkeypatch):
    messages: list[tuple[str, int]] = []
    monkeypatch.setattr(queue, "enqueue", lambda task, key, **_: messages.append((task, key)))
    monkeypatch.setattr(transaction, "on_commit", lambda call: call())
    return messages


@skewed
def test_lease_is_not_taken_by_machine_with_wrong_clock(job, machine, ahead):
    mine = JOBS.acquire(job.pk)
    assert mine is not None
    with machine(ahead):
        assert JOBS.acquire(job.pk) is None
    renew(mine, JOBS.length())


@skewed
def test_lease_by_wrong_clock_ends_in_its_time(job, machine, ahead):
    with machine(ahead):
        theirs = JOBS.acquire(job.pk)
    assert theirs is not None
    assert theirs.leased_until is not None
    left = theirs.leased_until - datetime.now(UTC)
    assert timedelta() < left <= JOBS.length() + timedelta(seconds=1)
    assert JOBS.acquire(job.pk) is None
    Job.objects.filter(pk=job.pk).update(leased_until=clock.now() - timedelta(seconds=1))
    assert JOBS.acquire(job.pk) is not None
    with machine(ahead), pytest.raises(LeaseLost):
        renew(theirs, JOBS.length())


@skewed
def test_queue_is_swept_alike_whatever_the_clock(connection, woken, machine, ahead):
    state = USERS.request(connection)
    woken.clear()
    with machine(ahead):
        assert REFRESHES.sweep() == 1
        assert REFRESHES.free_rows().filter(connection=connection).exists()
    assert woken == [("mirror.refresh", state.pk)]
    later = clock.now() + timedelta(minutes=1)
    MirrorState.objects.filter(pk=state.pk).update(requested_at=later)
    with machine(ahead):
        assert REFRESHES.sweep() == 0


@skewed
def test_dead_workers_lease_ends_whatever_the_clock(job, woken, machine, ahead):
    assert JOBS.acquire(job.pk) is not None
    gone = " ".join([*holder().split(" ")[:-1], "1"])
    Job.objects.filter(pk=job.pk).update(holder=gone)
    with machine(ahead):
        JOBS.sweep()
    assert woken == [("jobs.work_on", job.pk)]


@skewed
def test_age_of_queue_is_the_same_by_wrong_clock(connection, machine, ahead):
    USERS.request(connection)
    with machine(ahead):
        _waiting, oldest, *_leases = queue.GAUGES
        ages = dict(oldest.read())
    assert 0 <= ages["mirror.refresh",] < 60


@skewed
def test_fresh_copy_is_not_stale_by_wrong_clock(connection, machine, ahead):
    state = rows.state_of(connection, USERS.name)
    almost = clock.now() - USERS.stale_after + timedelta(minutes=1)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=almost)
    with machine(ahead):
        assert not USERS.mark_viewed(connection).is_wanted
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=almost - timedelta(minutes=2))
    with machine(ahead):
        assert USERS.mark_viewed(connection).is_wanted


@skewed
def test_row_written_by_wrong_clock_outlives_older_reading(connection, machine, ahead):
    state = rows.state_of(connection, USERS.name)
    began = clock.now() - timedelta(seconds=2)
    row = MirroredUser(connection=connection, user_id="u1", name="Ada", email="ada@example.com")
    with machine(ahead):
        rows.put_written(state, [row])
    assert MirroredUser.objects.filter(touched_at__gte=began).exists()
    later = clock.now() + timedelta(seconds=1)
    assert not MirroredUser.objects.filter(touched_at__gte=later).exists()


@skewed
def test_renewed_token_is_as_old_by_wrong_clock(connection, machine, ahead):
    with machine(ahead):
        row = ServiceToken(connection=connection, received_at=clock.now(), lifetime=120.0)
        row.lease_until = clock.now() + timedelta(seconds=30)
    assert renewal._ends_at(row) - clock.now() > timedelta(seconds=110)
    assert not renewal._may_lease(row, clock.now())


@skewed
def test_service_is_compared_with_the_databases_clock(job, machine, ahead, monkeypatch):
    monkeypatch.setattr(limits, "_ahead_of", {})
    service, now = job.connection.base_url, clock.now()
    with machine(ahead):
        wall = timezone.now()
        answered = wall.strftime("%a, %d %b %Y %H:%M:%S GMT")  # the service goes by this clock
        limits.learn(service, wall.timestamp(), wall.timestamp(), answered)
        found = rate_limits.earliest(service, now)
    assert found is not None
    assert abs(found - now - ahead) < timedelta(seconds=2)


@skewed
def test_what_is_stamped_is_by_the_databases_clock(connection, machine, ahead):
    with machine(ahead):
        sent = SentForm.objects.create(user=connection.owner, ticket="t")
    sent.refresh_from_db()
    assert abs(sent.sent_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_clock_that_was_set_is_measured_anew(machine):
    before = clock.now()
    with machine(timedelta(hours=1)):
        assert abs(clock.now() - before) < timedelta(minutes=1)
        assert clock.now().tzinfo is not None


def test_postgresql_is_asked_for_its_own_time(services):
    if not services.on_postgresql:
        pytest.skip("DATABASE_URL names no PostgreSQL")
    spec = spec_from_file_location("asking", clock.__file__)
    assert spec
    assert spec.loader
    asking = module_from_spec(spec)  # the module as it is, without what tests make of it
    spec.loader.exec_module(asking)
    now = time_machine.escape_hatch.datetime.datetime.now(UTC)
    assert abs(asking.now() - now) < FIVE
