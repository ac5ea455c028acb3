"""A colleague who sees a part of the account adds people into it: creating and placing are one act,
and who got no place stays visible to their maker alone."""

from datetime import UTC, datetime
from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.models import Connection, Share
from portal.access.roles import Role
from portal.access.scope import Outside
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.contract.groups import Group
from portal.contract.users import CreateAction, LicenceType, NewUser, NewUserInfo, UserUpdate
from portal.directory import groups, users
from portal.directory.models import GroupKind, MirroredUser, UnplacedPerson
from portal.people.models import OnboardingTemplate
from portal.people.services.groups import GROUPS
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

EMAIL = "user_info.email"


@pytest.fixture
def department():
    return f"Physics {token_hex(4)}"


@pytest.fixture
def colleague():
    return member("dean@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def shared(connection, colleague, department):
    """The connection, shared for one department."""
    share_with(connection, colleague, departments=[department])
    return connection


@pytest.fixture
def other(connection, department):
    """Another colleague, limited in the same way."""
    made = member("other@example.com", Role.ADMINISTRATOR)
    share_with(connection, made, departments=[department])
    return made


@pytest.fixture
def client(colleague):
    return admin_client_for(colleague)


@pytest.fixture
def email():
    return f"{token_hex(6)}@brightwater.example"


def _url(connection):
    return reverse("people:create", args=[connection.key])


def _form(client, connection, email):
    form = form_with(client.get(_url(connection)).content.decode(), "idempotency_key")
    form.values |= {
        "action": "custCreate",
        EMAIL: email,
        "user_info.first_name": "Grace",
        "user_info.last_name": "Hopper",
        "user_info.type": "1",
    }
    return form


def _sends_nothing(client, connection, values):
    before = AuditEntry.objects.count()
    assert client.post(_url(connection), values).status_code == 422
    assert AuditEntry.objects.count() == before


def _offered(client, connection, name):
    field = client.get(_url(connection)).context["form"][name]
    return [key for key, _words in field.field.choices if key], field.value()


def test_form_offers_own_departments_and_creates_person_in_one(
    client, shared, sandbox, department, email
):
    connection = shared
    assert _offered(client, connection, "dept") == ([department], department)
    form = _form(client, connection, email)
    said = text_of(client.post(_url(connection), form.values, follow=True).content.decode())
    assert "Grace Hopper was created." in said
    assert "no department and no group" not in said
    assert sandbox.client.get(f"/users/{email}").json()["dept"] == department
    assert not UnplacedPerson.objects.exists()
    client.post(_url(connection), form.values)  # the same form again
    assert AuditEntry.objects.filter(operation="users.create", outcome="begun").count() == 1


def test_foreign_or_missing_department_sends_nothing(client, shared, email, make_group):
    connection, share = shared, Share.objects.get()
    share.departments = [*share.departments, "Chemistry"]
    share.save()
    assert _offered(client, connection, "dept")[1] == ""
    form = _form(client, connection, email)
    foreign = make_group(GROUPS)
    _sends_nothing(client, connection, form.values | {"dept": "Elsewhere"})
    _sends_nothing(client, connection, form.values | {"dept": ""})
    values = form.values | {"dept": "Chemistry", "groups": [foreign.id]}
    assert "groups" not in client.get(_url(connection)).context["form"].fields
    client.post(_url(connection), values)
    assert foreign.members() == set()


@pytest.fixture
def unplaced(client, shared, email, make_group):
    """The id of a person whose only group was gone when they were created."""
    connection, group = shared, make_group()
    groups.put(connection, GroupKind.GROUP, Group(id=group.id, name=group.name))
    Share.objects.update(groups=[group.id])
    group.delete()
    form = _form(client, connection, email)
    values = form.values | {"groups": [group.id]}
    said = text_of(client.post(_url(connection), values, follow=True).content.decode())
    assert f"without: group {group.name} (Not found on the service)." in said
    assert "no department and no group yet" in said
    return MirroredUser.objects.get(connection=connection, email=email).user_id


def test_unplaced_person_is_visible_to_maker_alone_until_placed(
    client, connection, department, unplaced, other
):
    user_id, email = unplaced, MirroredUser.objects.get(user_id=unplaced).email
    page = reverse("people:person", args=[connection.key, user_id])
    assert admin_client_for(other).get(page).status_code == 404
    lists = reverse("people:list", args=[connection.key])
    assert email not in admin_client_for(other).get(lists).content.decode()
    assert email in client.get(lists).content.decode()
    place = reverse("people:place", args=[connection.key, user_id])
    assert client.post(place, {"dept": "Elsewhere"}).status_code == 422
    for _ in range(2):  # sent again, it leads to the person
        answered = client.post(place, {"dept": department})
        assert answered.url == page
    assert not UnplacedPerson.objects.exists()
    assert "no department and no group yet" not in client.get(page).content.decode()
    assert admin_client_for(other).get(page).status_code == 200


def test_home_leads_maker_to_people_without_department(
    client, connection, department, unplaced, other
):
    line = "1 person whom you added has no department or group yet"
    home = client.get("/").content.decode()
    assert line in text_of(home)
    lists = f"{reverse('people:list', args=[connection.key])}?place=none"
    assert lists in home
    assert [row.record.user_id for row in client.get(lists).context["page"]] == [unplaced]
    for user in (other, connection.owner):
        assert line not in text_of(admin_client_for(user).get("/").content.decode())
    place = reverse("people:place", args=[connection.key, unplaced])
    client.post(place, {"dept": department})
    assert line not in text_of(client.get("/").content.decode())
    assert unplaced not in client.get(lists).content.decode()


def test_person_moved_elsewhere_by_owner_is_nothing_to_maker(client, connection, unplaced):
    user_id = unplaced
    api_for(scope_of(connection.owner, connection)).users.update(
        user_id, UserUpdate(dept="Elsewhere")
    )
    users.put(connection, api_for(scope_of(connection.owner, connection)).users.get(user_id))
    page = reverse("people:person", args=[connection.key, user_id])
    assert client.get(page).status_code == 404
    MirroredUser.objects.filter(user_id=user_id).update(dept="")  # and not again after that
    assert client.get(page).status_code == 404


def test_taken_address_makes_its_person_visible_to_nobody(client, shared, colleague, make_person):
    person, connection = make_person(), shared
    api = api_for(scope_of(colleague, connection))
    form = _form(client, connection, person.email)
    assert client.post(_url(connection), form.values).status_code == 422
    assert not UnplacedPerson.objects.exists()
    with pytest.raises(Outside):
        api.users.get(person.email)


@pytest.fixture
def behind(connect, administrator, fault_server, colleague, department):
    """A connection to the fault server, shared for a department."""
    connection = connect(administrator, "Faulty")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    connection.refresh_from_db()
    share_with(connection, colleague, departments=[department])
    return connection


def _reported(status, **values):
    return pytest.param(values, status, id=" ".join(values) or "theirs")


@pytest.mark.parametrize(
    ("reported", "status"),
    [
        _reported(303),
        _reported(422, created_at="2020-01-01T00:00:00Z"),
        _reported(422, dept="Elsewhere"),
        _reported(422, group_ids=["g-1"]),
    ],
)
def test_unanswered_creation_is_found_if_it_was_theirs(
    client, behind, fault_server, reported, status
):
    email = f"{token_hex(6)}@brightwater.example"
    created_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    user = {"id": "u-1", "email": email, "created_at": created_at, **reported}
    fault_server.then(answer(200, {"users": []}))
    list(api_for(scope_of(behind.owner, behind)).users.list.pages())  # which tells its clock
    form = _form(client, behind, email)
    fault_server.then(no_answer())
    assert client.post(_url(behind), form.values).status_code == 422

    def service(seen):
        if seen.path.endswith("/email"):
            return answer(200, {"existed_email": True})
        return answer(204 if seen.method == "PATCH" else 200, user)

    fault_server.always(depending(service))
    look = reverse("people:create-look", args=[behind.key])
    assert client.post(look, form.values).status_code == status
    seen = MirroredUser.objects.filter(connection=behind, user_id="u-1").exists()
    assert seen == (status == 303)


def test_creation_over_the_api_is_of_nobody_but_its_maker(connection, colleague, department, email):
    share_with(connection, colleague, departments=[department])
    other = member("other@example.com", Role.ADMINISTRATOR)
    share_with(connection, other, departments=[department])
    info = NewUserInfo(email=email, type=LicenceType.BASIC)
    wanted = NewUser(action=CreateAction.CUST_CREATE, user_info=info)
    api = api_for(scope_of(colleague, connection))
    created = api.users.create(wanted)
    assert api.users.get(created.id).email == email
    with pytest.raises(Outside):
        api_for(scope_of(other, connection)).users.get(created.id)


def test_templates_of_own_departments_alone_are_offered(client, shared, department, make_person):
    connection, stranger = shared, make_person()
    for name, departments, assistants in (
        ("Own", [department], []),
        ("Of two", [department, "Elsewhere"], []),
        ("Of all", [], []),
        ("With a stranger", [department], [[stranger.id, "Otto Without"]]),
    ):
        OnboardingTemplate.objects.create(
            connection=connection,
            name=name,
            departments=departments,
            licence=2,
            groups=[],
            im_groups=[],
            assistants=assistants,
            settings={},
        )
    shown = client.get(reverse("people:onboarding", args=[connection.key]))
    assert [str(one) for one, _effects, _gone in shown.context["rows"]] == ["Own"]
    assert "Otto Without" not in shown.content.decode()
    new = reverse("people:onboarding-new", args=[connection.key])
    assert client.get(new).status_code == 403
    offered = client.get(_url(connection)).context["form"].fields["template"].choices
    assert "Own" in dict(offered).values()
    assert len(offered) == 3
