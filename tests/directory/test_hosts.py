"""Lists that are read host by host leave no person out, however old the list of people is."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access import tokens
from portal.directory import colleagues, users
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.jobs.models import Job, JobState
from portal.mirror.loading import load_due
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.mirror.refresh import read_now, refresh
from portal.mirror.rows import state_of
from portal.recordings.jobs.reading import READING as RECORDINGS
from portal.sessions.jobs.reading import READING as SESSIONS
from portal.work.leases import LeaseLost, release
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.mirror_services import ACTIVE, page_of, people_list, person
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
each_list = pytest.mark.parametrize(
    "reading",
    [SESSIONS, pytest.param(RECORDINGS, marks=pytest.mark.deep)],
    ids=lambda each: each.name,
)


def read(reading, connection, work, *hosts):
    reading.request(connection, hosts)
    return work(Job.objects.filter(kind=reading.job_type).latest("pk"))


def planned(job):
    return set(job.items.values_list("object_id", flat=True))


def who_hosts(sandbox):
    return {user["id"] for user in sandbox.people("active", "inactive")}


def make_old(connection):
    """The list of people is as it was when it was last read, which is a while ago."""
    old = timezone.now() - USERS.stale_after - timedelta(seconds=1)
    MirrorState.objects.filter(pk=users.state_of(connection).pk).update(refreshed_at=old)


@each_list
def test_people_never_read_are_read_before_sessions(reading, connection, sandbox, work):
    job = read(reading, connection, work)
    assert job.state == JobState.DONE
    assert planned(job) == who_hosts(sandbox) != set()
    assert users.state_of(connection).refreshed_at


@each_list
def test_who_came_since_an_old_list_of_people_is_among_the_hosts(
    reading, connection, sandbox, work
):
    refresh(USERS.request(connection).pk)
    new = MirroredUser.objects.filter(connection=connection, status=ACTIVE).latest("pk")
    new.delete()  # as if they had been added to the account just now
    assert new.user_id not in planned(read(reading, connection, work))
    make_old(connection)
    assert new.user_id in planned(read(reading, connection, work))


@each_list
def test_one_host_whom_nobody_knows_yet_is_looked_for(reading, connection, sandbox, work):
    host = str(sandbox.people()[0]["id"])
    assert planned(read(reading, connection, work, host)) == {host}
    make_old(connection)
    as_of = users.state_of(connection).refreshed_at
    assert planned(read(reading, connection, work, host)) == {host}
    assert users.state_of(connection).refreshed_at == as_of  # who is known needs no list


def test_list_of_people_that_another_worker_reads_is_waited_for(
    connection, sandbox, work, monkeypatch
):
    theirs = REFRESHES.acquire(USERS.request(connection).pk)
    assert theirs
    waits: list[float] = []

    def other_worker_ends(seconds):
        waits.append(seconds)
        release(theirs)
        assert refresh(theirs.pk)

    monkeypatch.setattr(colleagues, "sleep", other_worker_ends)
    assert planned(read(SESSIONS, connection, work)) == who_hosts(sandbox)
    assert len(waits) == 1


def test_page_of_meetings_says_it_is_loading_until_complete(connection, work):
    client = admin_client_for(connection.owner)
    url = reverse("meetings:list", args=[connection.key])
    assert "No meetings yet" not in text_of(client.get(url).text)
    assert "Updating from the service" in text_of(client.get(url).text)
    work(Job.objects.get(kind=SESSIONS.job_type))
    shown = text_of(client.get(url).text)
    assert "No meetings yet" not in shown
    assert "Updated just now" in shown
    names = set(MirroredUser.objects.filter(connection=connection).values_list("name", flat=True))
    assert any(name in shown for name in names)


@each_list
def test_unreachable_people_leave_reading_for_later_try(reading, faulty, fault_server, work):
    fault_server.always(answer(503, {"code": 503, "message": "Down."}))
    job = read(reading, faulty, work)
    assert job.state == JobState.PLANNING
    assert job.trouble
    assert state_of(faulty, reading.name).refreshed_at is None


@each_list
def test_refused_people_are_reported_once_and_not_asked_again(reading, faulty, fault_server, work):
    fault_server.always(answer(400, {"code": 200, "message": "No permission for this."}))
    reading.mark_viewed(faulty)
    work(Job.objects.get(kind=reading.job_type))
    for _ in range(3):
        state = reading.mark_viewed(faulty)
    assert "No permission for this." in state.failure
    assert not state.is_wanted
    assert Job.objects.filter(kind=reading.job_type).count() == 1
    assert load_due() >= 1  # but now and then, since the list was viewed
    work(Job.objects.get(kind=reading.job_type, finished_at=None))
    assert Job.objects.filter(kind=reading.job_type).count() == 1


def test_an_unreadable_token_is_said_by_the_list(connection, work, settings):
    SESSIONS.mark_viewed(connection)
    settings.TOKEN_KEYS = [type(tokens._keys()._fernets[0]).generate_key().decode()]
    work(Job.objects.get(kind=SESSIONS.job_type))
    assert "TOKEN_KEYS" in SESSIONS.mark_viewed(connection).failure


PEOPLE = [person(number) for number in range(700)]


def never_the_same(fault_server):
    """The list of people has another length at each look."""

    def choose(seen):
        if seen.path.endswith("/users"):
            page: dict[str, Any] = page_of(PEOPLE, seen)
            if seen.query["page_number"] == "2":
                page["total_records"] += 1
            return answer(200, page)
        return answer(200, {"meetings": [], "webinars": [], "total_records": 0, "page_count": 1})

    fault_server.always(depending(choose))


def test_first_unsteady_list_of_people_is_no_list_of_hosts(faulty, fault_server, work):
    never_the_same(fault_server)
    SESSIONS.mark_viewed(faulty)
    work(Job.objects.get(kind=SESSIONS.job_type))
    state = SESSIONS.mark_viewed(faulty)
    assert "kept changing" in state.failure
    assert state.refreshed_at is None


def test_old_unsteady_list_of_people_serves_its_hosts(faulty, fault_server, work):
    fault_server.always(people_list(PEOPLE))
    refresh(USERS.request(faulty).pk)
    make_old(faulty)
    never_the_same(fault_server)
    assert planned(read(SESSIONS, faulty, work)) == {one["id"] for one in PEOPLE}


def test_a_worker_that_lost_its_job_leaves_the_people_to_another(connection):
    def lost(_read, _expected):
        raise LeaseLost

    state = USERS.request(connection)
    assert not read_now(state.pk, lost)
    assert REFRESHES.free_rows().filter(pk=state.pk).exists()
    assert refresh(state.pk)
    assert users.state_of(connection).refreshed_at
