"""Activating, deactivating and revoking tokens: asked first, with what happens."""

import pytest

from portal.audit.models import AuditEntry
from portal.contract.users import UserStatus
from portal.directory import users as mirror
from tests.support.html import form_with, text_of
from tests.support.people_pages import url
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def _ids(sandbox, status):
    return {user["id"] for user in sandbox.people(status)}


def test_a_person_is_deactivated_and_activated_again(client, connection, person, sandbox):
    address = url(connection, person, "status")
    asked = client.get(address).content.decode()
    assert "They can no longer sign in or start meetings." in text_of(asked)
    assert "This can be undone" in text_of(asked)
    assert "btn-danger" not in asked, "red is for what cannot be undone"
    done = client.post(address, form_with(asked, "action").values, follow=True)
    assert f"{person.name} is deactivated." in text_of(done.content.decode())
    assert person.id in _ids(sandbox, "inactive")
    assert mirror.status_of(whole(connection), person.id) == "inactive"

    asked = client.get(address).content.decode()
    assert "They can sign in and start meetings again." in text_of(asked)
    client.post(address, form_with(asked, "action").values)
    assert person.id in _ids(sandbox, "active")
    assert mirror.status_of(whole(connection), person.id) == "active"


def test_status_that_a_person_has_by_now_is_not_sent_again(client, connection, person):
    address = url(connection, person, "status")
    client.post(address, {"action": "deactivate"})
    for words in ("is active.", "was active already, as the list of people was last updated."):
        done = client.post(f"{address}?action=activate", {"action": "activate"}, follow=True)
        assert f"{person.name} {words}" in text_of(done.text)
    entries = AuditEntry.objects.filter(operation="users.change_status", intent=None)
    assert entries.count() == 2


def test_the_page_offers_what_changes_the_status(client, connection, person):
    html = client.get(url(connection, person)).content.decode()
    assert "?action=deactivate" in html
    assert "?action=activate" not in html


def test_what_the_service_refuses_is_said_in_the_dialog(client, connection, sandbox):
    owner = next(
        each["id"]
        for each in sandbox.people()
        if "Billing:Edit"
        in sandbox.client.get(f"/users/{each['id']}/permissions").json()["permissions"]
    )
    refused = client.post(url(connection, owner, "status"), {"action": "deactivate"})
    assert refused.status_code == 422
    assert "The owner of the account cannot be deactivated." in refused.content.decode()


def test_an_action_that_does_not_exist_is_refused(client, connection, person):
    refused = client.post(url(connection, person, "status"), {"action": "explode"})
    assert refused.status_code == 422
    assert not AuditEntry.objects.filter(operation="users.change_status").exists()


def test_an_sso_token_is_revoked_after_saying_what_that_means(client, connection, person):
    address = url(connection, person, "revoke-token")
    assert "This cannot be undone." in text_of(client.get(address).content.decode())
    assert not AuditEntry.objects.filter(operation="users.revoke_token").exists()
    done = client.post(address, follow=True)
    assert done.redirect_chain == [(url(connection, person), 303)]
    assert "is revoked" in text_of(done.content.decode())
    entry = AuditEntry.objects.filter(operation="users.revoke_token", intent=None).get()
    assert entry.answer.outcome == "done"


def test_a_viewer_may_do_neither(viewer, connect, person, connection):
    mine = connect(viewer)
    client = admin_client_for(viewer)
    for name in ("status", "revoke-token"):
        assert client.get(url(mine, person, name)).status_code == 403
        assert client.post(url(mine, person, name), {"action": "deactivate"}).status_code == 403
    assert mirror.status_of(whole(connection), person.id) == "active"


def test_invited_person_cannot_be_sent_link_again(client, connection, person):
    words = "no operation that emails the activation link again"
    assert words not in text_of(client.get(url(connection, person, "profile")).text)
    mirror.put(connection, person.details(), UserStatus.PENDING)
    assert words in text_of(client.get(url(connection, person, "profile")).text)
