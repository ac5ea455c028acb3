"""Jobs over a connection shared for a department: no selected person outside of it is planned, and
no person who has left it before the job runs is changed."""

from secrets import token_hex

import pytest
from django.test import Client

from portal.access.api import api_for
from portal.access.grants import scope_of
from portal.access.models import Connection, User
from portal.access.roles import Role
from portal.contract.users import UserUpdate
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.jobs.models import ItemState, JobState
from tests.people.test_chosen import chosen, drafted
from tests.support.jobs import Work, approve
from tests.support.people import Made, MakePerson
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

# What is checked at a call is read by the threads of the job.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def department() -> str:
    return f"Sales {token_hex(4)}"


@pytest.fixture
def people(connection: Connection, make_person: MakePerson, department: str) -> list[Made]:
    """Two of the department, and one who is not."""
    made = [make_person(first_name=name) for name in ("Ada", "Grace", "Otto")]
    api = api_for(scope_of(connection.owner, connection))
    for one, dept in zip(made, (department, department, "Elsewhere"), strict=True):
        api.users.update(one.id, UserUpdate(dept=dept))
        users.put(connection, one.details())
    return made


@pytest.fixture
def client(connection: Connection, department: str) -> Client:
    colleague: User = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(connection, colleague, departments=[department])
    return admin_client_for(colleague)


def test_forged_ids_are_not_planned_and_leavers_unchanged(
    connection: Connection, client: Client, people: list[Made], work: Work
):
    ada, grace, otto = people
    form = chosen(ada, grace, otto, timezone="Asia/Tokyo")
    job = work(drafted(client, connection, "time-zone", form))
    assert job.state == JobState.PLANNED, job.reason
    assert {item.object_id for item in job.items.all()} == {ada.id, grace.id}
    MirroredUser.objects.filter(user_id=grace.id).update(dept="Elsewhere")
    approve(job)
    job = work(job)
    states = dict(job.items.values_list("object_id", "state"))
    assert states == {ada.id: ItemState.DONE, grace.id: ItemState.FAILED}
    assert ada.now()["timezone"] == "Asia/Tokyo"
    assert grace.now()["timezone"] != "Asia/Tokyo"
    assert otto.now()["timezone"] != "Asia/Tokyo"


def test_all_that_match_are_those_of_the_department(
    connection: Connection, client: Client, people: list[Made], work: Work
):
    ada, grace, _ = people
    form = {"all": "1", "matching": "", "timezone": "Asia/Tokyo"}
    job = work(drafted(client, connection, "time-zone", form))
    assert {item.object_id for item in job.items.all()} == {ada.id, grace.id}
