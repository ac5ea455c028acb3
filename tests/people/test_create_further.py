"""Creating a person with what the creation does not take: department, time zone and groups."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.contract.groups import Group, ImGroup
from portal.directory import groups as mirror
from portal.directory.models import GroupKind, MirroredUser
from portal.people.services.groups import IM_GROUPS
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db

EMAIL = "user_info.email"


def _url(connection):
    return reverse("people:create", args=[connection.key])


def _form(client, connection, email):
    form = form_with(client.get(_url(connection)).content.decode(), "idempotency_key")
    form.values |= {
        "action": "custCreate",
        EMAIL: email,
        "user_info.first_name": "Grace",
        "user_info.last_name": "Hopper",
        "user_info.type": "2",
    }
    return form


def _send(client, connection, form, **more):
    """Returns the text of the page that the form leads to."""
    answered = client.post(_url(connection), form.values | more, follow=True)
    return text_of(answered.content.decode())


@pytest.fixture
def email():
    """An address without a holder."""
    return f"{token_hex(6)}@brightwater.example"


@pytest.fixture
def groups(make_group):
    return make_group(), make_group(IM_GROUPS)


def test_all_of_it_is_set_after_the_creation(client, connection, sandbox, email, groups):
    group, im_group = groups
    form = _form(client, connection, email)
    said = _send(
        client,
        connection,
        form,
        dept="Cryptography",
        timezone="Europe/Berlin",
        groups=[group.id],
        im_groups=[im_group.id],
    )
    assert "Grace Hopper was created." in said
    assert "without:" not in said
    created = sandbox.client.get(f"/users/{email}").json()
    assert (created["dept"], created["timezone"]) == ("Cryptography", "Europe/Berlin")
    assert group.members() == im_group.members() == {created["id"]}
    row = MirroredUser.objects.get(connection=connection, email=email)
    assert (row.dept, row.timezone) == ("Cryptography", "Europe/Berlin")
    assert (row.group_ids, row.im_group_ids) == ([group.id], [im_group.id])
    sent = AuditEntry.objects.get(operation="users.create", outcome="begun").sent
    assert "dept" not in str(sent)


def test_where_nothing_more_is_filled_in_nothing_more_is_sent(client, connection, email):
    _send(client, connection, _form(client, connection, email))
    written = set(AuditEntry.objects.filter(outcome="begun").values_list("operation", flat=True))
    assert written == {"users.create"}


def test_unknown_time_zone_is_reported_before_creation(client, connection, email):
    form = _form(client, connection, email)
    answered = client.post(_url(connection), form.values | {"timezone": "Europe/Atlantis"})
    assert answered.status_code == 422
    kept = form_with(answered.content.decode(), "idempotency_key").values
    assert kept["timezone"] == "Europe/Atlantis"
    assert not AuditEntry.objects.filter(operation="users.create").exists()


def test_group_that_is_gone_is_named_and_person_stays_created(
    client, connection, sandbox, email, groups
):
    gone, im_group = groups
    gone.delete()
    form = _form(client, connection, email)
    said = _send(client, connection, form, groups=[gone.id], im_groups=[im_group.id], dept="Legal")
    assert f"without: group {gone.name} (Not found on the service)." in said
    created = sandbox.client.get(f"/users/{email}").json()
    assert created["dept"] == "Legal"
    assert im_group.members() == {created["id"]}


def test_a_group_that_is_not_offered_is_an_error_of_the_form(client, connection, email):
    form = _form(client, connection, email)
    answered = client.post(_url(connection), form.values | {"groups": ["never-made"]})
    assert answered.status_code == 422
    assert "This group is not on the account any more." in text_of(answered.content.decode())
    assert not AuditEntry.objects.filter(operation="users.create").exists()


@pytest.fixture
def behind(connect, administrator, fault_server):
    """A connection to the fault server, with two groups."""
    connection = connect(administrator, "Faulty")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    connection.refresh_from_db()
    mirror.put(connection, GroupKind.GROUP, Group(id="g1", name="Physics"))
    mirror.put(connection, GroupKind.IM_GROUP, ImGroup(id="g2", name="Chess"))
    return connection


def test_what_the_service_refuses_is_named_with_its_reason(client, behind, fault_server):
    user = {"id": "u-1", "email": "grace@brightwater.example"}

    def service(seen):
        if seen.method == "PATCH":
            return answer(400, {"code": 300, "message": "The department is too long."})
        return answer(201 if seen.method == "POST" else 200, user)

    fault_server.always(depending(service))
    form = _form(client, behind, user["email"])
    said = _send(client, behind, form, dept="Legal", timezone="Europe/Berlin")
    assert "was created" in said
    assert "without: department and time zone (The department is too long)." in said


def test_when_service_is_gone_after_creation_rest_is_not_tried(client, behind, fault_server):
    user = {"id": "u-1", "email": "grace@brightwater.example"}

    def service(seen):
        if seen.method == "PATCH":
            return no_answer()
        return answer(201 if seen.method == "POST" else 200, user)

    fault_server.always(depending(service))
    form = _form(client, behind, user["email"])
    said = _send(client, behind, form, dept="Legal", groups=["g1"], im_groups=["g2"])
    assert "without: department (" in said
    assert "group Physics (not tried), IM group Chess (not tried)." in said
    assert not [seen for seen in fault_server.requests if "members" in seen.path]


def test_creating_another_keeps_it(client, connection, email, groups):
    group, _ = groups
    form = _form(client, connection, email)
    more = {"dept": "Legal", "timezone": "Europe/Berlin", "groups": [group.id], "another": "yes"}
    html = client.post(_url(connection), form.values | more, follow=True).content.decode()
    again = form_with(html, "idempotency_key").values
    assert (again["dept"], again["timezone"]) == ("Legal", "Europe/Berlin")
    assert again["groups"] == group.id
    assert again[EMAIL] == ""


def test_somebody_who_was_created_after_all_gets_it_too(client, behind, fault_server):
    user = {"id": "u-1", "email": "grace@brightwater.example", "first_name": "Grace"}
    form = _form(client, behind, str(user["email"]))
    fault_server.then(no_answer())
    lost = client.post(_url(behind), form.values | {"dept": "Legal"}).content.decode()
    page = form_with(lost, "idempotency_key")
    assert page.values["dept"] == "Legal"

    def service(seen):
        data = {"existed_email": True} if seen.path.endswith("/users/email") else user
        return answer(204) if seen.method == "PATCH" else answer(200, data)

    fault_server.always(depending(service))
    client.post(page.buttons["Check if they exist"]["formaction"], page.values)
    [change] = [seen for seen in fault_server.requests if seen.method == "PATCH"]
    assert b"Legal" in change.body
