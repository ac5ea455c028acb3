"""A connection shared for a department finds, reads and changes only people within it: on every
page, in every job, and by every request."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.roles import Role, RoleRefused
from portal.access.scope import Outside
from portal.audit.guards import Protected
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.contract.delegates import Delegate, DelegateList
from portal.contract.groups import GroupUpdate, NewMembers
from portal.contract.problems import PersonReference
from portal.contract.users import (
    RemovalAction,
    UserQuery,
    UserRemoval,
    UserUpdate,
)
from portal.directory import groups, users
from portal.directory.models import GroupKind
from portal.people.services.groups import GROUPS
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def department():
    return f"Sales {token_hex(4)}"


@pytest.fixture
def inside(make_person, sandbox, department, connection):
    made = make_person(first_name="Inge", last_name="Within")
    _move(sandbox, connection, made, department)
    return made


@pytest.fixture
def outside(make_person, sandbox, connection):
    made = make_person(first_name="Otto", last_name="Without")
    _move(sandbox, connection, made, "Elsewhere")
    return made


def _move(sandbox, connection, person, dept):
    api_for(scope_of(connection.owner, connection)).users.update(person.id, UserUpdate(dept=dept))
    users.put(connection, person.details())


@pytest.fixture
def colleague(connection, department):
    made = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(connection, made, departments=[department])
    return made


@pytest.fixture
def api(connection, colleague):
    return api_for(scope_of(colleague, connection))


@pytest.fixture
def client(colleague):
    return admin_client_for(colleague)


def test_people_of_the_department_are_read_and_changed(api, inside):
    assert api.users.get(inside.id).email == inside.email
    assert api.users.get(inside.email).id == inside.id
    api.users.update(inside.id, UserUpdate(language="de-DE"))
    assert inside.now()["language"] == "de-DE"


def test_nobody_else_is_read_or_changed_and_nothing_is_sent(api, outside):
    before, entries = outside.now(), AuditEntry.objects.count()
    with pytest.raises(Outside):
        api.users.get(outside.id)
    with pytest.raises(Outside):
        api.users.get(outside.email)
    with pytest.raises(Outside):
        api.users.settings(outside.id)
    with pytest.raises(Outside):
        api.users.update(outside.id, UserUpdate(language="de-DE"))
    with pytest.raises(Outside):
        api.users.delete(outside.id, UserRemoval(action=RemovalAction.DISASSOCIATE))
    with pytest.raises(Outside):
        api.meetings.of_user(outside.id)
    assert outside.now() == before
    assert AuditEntry.objects.count() == entries


def test_the_list_of_people_is_narrowed_where_the_call_is_made(api, inside, outside):
    found = {user.id for user in api.users.list.all(UserQuery())}
    assert found == {inside.id}


def test_nobody_is_moved_out_of_the_department(api, inside, department):
    with pytest.raises(Protected, match="would leave"):
        api.users.update(inside.id, UserUpdate(dept="Elsewhere"))
    api.users.update(inside.id, UserUpdate(dept=department, language="de-DE"))
    assert inside.now()["dept"] == department


def test_what_somebody_leaves_goes_to_nobody_outside(api, inside, outside):
    removal = UserRemoval(transfer_email=outside.email, transfer_meeting=True)
    with pytest.raises(Protected, match=outside.email):
        api.users.delete(inside.id, removal)
    assert inside.now()


def test_nobody_outside_becomes_an_assistant_or_is_listed_as_one(
    api, connection, inside, outside, make_person
):
    wanted = DelegateList(assistants=[Delegate(id=outside.id)])
    with pytest.raises(Protected, match=outside.id):
        api.assistants.add(inside.id, wanted)
    by_email = DelegateList(assistants=[Delegate(email=outside.email)])
    with pytest.raises(Protected, match=outside.email):
        api.assistants.add(inside.id, by_email)
    api_for(scope_of(connection.owner, connection)).assistants.add(inside.id, wanted)
    assert api.assistants.list(inside.id).assistants == []


@pytest.fixture
def group(make_group, connection, inside, outside):
    made = make_group(GROUPS)
    made.put(inside, outside)
    groups.join(connection, GroupKind.GROUP, made.id, [inside.id, outside.id])
    return made


def test_of_a_group_those_of_the_department_are_members(api, group, inside, outside, make_group):
    assert [one.id for one in api.groups.members(group.id).members] == [inside.id]
    other = make_group(GROUPS)
    assert other.id not in {one.id for one in api.groups.list().groups}
    with pytest.raises(Outside):
        api.groups.members(other.id)
    with pytest.raises(Outside):
        api.groups.remove_member(group.id, outside.id)
    with pytest.raises(RoleRefused):
        api.groups.update(group.id, GroupUpdate(name="Another"))


def test_nobody_outside_is_put_into_a_group(api, group, make_person, sandbox):
    stranger = make_person()
    with pytest.raises(Protected, match=stranger.id):
        api.groups.add_members(group.id, NewMembers(members=[PersonReference(id=stranger.id)]))
    assert stranger.id not in group.members()


def test_whoever_is_within_by_a_group_stays_in_it(connection, group, outside, inside):
    lead = member("lead@example.com", Role.ADMINISTRATOR)
    share_with(connection, lead, groups=[group.id])
    api = api_for(scope_of(lead, connection))
    assert api.users.get(outside.id)
    with pytest.raises(Protected, match="would leave"):
        api.groups.remove_member(group.id, inside.id)
    assert group.members() == {inside.id, outside.id}


def test_whoever_was_moved_out_is_outside_from_the_next_call(api, sandbox, connection, inside):
    assert api.users.get(inside.id)
    _move(sandbox, connection, inside, "Elsewhere")
    with pytest.raises(Outside):
        api.users.get(inside.id)


def test_the_page_of_somebody_outside_is_not_there(client, connection, inside, outside):
    key = connection.key
    assert client.get(reverse("people:person", args=[key, inside.id])).status_code == 200
    answer = client.get(reverse("people:person", args=[key, outside.id]))
    assert answer.status_code == 404
    assert outside.email not in answer.content.decode()


def test_list_search_and_export_show_department_alone(client, connection, inside, outside):
    key = connection.key
    for url in (
        reverse("people:list", args=[key]),
        reverse("people:export", args=[key, "csv"]),
        f"{reverse('mirror:search', args=[key])}?q=with",
    ):
        answer = client.get(url)
        assert answer.status_code == 200
        content = b"".join(answer) if answer.streaming else answer.content
        assert inside.email.encode() in content, url
        assert outside.email.encode() not in content, url


def test_pages_say_limits_and_offer_nothing_outside(client, connection, inside, department):
    answer = client.get(reverse("people:list", args=[connection.key])).content.decode()
    assert f"Limited to {department}" in answer
    assert "Save view" not in answer
    owners = admin_client_for(connection.owner).get(reverse("people:list", args=[connection.key]))
    assert "Limited to" not in owners.content.decode()
    assert "Save view" in owners.content.decode()


def test_the_trail_of_others_over_the_connection_is_not_shown(client, connection, outside):
    api_for(scope_of(connection.owner, connection)).users.update(
        outside.id, UserUpdate(language="de-DE")
    )
    for name, args in (("audit:trail", []), ("audit-export", ["jsonl"])):
        name_of_theirs = outside.email.partition("@")[0]
        assert name_of_theirs not in client.get(reverse(name, args=args)).getvalue().decode()
        owners = admin_client_for(connection.owner).get(reverse(name, args=args))
        assert name_of_theirs in owners.getvalue().decode()
