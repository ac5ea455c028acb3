"""Who holds a job, and how soon it is known that they died."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from portal.access.models import Connection
from portal.jobs import dispatch, holders
from portal.jobs.holders import holder, is_gone
from portal.jobs.leases import LeaseLost, renew, take
from portal.jobs.models import ItemState, Job
from tests.jobs.creating import addresses, approved
from tests.plugins.jobs import Work

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux tells it alone")


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield started
    started.kill()
    started.communicate()


def test_a_process_that_lives_is_not_gone(process: "subprocess.Popen[bytes]"):
    assert not is_gone(holder())
    assert not is_gone(holder(process.pid))


def test_a_process_that_was_killed_is_gone_before_its_parent_has_asked_for_it(
    process: "subprocess.Popen[bytes]",
):
    name = holder(process.pid)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(name)
    process.wait()
    assert is_gone(name)


def test_a_process_that_came_later_under_the_same_number_is_another():
    place, number, started = holder().split(" ")
    assert is_gone(f"{place} {number} {int(started) - 1}")


@pytest.mark.parametrize("part", range(5))
def test_of_another_boot_machine_container_or_user_nothing_is_known(
    part: int, process: "subprocess.Popen[bytes]"
):
    place, _, rest = holder(process.pid).partition(" ")
    process.kill()
    process.wait()
    parts = place.split("/")
    parts[part] = f"{parts[part]}9"
    assert not is_gone(f"{'/'.join(parts)} {rest}")


@pytest.mark.parametrize("name", ["", "a", "a b", " 1 2"])
def test_what_is_no_name_tells_nothing(name: str):
    assert not is_gone(name)


def test_where_the_kernel_does_not_tell_there_is_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    known = holder()
    monkeypatch.setattr(holders, "_PROC", tmp_path)
    assert holder() == ""
    assert not is_gone(known)


@pytest.mark.django_db
def test_a_job_of_a_dead_worker_is_free_at_once_and_what_it_sent_is_in_doubt(
    connection: Connection, work: Work, process: "subprocess.Popen[bytes]"
):
    job = approved(connection, addresses(3), work)
    taken = take(job.pk)
    assert taken
    job.items.filter(number=2).update(state=ItemState.SENDING, attempts=1)
    Job.objects.update(holder=holder(process.pid))
    dispatch.sweep()
    assert take(job.pk) is None
    process.kill()
    process.wait()
    dispatch.sweep()
    item = job.items.get(number=2)
    assert item.state == ItemState.UNKNOWN
    assert item.in_flight_until
    assert item.in_flight_until > timezone.now()
    assert take(job.pk)
    with pytest.raises(LeaseLost):
        renew(taken)


@pytest.mark.django_db
def test_a_plan_of_a_dead_worker_is_made_again_at_once(
    connection: Connection, work: Work, process: "subprocess.Popen[bytes]"
):
    job = approved(connection, addresses(1), work)
    Job.objects.update(state="planning")
    taken = take(job.pk)
    assert taken
    renew(taken)
    Job.objects.update(holder=holder(process.pid))
    process.kill()
    process.wait()
    dispatch.sweep()
    assert take(job.pk)


@pytest.mark.django_db
def test_a_worker_elsewhere_keeps_its_job_until_the_lease_runs_out(
    connection: Connection, work: Work
):
    job = approved(connection, addresses(1), work)
    assert take(job.pk)
    place, number, started = holder().split(" ")
    Job.objects.update(holder=f"{place}9 {number} {int(started) - 1}")
    dispatch.sweep()
    assert take(job.pk) is None
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert take(job.pk)
