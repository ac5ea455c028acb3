"""Sharing a connection: by its owner alone, with the token hidden, and over at once."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.reading import visible_to
from portal.connections.services import shares
from portal.team import accounts
from tests.support.html import text_of
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(administrator):
    return admin_client_for(administrator)


@pytest.fixture
def shared(connection, operator):
    """The administrator's connection, shared with the operator as an operator."""
    return give(connection, operator)


def give(connection, user, role=Role.OPERATOR):
    origin, seen = Origin(connection.owner), shares.version_of(connection)
    return shares.give(origin, connection, user, role, seen=seen, limits={})


def url(name, connection, *more):
    return reverse(f"connections:{name}", args=[connection.key, *more])


def filled(connection, **data):
    return {"seen": shares.version_of(connection), **data}


def said(response):
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def read(response):
    """Returns the text of a page."""
    return text_of(response.content.decode())


def last_entry():
    return AuditEntry.objects.order_by("-sequence")[0]


def people_of(connection):
    return reverse("people:list", args=[connection.key])


def test_an_owner_shares_a_connection_with_a_colleague(owner, connection, operator):
    data = filled(connection, user=operator.pk, role=Role.OPERATOR)
    response = owner.post(url("share-new", connection), data)
    assert response["Location"] == url("connection", connection)
    assert said(response).strip() == "Sandbox is shared with Operator."
    assert admin_client_for(operator).get(people_of(connection)).status_code == 200
    entry = last_entry()
    assert (entry.operation, entry.object_id) == (Act.CONNECTION_SHARED, connection.key)
    assert entry.sent == {"colleague": operator.email, "role": "operator"}


def test_it_says_where_the_own_role_of_the_colleague_is_less(owner, connection, viewer):
    data = filled(connection, user=viewer.pk, role=Role.ADMINISTRATOR)
    words = said(owner.post(url("share-new", connection), data))
    assert words.endswith("Their own role limits them to what a viewer can do.")
    assert "Limited to Viewer" in read(owner.get(url("connection", connection)))


def test_nobody_gives_more_than_they_have(connect, operator, viewer):
    connection = connect(operator)
    data = filled(connection, user=viewer.pk, role=Role.ADMINISTRATOR)
    response = admin_client_for(operator).post(url("share-new", connection), data)
    assert response.status_code == 422
    assert not connection.shares.exists()


def test_share_of_lowered_owner_allows_no_more_than_they_may(shared, administrator, operator):
    administrator.role = Role.VIEWER
    administrator.save()
    scope = scope_of(operator, Connection.objects.get(pk=shared.connection.pk))
    assert scope.role == Role.VIEWER


@pytest.mark.parametrize("name", ["share-new", "share", "share-remove", "hand-over"])
def test_sharing_takes_a_fresh_proof_of_identity(name, shared, administrator):
    more = [shared.user.pk] if name in {"share", "share-remove"} else []
    stale = admin_client_for(administrator, recently=False)
    response = stale.post(url(name, shared.connection, *more), filled(shared.connection))
    assert "reauthenticate" in response["Location"]
    assert Share.objects.filter(pk=shared.pk, role=Role.OPERATOR).exists()


@pytest.mark.parametrize("name", ["share-new", "share", "share-remove", "hand-over"])
def test_colleagues_share_nothing_themselves(name, shared, operator):
    more = [operator.pk] if name in {"share", "share-remove"} else []
    client = admin_client_for(operator)
    for send in (client.get, client.post):
        assert send(url(name, shared.connection, *more)).status_code == 404


@pytest.mark.parametrize("name", ["connection", "test", "remove"])
def test_colleagues_change_test_and_remove_nothing(name, shared, operator):
    data = {"name": "Mine now", "base_url": "https://elsewhere.example/v2", "colour": "red"}
    response = admin_client_for(operator).post(url(name, shared.connection), data)
    assert response.status_code == 404
    assert Connection.objects.get(pk=shared.connection.pk).name == "Sandbox"


def test_a_colleague_sees_whose_it_is_and_not_how_it_is_reached(shared, operator):
    client = admin_client_for(operator)
    page = read(client.get(url("connection", shared.connection)))
    assert "Administrator administrator@example.com" in page
    listing = read(client.get(reverse("connections:list")))
    assert "Shared by Administrator" in listing
    for text in (page, listing):
        assert shared.connection.base_url not in text
        assert shared.connection.token_hint not in text


@pytest.mark.whole_pages
def test_two_connections_of_one_name_are_told_apart(connect, shared, operator):
    connect(operator, "Sandbox")
    client = admin_client_for(operator)
    menu = read(client.get(reverse("accounts-switch")))
    assert menu.count("Shared by Administrator") == 1
    assert "Shared by Administrator" in read(client.get("/"))


def test_the_role_on_it_is_changed(owner, shared):
    here = url("share", shared.connection, shared.user.pk)
    owner.post(here, filled(shared.connection, role=Role.VIEWER))
    shared.refresh_from_db()
    assert shared.role == Role.VIEWER
    entry = last_entry()
    assert entry.sent == {"colleague": shared.user.email, "role": "viewer"}
    assert entry.before == {"role": "operator"}


def test_the_next_request_after_it_is_taken_back_finds_nothing(owner, shared, operator):
    colleague = admin_client_for(operator)
    assert colleague.get(people_of(shared.connection)).status_code == 200
    here = url("share-remove", shared.connection, operator.pk)
    assert "Take back the access of Operator?" in read(owner.get(here))
    owner.post(here, filled(shared.connection))
    assert colleague.get(people_of(shared.connection)).status_code == 404
    assert colleague.get(url("connection", shared.connection)).status_code == 404
    assert last_entry().operation == Act.SHARE_TAKEN_BACK


