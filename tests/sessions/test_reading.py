"""The mirror of sessions against a running service, read by a job."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.directory.users import USERS
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from portal.jobs.planner import plan
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from portal.sessions import mirror
from portal.sessions.jobs.reading import READING, mark_recorded
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession, Occurrence, RecordedSession
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(sandbox):
    return str(sandbox.client.get("/users", params={"page_size": 1}).json()["users"][0]["id"])


@pytest.fixture
def known(connection):
    """The connection, with its people in the mirror."""
    refresh(USERS.request(connection).pk)
    return connection


@pytest.fixture
def reading(known):
    """A job that is about to read all hosts."""
    READING.request(known)
    return Job.objects.filter(kind=READING.job_type).latest("pk")


@pytest.fixture
def reading_host(known, host):
    """A job that is about to read one host."""
    READING.request(known, [host])
    return Job.objects.filter(kind=READING.job_type).latest("pk")


def meeting(sandbox, host, **values):
    start = timezone.now().replace(microsecond=0) + timedelta(days=3)
    plan = {
        "topic": "Standing",
        "type": 2,
        "start_time": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "duration": 45,
        "timezone": "Europe/Berlin",
    }
    answer = sandbox.client.post(f"/users/{host}/meetings", json={**plan, **values})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def listed(connection, **wanted):
    found = mirror.find(whole(connection), SessionFilter(**wanted))
    return set(found.values_list("session_id", flat=True))


def test_every_session_is_read_without_approval_or_entry(reading, connection, sandbox, work):
    assert work(reading).state == JobState.DONE
    expected = set()
    for user in sandbox.people():
        for kind in ("meetings", "webinars"):
            query = {"page_size": 300, **({"type": "scheduled"} if kind == "meetings" else {})}
            data = sandbox.client.get(f"/users/{user['id']}/{kind}", params=query).json()
            expected |= {(kind, str(each["id"])) for each in data[kind]}
    found = MirroredSession.objects.filter(connection=connection)
    assert set(found.values_list("kind", "session_id")) >= expected
    assert expected
    assert not AuditEntry.objects.filter(operation__startswith="job.").exists()
    assert mirror.state_of(connection).refreshed_at is not None


def test_recordings_of_last_month_match_dashboards(connection, sandbox, reading):
    mark_recorded(connection, "meetings", ["10000000001"])
    mark_recorded(connection, "webinars", ["10000000002"])
    taken = JOBS.acquire(reading.pk)
    assert taken is not None
    plan(taken)
    today = timezone.now().date()
    days = {"from": str(today - timedelta(days=29)), "to": str(today)}
    expected = set()
    for kind in ("meetings", "webinars"):
        query = {"type": "past", "page_size": 300, **days}
        data = sandbox.client.get(f"/metrics/{kind}", params=query).json()
        assert not data.get("next_page_token")
        expected |= {(kind, str(each["id"])) for each in data[kind] if each["has_recording"]}
    known = RecordedSession.objects.filter(connection=connection)
    assert set(known.values_list("kind", "session_id")) == expected


def test_a_recurring_meeting_stands_at_each_of_its_times(
    connection, sandbox, host, reading_host, work
):
    recurrence = {"type": 1, "repeat_interval": 1, "end_times": 5}
    made = meeting(sandbox, host, type=8, recurrence=recurrence)
    work(reading_host)
    row = MirroredSession.objects.get(session_id=str(made["id"]))
    times = Occurrence.objects.filter(session=row)
    assert [time.start_time for time in times.order_by("start_time")] == [
        row.start_time + timedelta(days=day) for day in range(5)
    ]
    first = times.order_by("start_time")[0]
    begin, hour = first.start_time, timedelta(hours=1)
    assert first in mirror.beginning(whole(connection), begin, begin + hour)
    assert first not in mirror.beginning(whole(connection), begin - hour, begin)


def test_lists_are_searched_and_filtered(connection, sandbox, host, reading_host, work):
    made = meeting(
        sandbox, host, topic="Quarterly Ünion", settings={"approval_type": 0}, password="s3cret"
    )
    number = str(made["id"])
    work(reading_host)
    row = MirroredSession.objects.get(session_id=number)
    assert (row.has_password, row.approval_type, row.is_read_alone) == (True, 0, True)
    assert "s3cret" not in repr(vars(row))
    for wanted in (
        {"search": "quarterly üNION"},
        {"search": row.host_email},
        {"hosts": [host]},
        {"when": "upcoming"},
        {"registration": True},
        {"kinds": ["meetings"], "types": [2]},
    ):
        assert number in listed(connection, **wanted), wanted
    for wanted in (
        {"search": "quarterly nonsense"},
        {"when": "past"},
        {"when": "unscheduled"},
        {"registration": False},
        {"kinds": ["webinars"]},
        {"ids": []},
    ):
        assert number not in listed(connection, **wanted), wanted


def test_what_is_gone_from_service_goes_with_next_reading(
    connection, sandbox, host, reading_host, work
):
    gone, kept = meeting(sandbox, host), meeting(sandbox, host)
    work(reading_host)
    assert {str(gone["id"]), str(kept["id"])} <= listed(connection)
    sandbox.client.delete(f"/meetings/{gone['id']}")
    READING.request(connection, [host])
    work(Job.objects.filter(kind=READING.job_type).latest("pk"))
    found = listed(connection)
    assert str(gone["id"]) not in found
    assert str(kept["id"]) in found


def test_reading_leaves_newer_knowledge_alone(connection, sandbox, host):
    changed, removed, added = (meeting(sandbox, host) for _ in range(3))
    api = api_for(whole(connection))
    began = timezone.now()
    as_it_was = [("meetings", api.meetings.get(str(each["id"]))) for each in (changed, removed)]
    sandbox.client.patch(f"/meetings/{changed['id']}", json={"topic": "Changed since"})
    for each in (changed, added):
        mirror.put(connection, "meetings", api.meetings.get(str(each["id"])))
    mirror.drop(connection, "meetings", str(removed["id"]))
    mirror.replace_sessions(connection, {host: as_it_was}, began)
    found = MirroredSession.objects.filter(connection=connection)
    assert dict(found.values_list("session_id", "topic")) == {
        str(changed["id"]): "Changed since",
        str(added["id"]): "Standing",
    }


def test_only_one_reading_of_a_list_is_under_way_at_a_time(connection):
    READING.mark_viewed(connection)
    READING.mark_viewed(connection)
    assert Job.objects.filter(kind=READING.job_type).count() == 1


def freshness(connection):
    """Returns the words of the list of meetings for its age."""
    client = admin_client_for(connection.owner)
    url = reverse("meetings:freshness", args=[connection.key])
    asked = client.get(url, headers={"HX-Request": "true", "HX-Target": "freshness"})
    return text_of(asked.text)


def test_long_reading_differs_from_one_not_taken_up(known):
    READING.request(known)
    long_ago = timezone.now() - timedelta(minutes=5)
    MirrorState.objects.filter(kind=mirror.NAME).update(requested_at=long_ago)
    Job.objects.update(created_at=long_ago)
    assert "Waiting for a Switchboard worker" in freshness(known)
    taken = JOBS.acquire(Job.objects.filter(kind=READING.job_type).latest("pk").pk)
    assert taken is not None
    MirrorState.objects.filter(kind=mirror.NAME).update(read=8_400, expected=20_000)
    # A host may take its time: the worker renews the lease of its job while it waits.
    assert "Updating from the service: 8,400 of 20,000 hosts" in freshness(known)
    Job.objects.filter(pk=taken.pk).update(leased_until=long_ago)  # its worker died
    assert "Waiting for a Switchboard worker" in freshness(known)
    Job.objects.filter(pk=taken.pk).update(trouble="The service is not answering.")
    assert "Update delayed: The service is not answering." in freshness(known)


def test_a_reading_counts_its_hosts_from_none_to_all(reading, work):
    MirrorState.objects.filter(kind=mirror.NAME).update(read=7, expected=9)  # of the one before
    connection = reading.connection
    reading.delete()
    READING.request(connection)
    assert "of 9" not in freshness(connection)
    job = Job.objects.filter(kind=READING.job_type).latest("pk")
    taken = JOBS.acquire(job.pk)
    assert taken is not None
    plan(taken)
    hosts = job.items.count()
    assert f"Updating from the service: 0 of {hosts:,} hosts" in freshness(connection)
    work(job)
    state = mirror.state_of(connection)
    assert (state.read, state.expected) == (hosts, hosts)
    assert "Updated just now" in freshness(connection)
