"""Which process works on a row, and how soon it is known that it died."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from portal.directory.users import USERS
from portal.jobs.leases import JOBS, LeaseLost, renew
from portal.jobs.models import ItemState, Job
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.sessions.models import SessionToRead
from portal.sessions.rereading import REREADS, request_reread
from portal.work import leases, queue
from portal.work.leases import holder, is_gone
from tests.support.job_runs import addresses, approved

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only Linux reports it"
)


@pytest.fixture
def process():
    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield started
    started.kill()
    started.communicate()


@pytest.fixture
def dead(process):
    """The name of a process that was killed."""
    name = holder(process.pid)
    process.kill()
    process.wait()
    return name


@pytest.fixture
def woken(monkeypatch):
    """The messages to workers: the task, and what it is to work on."""
    messages: list[tuple[str, int]] = []
    monkeypatch.setattr(queue, "enqueue", lambda task, key, **_: messages.append((task, key)))
    monkeypatch.setattr(transaction, "on_commit", lambda call: call())
    return messages


def test_a_process_that_lives_is_not_gone(process):
    assert not is_gone(holder())
    assert not is_gone(holder(process.pid))


def test_killed_process_is_gone_before_parent_asks(process):
    name = holder(process.pid)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(name)
    process.wait()
    assert is_gone(name)


def test_process_that_came_later_under_same_number_is_another():
    place, number, started = holder().split(" ")
    assert is_gone(f"{place} {number} {int(started) - 1}")


@pytest.mark.parametrize("part", range(5))
def test_of_other_machine_container_or_user_nothing_is_certain(part, process):
    place, _, rest = holder(process.pid).partition(" ")
    process.kill()
    process.wait()
    parts = place.split("/")
    parts[part] = f"{parts[part]}9"
    assert not is_gone(f"{'/'.join(parts)} {rest}")


@pytest.mark.parametrize("name", ["", "a", "a b", " 1 2"])
def test_what_is_no_name_reports_nothing(name):
    assert not is_gone(name)


def test_where_the_kernel_does_not_report_there_is_no_name(tmp_path, monkeypatch):
    known = holder()
    monkeypatch.setattr(leases, "_PROC", tmp_path)
    assert holder() == ""
    assert not is_gone(known)


@pytest.mark.django_db
def test_job_of_dead_worker_is_free_and_its_calls_in_doubt(connection, work, process):
    job = approved(connection, addresses(3), work)
    taken = JOBS.acquire(job.pk)
    assert taken
    job.items.filter(number=2).update(state=ItemState.SENDING, attempts=1)
    Job.objects.update(holder=holder(process.pid))
    JOBS.sweep()
    assert JOBS.acquire(job.pk) is None
    process.kill()
    process.wait()
    JOBS.sweep()
    item = job.items.get(number=2)
    assert item.state == ItemState.UNKNOWN
    assert item.in_flight_until
    assert item.in_flight_until > timezone.now()
    assert JOBS.acquire(job.pk)
    with pytest.raises(LeaseLost):
        renew(taken)


@pytest.mark.django_db
def test_a_plan_of_a_dead_worker_is_made_again_at_once(connection, work, process):
    job = approved(connection, addresses(1), work)
    Job.objects.update(state="planning")
    taken = JOBS.acquire(job.pk)
    assert taken
    renew(taken)
    Job.objects.update(holder=holder(process.pid))
    process.kill()
    process.wait()
    JOBS.sweep()
    assert JOBS.acquire(job.pk)


@pytest.mark.django_db
def test_worker_elsewhere_keeps_its_job_until_lease_runs_out(connection, work):
    job = approved(connection, addresses(1), work)
    assert JOBS.acquire(job.pk)
    place, number, started = holder().split(" ")
    Job.objects.update(holder=f"{place}9 {number} {int(started) - 1}")
    JOBS.sweep()
    assert JOBS.acquire(job.pk) is None
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert JOBS.acquire(job.pk)


@pytest.mark.django_db
def test_a_refresh_of_a_dead_worker_is_free_at_once(connection, dead, woken):
    state = USERS.request(connection)
    woken.clear()
    assert REFRESHES.acquire(state.pk)
    assert REFRESHES.acquire(state.pk) is None
    assert REFRESHES.sweep() == 0
    MirrorState.objects.update(holder=dead)
    assert REFRESHES.sweep() == 1
    assert woken == [("mirror.refresh", state.pk)]
    assert REFRESHES.acquire(state.pk)


@pytest.mark.django_db
def test_session_read_by_one_worker_is_its_own_until_it_dies(connection, dead, woken):
    request_reread(connection, "meetings", "111")
    woken.clear()
    waiting = SessionToRead.objects.get()
    assert REREADS.acquire(waiting.pk)
    assert REREADS.acquire(waiting.pk) is None
    assert REREADS.sweep() == 0
    SessionToRead.objects.update(holder=dead)
    assert REREADS.sweep() == 1
    assert woken == [("sessions.reread", connection.pk)]
    assert REREADS.acquire(waiting.pk)
