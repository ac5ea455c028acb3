"""The check over a renewing connection to the sandbox's profile `current`, with a scope and a plan
missing, and once the scope is there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection, ServiceToken, Way
from portal.client import ClientCredentials, Secret
from portal.connections.services import connections
from portal.connections.services.checking import State, check_now

pytestmark = [pytest.mark.django_db, pytest.mark.deep]  # a sandbox of its own
CLASSIC, SCOPE = "webinar:read:admin", "webinar:read:list_webinars:admin"


def test_missing_scope_and_plan_are_named_until_added(sandbox_factory, administrator):
    lacking = (f"--without-scope={CLASSIC}", "--without-plan=metrics")
    sandbox = sandbox_factory("--profile=current", "--frozen", *lacking)
    connection = Connection(
        owner=administrator,
        name="Real",
        base_url=sandbox.url,
        way=Way.RENEWING,
        dialect="current",
    )
    client = ClientCredentials(f"{sandbox.site}/oauth/token", "id1", Secret(sandbox.token), "A1")
    connections.save(Origin(administrator), connection, sandbox.token, client=client)

    findings = {each["family"]: each for each in check_now(connection).findings}
    of_webinars = ("webinars", "webinar_polls", "webinar_registrants", "panelists", "past_webinars")
    assert {findings[name]["state"] for name in of_webinars} == {State.SCOPE}
    assert findings["webinars"]["scopes"] == [SCOPE]
    assert findings["metrics"]["state"] == State.PLAN
    assert findings["webhooks"]["state"] == State.SERVICE
    others = findings.keys() - {*of_webinars, "metrics", "webhooks"}
    assert {findings[name]["state"] for name in others} <= {State.WORKS, State.EMPTY}

    sandbox.stop()
    sandbox.flags = tuple(flag for flag in sandbox.flags if flag not in lacking)
    sandbox.start()
    ServiceToken.objects.update(received_at=timezone.now() - timedelta(minutes=50))
    found = {each["family"]: each["state"] for each in check_now(connection).findings}
    assert found.pop("webhooks") == State.SERVICE
    assert set(found.values()) <= {State.WORKS, State.EMPTY}
