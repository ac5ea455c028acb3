"""The cost of a plan, on its page: calls, about how long, and what waits for another day."""

import pytest

from portal.access.host_days import HostDays
from portal.access.models import Connection, User
from portal.access.rate_limits import closures_of, rate_limiter_of
from portal.client.limits import Quota
from portal.contract.operation import Weight
from portal.contract.users import Users
from portal.jobs.cost import JobCost, cost_of
from portal.jobs.counts import counts_of
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def by_class(faulty: Connection) -> Connection:
    faulty.dialect = "current"
    faulty.save()
    return faulty


def planned(connection: Connection, kind: str, action: str, rows: int, **data: object) -> Job:
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


def cost(job: Job) -> JobCost:
    found = cost_of(job, counts_of(job))
    assert found
    return found


def test_calls_and_time_are_those_of_the_slowest_class(by_class: Connection):
    found = cost(planned(by_class, "people.import", "create", 1200))
    assert (found.calls, found.seconds) == (1200, 60)  # medium: 20 a second
    assert found.words == "1,200 calls, about 1 min"
    found = cost(planned(by_class, "people.profile", "change", 100))
    assert found.calls == 200  # each is read before it is changed
    assert found.seconds == 5


def test_without_known_limits_the_calls_alone_are_said(faulty: Connection):
    assert cost(planned(faulty, "people.import", "create", 1)).words == "1 call"


def test_page_says_which_hosts_have_to_wait(by_class: Connection, administrator: User):
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


def test_calls_beyond_the_limit_of_a_day_wait(by_class: Connection):
    heavy = Quota("Heavy", "Daily-limit", 30_000, 2)
    rate_limiter_of(by_class).heard(Users.update, heavy)  # as the service counts it
    closures_of(by_class).heard(Weight.HEAVY, heavy)
    found = cost(planned(by_class, "people.profile", "change", 5))
    assert found.over == 3
    assert found.waiting == ["3 calls wait until 00:00 UTC, since today's limit is used up before."]


def test_job_with_nothing_to_send_costs_nothing(by_class: Connection):
    job = planned(by_class, "people.import", "create", 0)
    assert cost_of(job, counts_of(job)) is None
