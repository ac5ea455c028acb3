"""Jobs over a connection shared for a department: no selected person outside of it is planned, and
no person who has left it before the job runs is changed."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Share, User
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.contract.users import UserUpdate
from portal.directory import users
from portal.directory.models import MirroredUser, UnplacedPerson
from portal.directory.scope_rules import visible_people
from portal.imports import sheets
from portal.jobs.models import ItemState, JobState
from portal.people.imports.columns import mapping_of, names_in
from portal.people.imports.jobs import draft
from tests.people.importing import approved, new_email, states, table_of
from tests.people.test_chosen import chosen, drafted
from tests.support.jobs import approve
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

# What is checked at a call is read by the threads of the job.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def department():
    return f"Sales {token_hex(4)}"


@pytest.fixture
def people(connection, make_person, department):
    """Two of the department, and one who is not."""
    made = [make_person(first_name=name) for name in ("Ada", "Grace", "Otto")]
    api = api_for(scope_of(connection.owner, connection))
    for one, dept in zip(made, (department, department, "Elsewhere"), strict=True):
        api.users.update(one.id, UserUpdate(dept=dept))
        users.put(connection, one.details())
    return made


@pytest.fixture
def client(connection, department):
    colleague: User = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(connection, colleague, departments=[department])
    return admin_client_for(colleague)


def test_forged_ids_are_not_planned_and_leavers_unchanged(connection, client, people, work):
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


def test_all_that_match_are_those_of_the_department(connection, client, people, work):
    ada, grace, _ = people
    form = {"all": "1", "matching": "", "timezone": "Asia/Tokyo"}
    job = work(drafted(client, connection, "time-zone", form))
    assert {item.object_id for item in job.items.all()} == {ada.id, grace.id}


@pytest.fixture
def table(connection, people, department):
    """`table({"email": …}, …, dept=…)` is the job of an import by the colleague."""
    colleague = User.objects.get(email="colleague@example.com")

    def make(*rows, **values):
        read = sheets.read(table_of(*rows))
        mapping = mapping_of(names_in(read.headers), read.headers, **values)
        return draft(Origin(colleague), connection, read, mapping, name="people.csv")

    return make


def test_imported_people_are_put_into_the_department(client, sandbox, table, work, department):
    emails = [new_email() for _ in range(2)]
    rows = [{"email": emails[0], "dept": department}, {"email": emails[1]}]
    job = work(table(*rows, dept=department, way="custCreate"))
    assert states(job) == [(row, "create", ItemState.PENDING) for row in (2, 3)]
    job = work(approved(job))
    assert {state for _, _, state in states(job)} == {ItemState.DONE}
    for email in emails:
        assert sandbox.client.get(f"/users/{email}").json()["dept"] == department
    assert not UnplacedPerson.objects.exists()
    ids = set(job.items.values_list("object_id", flat=True))
    assert ids <= set(visible_people(job.scope).values_list("user_id", flat=True))


def test_rows_outside_of_the_department_are_problems(client, people, table, work, department):
    ada, _, otto = people
    job = work(
        table(
            {"email": new_email(), "dept": "Elsewhere"},
            {"email": new_email()},
            {"email": otto.email, "dept": department},
            {"email": otto.email.upper(), "action": "update", "dept": department},
            {"email": new_email(), "action": "deactivate"},
            {"email": ada.email, "dept": "Elsewhere"},
        )
    )
    assert {state for _, _, state in states(job)} == {ItemState.INVALID}
    assert [words for item in job.items.all() for _column, words in item.problems] == [
        "This department is not one of yours.",
        "A new person needs a department or a group of yours.",
        "This email is in use, and not by one of your people.",
        "Row 4 has the same: " + otto.email + ".",
        "This is not one of your people.",
        "This is not one of your people.",
        "This department is not one of yours.",
    ]
    assert "icences" not in str(job.notes)


def test_share_limited_after_approval_creates_nobody(client, connection, table, work, department):
    email = new_email()
    job = work(table({"email": email, "dept": department}))
    approve(job)
    Share.objects.update(departments=["Elsewhere"])
    job = work(job)
    assert job.items.get().state == ItemState.FAILED
    assert not AuditEntry.objects.filter(operation="users.create").exists()


def test_import_page_offers_own_departments_and_no_licences(client, connection, department):
    url = reverse("people:import", args=[connection.key])
    assert "people/import/licences/" not in client.get(url).content.decode()
    uploaded = client.post(url, {"text": f"email\n{new_email()}", "encoding": "", "file": ""})
    form = client.get(uploaded.url).context["form"]
    assert dict(form.fields["dept"].choices).keys() == {"", department}
    assert form["dept"].value() == department
    seats = reverse("people:import-seats", args=[connection.key])
    assert client.get(seats).status_code == client.post(seats, {"pro": "5"}).status_code == 403
