"""Webhooks: the version of the account, its own subscription, and passwords that stay hidden."""

import pytest

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.webhooks import subscriptions
from tests.support.dashboard_pages import words_of
from tests.webhooks.pages import address

pytestmark = pytest.mark.django_db


@pytest.fixture
def restored(sandbox):
    yield
    sandbox.client.patch("/webhooks/options", json={"version": "v2"})


def test_with_version_1_the_page_says_why_there_are_none(client, connection, sandbox, restored):
    chosen = client.post(address(connection, "webhooks-version"), {"version": "v1"})
    assert chosen.status_code == 303
    page = client.get(address(connection, "webhooks"))
    text = words_of(page.content)
    assert page.status_code == 200
    assert "The account uses webhooks of version 1" in text
    assert "Add webhook" not in text
    assert AuditEntry.objects.filter(operation="webhooks.choose_version").exists()
    client.post(address(connection, "webhooks-version"), {"version": "v2"})
    assert "Add webhook" in words_of(client.get(address(connection, "webhooks")).content)


def test_portals_own_webhook_is_named_and_its_loss_is_explained(client, connection, restored):
    api = api_for(scope_of(connection.owner, connection))
    own = subscriptions.follow(api, connection)
    try:
        assert "Used by Switchboard" in words_of(
            client.get(address(connection, "webhooks")).content
        )
        asked = client.get(address(connection, "webhooks-delete", own.webhook_id))
        assert "no longer updated immediately" in words_of(asked.content)
    finally:
        subscriptions.unfollow(api, connection, Origin())


def test_password_is_not_shown_nor_sent_back_unless_changed(client, connection, sandbox, restored):
    given = {
        "url": "https://hooks.example/secret",
        "auth_user": "switch",
        "auth_password": "board-secret-4711",
        "events": ["meeting_started"],
    }
    made = sandbox.client.post("/webhooks", json=given).json()
    url = address(connection, "webhooks-change", made["webhook_id"])
    try:
        html = client.get(url).content.decode()
        listed = client.get(address(connection, "webhooks")).content.decode()
        assert "board-secret-4711" not in html + listed
        client.post(url, given | {"auth_password": "", "auth_user": "other"})
        now = sandbox.client.get(f"/webhooks/{made['webhook_id']}").json()
        assert (now["auth_user"], now["auth_password"]) == ("other", "board-secret-4711")
    finally:
        sandbox.client.delete(f"/webhooks/{made['webhook_id']}")
