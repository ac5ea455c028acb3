"""Jobs of a colleague on a shared connection: they stop before the next request once it is over."""

import uuid

import pytest

from portal.access.http import Origin
from portal.access.models import Share
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.connections.services import handing_over, shares
from portal.jobs import services
from portal.jobs.models import ItemState, JobState
from tests.support.job_types import CreatePeople
from tests.support.jobs import approve

ENDED = "Operator, who started this job, no longer has access to the connection."


@pytest.fixture
def shared(connection, operator):
    origin, seen = Origin(connection.owner), shares.version_of(connection)
    return shares.give(origin, connection, operator, Role.OPERATOR, seen=seen, limits={})


def people(count):
    return {"emails": [f"{uuid.uuid4().hex}@brightwater.example" for _ in range(count)]}


def revoke(share):
    connection = share.connection
    shares.revoke(Origin(connection.owner), share, seen=shares.version_of(connection))


def drafted(share, work, count=3):
    """A planned job of the colleague."""
    return work(
        services.draft(
            Origin(share.user, email=share.user.email),
            share.connection,
            CreatePeople.name,
            "Create people",
            parameters=people(count),
        )
    )


def writes(share):
    own = AuditEntry.objects.filter(connection_key=share.connection.key, family="users")
    return own.order_by("sequence")


@pytest.mark.django_db
def test_a_colleague_runs_a_job_and_the_trail_names_them(shared, work):
    job = drafted(shared, work)
    approve(job)
    assert work(job).state == JobState.DONE
    assert {entry.email for entry in writes(shared)} == {shared.user.email}


@pytest.mark.django_db
def test_job_that_waits_is_not_begun_once_share_is_taken_back(shared, work):
    job = drafted(shared, work)
    approve(job)
    revoke(shared)
    job = work(job)
    assert (job.state, job.reason) == (JobState.PAUSED, ENDED)
    assert not writes(shared).exists()


@pytest.mark.django_db
def test_a_plan_is_not_made_once_the_share_is_taken_back(shared, work):
    job = services.draft(
        Origin(shared.user), shared.connection, CreatePeople.name, "Create", parameters=people(1)
    )
    revoke(shared)
    assert work(job).state == JobState.UNPLANNABLE


@pytest.mark.django_db
def test_running_job_sends_nothing_after_share_is_taken_back(shared, work, monkeypatch):
    """The owner takes it back while rows are under way."""
    job = drafted(shared, work, 200)
    approve(job)
    ended = CreatePeople.ended

    def end_access(kind, which, items):
        ended(kind, which, items)
        if Share.objects.filter(pk=shared.pk).exists():
            revoke(shared)

    monkeypatch.setattr(CreatePeople, "ended", end_access)
    job = work(job)
    assert (job.state, job.reason) == (JobState.PAUSED, ENDED)
    states = set(job.items.values_list("state", flat=True))
    assert states == {ItemState.DONE, ItemState.PENDING}
    over = AuditEntry.objects.get(operation=Act.SHARE_TAKEN_BACK).sequence
    begun_later = writes(shared).filter(intent=None, sequence__gt=over)
    assert not begun_later.exclude(outcome="failed").exists()
    assert not writes(shared).filter(outcome="unknown").exists()


@pytest.mark.django_db
def test_a_job_goes_on_by_what_the_new_role_allows(shared, work):
    job = drafted(shared, work)
    approve(job)
    connection = shared.connection
    seen = shares.version_of(connection)
    shares.change_role(Origin(connection.owner), shared, Role.VIEWER, seen=seen)
    job = work(job)
    assert job.state == JobState.PAUSED
    assert "is no longer allowed" in job.reason


@pytest.mark.django_db
def test_job_of_former_owner_stops_after_hand_over(shared, work):
    connection, owner = shared.connection, shared.connection.owner
    job = services.draft(
        Origin(owner), connection, CreatePeople.name, "Create people", parameters=people(2)
    )
    job = work(job)
    approve(job)
    handing_over.hand_over(
        Origin(owner),
        connection,
        shared.user,
        name="Theirs",
        keeps="",
        seen=shares.version_of(connection),
    )
    job = work(job)
    assert job.state == JobState.PAUSED
    assert job.reason.startswith("Administrator, who started this job")
