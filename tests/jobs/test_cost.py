"""The cost of a plan, on its page: calls, about how long, and what waits for another day."""

import pytest

from portal.account.resources import DeviceImportJob
from portal.client.limits import Quota
from portal.connections.host_days import HostDays
from portal.connections.rate_limits import closures_of, rate_limiter_of
from portal.contract.operation import Weight
from portal.contract.users import Users
from portal.jobs.cost import cost_of
from portal.jobs.counts import counts_of
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.account import importing as resources
from tests.people import importing as people
from tests.support.jobs import approve
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def by_class(faulty):
    faulty.dialect = "current"
    faulty.save()
    return faulty


def planned(connection, kind, action, rows, **data):
    job = Job.objects.create(
        connection=connection,
        owner=connection.owner,
        kind=kind,
        title="Plan",
        state=JobState.PLANNED,
        parameters={"names": []},
    )
    JobItem.objects.bulk_create(
        JobItem(job=job, number=each, label=str(each), action=action, data=data)
        for each in range(rows)
    )
    return job


def cost(job):
    found = cost_of(job, counts_of(job))
    assert found
    return found


def test_calls_and_time_are_those_of_the_slowest_class(by_class):
    found = cost(planned(by_class, "people.import", "create", 1200))
    assert (found.calls, found.seconds) == (1200, 40)  # light: 30 a second
    assert found.words == "1,200 calls, less than a minute"
    found = cost(planned(by_class, "people.profile", "change", 100))
    assert found.calls == 200  # each is read before it is changed
    assert round(found.seconds) == 7


def test_without_known_limits_the_calls_alone_are_said(faulty):
    assert cost(planned(faulty, "people.import", "create", 1)).words == "1 call"


def test_page_says_which_hosts_have_to_wait(by_class, administrator):
    days = HostDays(by_class)
    for _ in range(98):
        days.count("anna")
    host = {"host_id": "anna", "host": "Anna Lee"}
    job = planned(by_class, "meetings.import", "create", 39, host="anna", about=host)
    page = admin_client_for(administrator).get(f"/c/{by_class.key}/jobs/{job.key}/")
    words = "37 rows of Anna Lee wait until 00:00 UTC: 98 were scheduled for them today."
    assert words in page.content.decode()
    assert "39 calls" in page.content.decode()
    JobItem.objects.filter(job=job, number__gte=2).update(state=ItemState.LEFT_OUT)
    assert not cost(job).hosts


def test_calls_beyond_the_limit_of_a_day_wait(by_class):
    heavy = Quota("Heavy", "Daily-limit", 30_000, 2)
    rate_limiter_of(by_class).heard(Users.update, heavy)  # as the service counts it
    closures_of(by_class).heard(Weight.HEAVY, heavy)
    found = cost(planned(by_class, "people.profile", "change", 5))
    assert found.over == 3
    assert found.waiting == ["3 calls wait until 00:00 UTC, since today's limit is used up before."]


def test_job_with_nothing_to_send_costs_nothing(by_class):
    job = planned(by_class, "people.import", "create", 0)
    assert cost_of(job, counts_of(job)) is None


@pytest.mark.parametrize("kind", ["people", "devices"])
def test_cost_of_a_plan_is_what_leaves_when_it_runs(kind, connection, work, make_group, caplog):
    if kind == "people":
        group, more = make_group(), {"dept": "Sales", "status": "inactive"}
        rows = [{"email": people.new_email(), "groups": group.name, **more} for _ in range(2)]
        job = people.drafted(connection, *rows, {"email": people.new_email()})
    else:
        row = {"name": people.new_email(), "ip": "192.0.2.7", "protocol": "SIP"}
        table = resources.written({**row, "encryption": "auto"})
        job = resources.drafted(connection, DeviceImportJob, table)
    job = work(job)
    assert job.state == JobState.PLANNED, job.reason
    expected = cost(job).calls
    approve(job)
    caplog.clear()
    caplog.set_level("INFO", "portal.client")
    job = work(job)
    assert set(job.items.values_list("state", flat=True)) <= {ItemState.DONE, ItemState.UNCHANGED}
    assert sum("'event': 'call'" in one.getMessage() for one in caplog.records) == expected
