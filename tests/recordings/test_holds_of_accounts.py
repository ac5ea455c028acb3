"""A hold belongs to its account: what another service calls by the same ID is another recording."""

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.roles import Role
from portal.audit.guards import Protected
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.connections.services import connections
from portal.contract.users import RemovalAction
from portal.recordings import holds
from portal.recordings.models import Hold
from tests.recordings.made import mirrored
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db
REASON = "Court case 4711"


@pytest.fixture
def held(recorded):
    """The hold of a recording in an account that its service reports."""
    connection = recorded.connection
    Connection.objects.filter(pk=connection.pk).update(account_id="K")
    connection.refresh_from_db()
    holds.place(Origin(connection.owner), connection, [recorded], REASON, None)
    return Hold.objects.get()


@pytest.fixture(params=["EVIL", "K"])
def liar(request, held, fault_server):
    """A connection of a stranger to a service that reports the ID, and perhaps the account too."""
    stranger = member("stranger@example.com", Role.ADMINISTRATOR)
    made = Connection(owner=stranger, name="Evil", base_url=fault_server.url)
    connections.save(Origin(stranger), made, "token-of-the-evil-service")
    Connection.objects.filter(pk=made.pk).update(account_id=request.param)
    made.refresh_from_db()
    mirrored(made, held.uuid)
    return made


def url(connection, name, uuid):
    return reverse(f"recordings:{name}", args=[connection.key, uuid])


def test_hold_of_another_account_is_not_changed_nor_read(held, liar, recorded):
    browser = admin_client_for(liar.owner)
    for name in ("hold", "release"):
        answer = browser.get(url(liar, name, held.uuid))
        assert REASON not in answer.text
    assert browser.get(url(liar, "release", held.uuid)).status_code == 404
    assert browser.post(url(liar, "release", held.uuid), {"reason": "x"}).status_code == 404
    assert browser.post(url(liar, "hold", held.uuid), {"reason": "mine now"}).status_code == 303
    held.refresh_from_db()
    assert (held.reason, held.account_id, held.connection) == (REASON, "K", recorded.connection)
    assert browser.post(url(liar, "release", held.uuid), {"reason": "x"}).status_code == 303
    assert Hold.objects.get() == held
    [entry] = AuditEntry.objects.filter(operation="meetings.release_recording")
    assert entry.connection_key == liar.key
    with pytest.raises(Protected, match=REASON):
        api_for(scope_of(held.held_by, recorded.connection)).recordings.delete(held.uuid)


def test_hold_of_another_account_forbids_without_its_reason(held, liar):
    entry = AuditEntry(object_id=held.uuid, connection_key=liar.key)
    words = holds.forbids_deletion(entry)
    assert "over a connection to another account" in words
    assert REASON not in words


def test_transfer_over_another_account_moves_no_hold(held, liar):
    sent = {"transfer_email": "heir@evil.example", "transfer_recording": True}
    entry = AuditEntry(
        object_id=held.host_id,
        connection_key=liar.key,
        sent=sent,
        before={"account_id": "K", "action": RemovalAction.DELETE.value},
    )
    before = held.host_email
    assert not holds.forbids_removal(entry)
    held.refresh_from_db()
    assert held.host_email == before


def test_hold_is_released_over_another_connection_to_its_account(held, connect):
    other = connect(member("other@example.com", Role.ADMINISTRATOR))
    Connection.objects.filter(pk=other.pk).update(account_id="K")
    mirrored(other, held.uuid)
    browser = admin_client_for(other.owner)
    assert REASON in browser.get(url(other, "release", held.uuid)).text
    browser.post(url(other, "release", held.uuid), {"reason": "Settled"})
    assert not Hold.objects.exists()
    entries = AuditEntry.objects.filter(operation="meetings.release_recording")
    assert {entry.connection_key for entry in entries} == {other.key, held.connection.key}


def test_why_many_are_on_hold_is_read_as_for_one(held, django_assert_num_queries):
    connection = held.connection
    with django_assert_num_queries(2):
        assert len(holds.why_on_hold(connection, [held.uuid])) == 1
    more = [mirrored(connection, number) for number in range(20, 25)]
    holds.place(Origin(connection.owner), connection, more, REASON, None)
    with django_assert_num_queries(2):
        assert len(holds.why_on_hold(connection, [held.uuid, *(one.uuid for one in more)])) == 6
