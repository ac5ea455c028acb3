"""A colleague with a share for a department schedules for its people, one by one and from a table,
and neither for nor with any other."""

import pytest

from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.contract.users import UserDetails
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.jobs.models import ItemState
from portal.meetings.spec import MEETINGS
from tests.sessions.importing import carried_out, planned, row_of
from tests.support.portal import admin_client_for, member
from tests.support.session_pages import Planner
from tests.support.shares import share_with

# What is checked at a call is read by the threads of a job.
pytestmark = pytest.mark.django_db(transaction=True)

DEPARTMENT = "Physics"


@pytest.fixture
def limited(connection, sandbox):
    """The pages as the colleague has them."""
    colleague = member("dean@example.com", Role.ADMINISTRATOR)
    share_with(connection, colleague, departments=[DEPARTMENT])
    return Planner(admin_client_for(colleague), connection, sandbox)


@pytest.fixture
def inside(connection, sandbox, host):
    sandbox.client.patch(f"/users/{host.id}", json={"dept": DEPARTMENT})
    answer = sandbox.client.get(f"/users/{host.id}").content
    users.put(connection, UserDetails.read(answer))
    return host


@pytest.fixture
def outside(connection, make_host):
    made = make_host(first_name="Otto", last_name="Without")
    assert not MirroredUser.objects.get(user_id=made.id).dept
    return made


def _began():
    return AuditEntry.objects.filter(operation="meetings.create").exists()


def test_meeting_is_scheduled_for_own_host_by_one_form(limited, inside):
    data = limited.plan(MEETINGS, inside)
    assert data["host_id"] == inside.id


def test_picker_of_hosts_finds_own_people_alone(limited, inside, outside):
    address = limited.url(MEETINGS, "people")
    for name in ("host", "settings.alternative_hosts"):
        search = {"field": name, f"search:{name}": f"{inside.email} {outside.email}"}
        both = limited.get(address, **search)
        assert inside.name in both
        assert outside.name not in both


def test_foreign_host_or_alternative_host_sends_nothing(limited, inside, outside):
    form = limited.filled_in(MEETINGS, inside)
    for values in ({"host": outside.id}, {"settings__alternative_hosts": outside.email}):
        answer = limited.send(form, **values)
        assert answer.status_code == 422
        assert "outside" in answer.text or "without" in answer.text
    assert not _began()


def test_plans_of_foreign_host_are_no_warning(limited, planner, inside, outside):
    planner.plan(MEETINGS, outside, topic="Merger with Initech")
    times = {"host": outside.id, "topic": "Merger with Initech", "duration": "30"}
    planner.send(planner.filled_in(MEETINGS, outside), look="1")  # what all users share
    form = limited.filled_in(MEETINGS, inside)
    seen = limited.send(form, **times | {"topic": "x"}, look="1")
    assert "Merger" not in seen.text


def test_sessions_are_imported_for_own_hosts_alone(limited, inside, outside, work):
    rows = [
        row_of(inside),
        row_of(outside),
        row_of(inside, alternative_hosts=outside.email),
    ]
    job = planned(limited, MEETINGS, work, *rows)
    states = [item.state for item in job.items.order_by("number")]
    assert states == [ItemState.PENDING, ItemState.INVALID, ItemState.INVALID]
    job = carried_out(job, work)
    assert job.items.earliest("number").state == ItemState.DONE
    assert AuditEntry.objects.filter(operation="meetings.create", outcome="begun").count() == 1