def test_a_form_that_is_sent_again_does_not_share_again(owner, connection, operator):
    data = filled(connection, user=operator.pk, role=Role.OPERATOR)
    owner.post(url("share-new", connection), data)
    owner.post(url("share-remove", connection, operator.pk), filled(connection))
    response = owner.post(url("share-new", connection), data)
    assert "has changed since you opened this page" in read(response)
    assert not connection.shares.exists()


def test_a_second_tab_changes_nothing_that_it_does_not_show(owner, shared):
    before = filled(shared.connection, role=Role.ADMINISTRATOR)
    here = url("share", shared.connection, shared.user.pk)
    owner.post(here, filled(shared.connection, role=Role.VIEWER))
    assert owner.post(here, before).status_code == 422
    shared.refresh_from_db()
    assert shared.role == Role.VIEWER


def test_a_colleague_leaves(shared, operator):
    client = admin_client_for(operator)
    assert "Leave Sandbox?" in read(client.get(url("leave", shared.connection)))
    client.post(url("leave", shared.connection))
    assert scope_of(operator, shared.connection).is_nothing
    assert last_entry().operation == Act.SHARE_LEFT


def test_an_owner_cannot_leave_their_own(owner, connection):
    assert owner.post(url("leave", connection)).status_code == 404


def test_a_connection_is_handed_over_with_its_token(owner, shared, operator):
    connection, sealed = shared.connection, shared.connection.sealed_token
    data = filled(connection, to=operator.pk, name="Main", keeps=Role.VIEWER)
    owner.post(url("hand-over", connection), data)
    connection.refresh_from_db()
    assert (connection.owner, connection.name) == (operator, "Main")
    assert connection.sealed_token == sealed
    assert [each.user.email for each in connection.shares.all()] == ["administrator@example.com"]
    entry = last_entry()
    assert entry.operation == Act.CONNECTION_HANDED_OVER
    assert entry.before == {"owner": "administrator@example.com", "name": "Sandbox"}
    page = read(admin_client_for(operator).get(url("connection", connection)))
    assert "Shared with" in page


def test_the_former_owner_keeps_nothing_unless_it_is_asked_for(owner, shared, operator):
    data = filled(shared.connection, to=operator.pk, name="Sandbox", keeps="")
    owner.post(url("hand-over", shared.connection), data)
    assert owner.get(people_of(shared.connection)).status_code == 404


def test_a_name_that_the_new_owner_has_already_is_said(owner, connect, shared, operator):
    connect(operator, "Sandbox")
    data = filled(shared.connection, to=operator.pk, name="Sandbox", keeps="")
    response = owner.post(url("hand-over", shared.connection), data)
    assert response.status_code == 422
    assert "already has a connection named Sandbox" in read(response)
    assert Connection.objects.get(pk=shared.connection.pk).owner != operator


def test_it_is_handed_over_only_to_a_colleague_who_has_it(owner, shared, viewer):
    data = filled(shared.connection, to=viewer.pk, name="Sandbox", keeps="")
    assert owner.post(url("hand-over", shared.connection), data).status_code == 422


def test_what_a_deactivated_owner_had_is_handed_over_afterwards(owner, connect, operator, viewer):
    connection = connect(operator, "Theirs")
    give(connection, viewer, Role.VIEWER)
    page = owner.get(reverse("team:member-deactivate", args=[operator.pk]))
    assert "Theirs is shared with Viewer, who lose it immediately." in read(page)
    accounts.deactivate(Origin(User.objects.get(email="administrator@example.com")), operator)
    there = url("hand-over", connection)
    assert there in owner.get(reverse("team:member", args=[operator.pk])).content.decode()
    owner.post(there, filled(connection, to=viewer.pk, name="Theirs", keeps=""))
    assert Connection.objects.get(pk=connection.pk).owner == viewer
    assert last_entry().email == "administrator@example.com"


def test_a_deactivated_owner_closes_it_to_everybody(owner, connect, operator, viewer):
    connection = connect(operator)
    give(connection, viewer, Role.VIEWER)
    colleague = admin_client_for(viewer)
    assert colleague.get(people_of(connection)).status_code == 200
    accounts.deactivate(Origin(User.objects.get(email="administrator@example.com")), operator)
    assert colleague.get(people_of(connection)).status_code == 404
    assert "Hand over" in read(owner.get(reverse("team:member", args=[operator.pk])))


def test_share_of_a_deactivated_colleague_says_so(owner, connect, viewer):
    connection = connect(User.objects.get(email="administrator@example.com"), "Lent")
    give(connection, viewer, Role.VIEWER)
    page = owner.get(reverse("team:member-deactivate", args=[viewer.pk]))
    assert "What others share with them stays shared" in read(page)
    accounts.deactivate(Origin(connection.owner), viewer)
    assert "Viewer Deactivated" in read(owner.get(url("connection", connection)))
    activate = reverse("team:member-activate", args=[viewer.pk])
    answer = owner.post(activate, follow=True)
    assert "They have access again to: Lent." in read(answer)


def test_the_owner_sees_in_the_trail_what_colleagues_did(connect, operator, viewer):
    connection = connect(operator)
    share = give(connection, viewer, Role.VIEWER)
    shares.leave(Origin(viewer, email=viewer.email), share)
    lines = visible_to(operator).filter(operation=Act.SHARE_LEFT)
    assert [line.email for line in lines] == [viewer.email]
    assert not visible_to(viewer).filter(operation=Act.CONNECTION_SHARED).exists()
