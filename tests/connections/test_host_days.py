"""What can be scheduled for one host in a day: counted, and a matter of that host alone."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from portal.access.grants import scope_of
from portal.client import Throttled
from portal.client.limits import Quota
from portal.connections.api import api_for
from portal.connections.host_days import HostDays
from portal.connections.rate_limits import closures_of
from portal.contract.meetings import MeetingUpdate, NewMeeting
from portal.contract.operation import Weight
from portal.directory.models import MirroredUser
from tests.support.fault_server import answer
from tests.support.portal import admin_client_for

pytestmark = [pytest.mark.django_db, pytest.mark.whole_pages]
MEETING = {"id": 5, "host_id": "anna", "topic": "Standup", "type": 2}
WORDS = {"message": "You have reached the daily limit of requests for this particular user."}
NEW = NewMeeting(topic="Standup", type=2, start_time="2026-12-01T10:00:00Z", timezone="UTC")


@pytest.fixture
def by_class(faulty):
    faulty.dialect = "current"
    faulty.save()
    return faulty


def api(connection):
    return api_for(scope_of(connection.owner, connection))


def schedule(connection, host):
    api(connection).meetings.create(host, NEW)


def test_what_is_scheduled_or_changed_counts_for_its_host(by_class, fault_server):
    fault_server.then(answer(201, MEETING)).then(answer(200, MEETING)).always(answer(204))
    schedule(by_class, "anna")
    api(by_class).meetings.update(5, MeetingUpdate(topic="Review"))
    assert HostDays(by_class).counts(["anna", "ben"]) == {"anna": 2}


def test_host_who_is_used_up_holds_back_nobody_else(by_class, fault_server):
    fault_server.then(answer(429, WORDS)).always(answer(201, MEETING | {"host_id": "ben"}))
    for reason in ("", "own_limit"):
        with pytest.raises(Throttled) as refused:
            schedule(by_class, "anna")
        assert refused.value.reason == reason
        assert refused.value.is_narrow
        assert refused.value.message == WORDS["message"]
    schedule(by_class, "ben")
    assert len(fault_server.requests) == 2
    assert not closures_of(by_class).closed(Weight.MEDIUM)[0]


def test_day_of_host_is_over_where_its_limit_was_counted(by_class, fault_server):
    fault_server.always(answer(201, MEETING))
    days = HostDays(by_class)
    for _ in range(99):
        days.count("anna")
    schedule(by_class, "anna")
    with pytest.raises(Throttled, match="scheduled for this host in a day"):
        schedule(by_class, "anna")
    assert len(fault_server.requests) == 1


def test_hosts_who_are_closed_at_once_are_all_closed(by_class):
    together = Barrier(8)

    def close(worker):
        together.wait(10)
        for number in range(5):
            HostDays(by_class).close(f"host-{worker}-{number}", 60, WORDS["message"])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(close, range(8)))
    days = HostDays(by_class)
    hosts = {f"host-{worker}-{number}" for worker in range(8) for number in range(5)}
    assert {one.host for one in days.closed()} == hosts
    assert all(days.closed_for(host)[0] > 0 for host in hosts)


def test_home_and_bar_say_what_is_used_up(by_class, administrator):
    MirroredUser.objects.create(
        connection=by_class,
        user_id="anna",
        email="anna@example.com",
        name="Anna Lee",
        status="active",
    )
    page = admin_client_for(administrator).get("/").content.decode()
    assert "used up" not in page
    HostDays(by_class).close("anna", 3900, WORDS["message"])
    closures_of(by_class).close(Weight.HEAVY, 3900, "No more reports today.", of_day=True)
    page = admin_client_for(administrator).get("/").content.decode()
    assert 'id="used-up"' in page
    assert "Scheduling for Anna Lee is used up until" in page
    assert "Reports: used up until" in page
    assert "No more reports today." in page


def test_much_of_a_day_is_said_before_it_is_over(by_class, administrator):
    closures = closures_of(by_class)
    for _ in range(2):
        closures.count(Weight.HEAVY)
    client = admin_client_for(administrator)
    assert "today's limit" not in client.get("/").content.decode()
    closures.heard(Weight.HEAVY, Quota("Heavy", "Daily-limit", 30_000, 11_600))
    page = client.get("/").content.decode()
    assert "18,400 of 30,000 requests of today&#x27;s limit, new at 00:00 UTC" in page
    assert 'id="used-up"' not in page
