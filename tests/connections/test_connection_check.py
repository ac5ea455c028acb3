"""The check of a connection: what the token, the plan and the service allow."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation

from portal.access.models import Connection, ConnectionCheck, User
from portal.connections.check_report import CheckReport
from portal.connections.services import checking
from portal.connections.services.checking import State, carry_out, check_now
from portal.connections.services.probes import PROBES
from portal.contract import FAMILIES
from portal.contract.operation import Effect
from tests.support.fault_server import answer, depending
from tests.support.html import text_of

pytestmark = pytest.mark.django_db
SCOPE = "webinar:read:admin"
USER = {"id": "u1", "email": "a@example.com", "type": 1}


LACKING = {"code": 4711, "message": f"Invalid access token, does not contain scopes:[{SCOPE}]."}
# Answers of a service to a token without a scope, on a plan without more, and without families.
ANSWERS = {
    "/webinars": answer(400, LACKING),
    "/metrics/": answer(200, {"code": 200, "message": "Only available for Paid accounts."}),
    "/webhooks": answer(404, {"code": 2300, "message": "This API endpoint is not recognized."}),
    "/polls": answer(404, {"code": 3001, "message": "Meeting does not exist."}),
    "/v2/users": answer(200, {"total_records": 1, "users": [USER]}),
    "/tsp": answer(500, {"message": "Broken"}),
    "/tracking_fields": answer(403, {"message": "No <b>permission</b>."}),
}


def behave(seen):
    if "/users/" in seen.path and "/webinars" not in seen.path:
        return answer(200, {})
    return next((made for path, made in ANSWERS.items() if path in seen.path), answer(200, {}))


@pytest.fixture
def connection(administrator, fault_server):
    fault_server.always(depending(behave))
    made = Connection(owner=administrator, name="Real", base_url=fault_server.url)
    made.set_token("a-token-that-is-secret")
    made.save()
    return made


def states(check):
    return {finding["family"]: finding["state"] for finding in check.findings}


def test_probes_read_each_family_once():
    assert PROBES.keys() == {family.name for family in FAMILIES}
    assert {probe.operation.effect for probe in PROBES.values()} == {Effect.READ}


def test_check_tells_each_kind_of_answer(connection, fault_server):
    check = check_now(connection)

    found = states(check)
    assert found["users"] == State.WORKS
    assert (found["webinars"], found["metrics"]) == (State.SCOPE, State.PLAN)
    assert (found["webhooks"], found["meeting_polls"]) == (State.SERVICE, State.EMPTY)
    assert (found["telephony_provider"], found["tracking_fields"]) == (State.REFUSED, State.REFUSED)
    assert check.ended_at
    assert len(fault_server.requests) <= len(PROBES) + 2
    assert {seen.method for seen in fault_server.requests} == {"GET"}
    sizes = [seen.query["page_size"] for seen in fault_server.requests if "page_size" in seen.query]
    assert set(sizes) == {"1"}
    assert any(seen.path.endswith("/users/u1/meetings") for seen in fault_server.requests)


def test_answer_that_lacks_a_field_names_it(connection, fault_server):
    people = {"users": [{"email": 7, "type": 1}, {"type": 1}], "total_records": 2}
    fault_server.always(answer(200, people))
    users, *_others = check_now(connection).findings
    assert (users["state"], users["lacking"]) == (State.UNREADABLE, "id")


def test_service_that_is_away_is_not_asked_on(connection):
    Connection.objects.update(base_url="http://127.0.0.1:9")
    connection.refresh_from_db()
    found = [*states(check_now(connection)).values()]
    assert found[:2] == [State.SILENT, State.SILENT]
    assert set(found[2:]) == {State.NOT_ASKED}


def test_slow_answer_is_said_with_its_time(connection, monkeypatch):
    monkeypatch.setattr(checking, "SLOW", 0)
    check = check_now(connection)
    assert states(check)["users"] == State.SLOW
    [people, *_others] = CheckReport(check).rows
    assert people.result == "Slow"
    assert people.milliseconds.endswith(" ms")


def test_role_of_the_owner_bounds_what_is_asked(connection, fault_server):
    User.objects.update(role="viewer")
    connection.refresh_from_db()
    found = states(check_now(connection))
    assert found["chat"] == found["accounts"] == found["webhooks"] == State.ROLE
    assert not any("/im/chat" in seen.path for seen in fault_server.requests)


def test_connection_of_a_deactivated_owner_is_not_asked(connection, fault_server):
    User.objects.update(is_active=False)
    connection.refresh_from_db()
    check = check_now(connection)
    assert CheckReport(check).problem
    assert not fault_server.requests


def test_check_is_done_once_by_whoever_comes_first(connection, client, fault_server):
    page = reverse("connections:check", args=[connection.key])
    assert client.post(page).status_code == 302
    client.post(page)
    check = ConnectionCheck.objects.get()
    assert 'hx-trigger="every 1s"' in client.get(page).content.decode()

    carry_out(check.pk, "another run")
    assert not fault_server.requests
    carry_out(check.pk, check.run)
    asked = len(fault_server.requests)
    carry_out(check.pk, check.run)
    assert len(fault_server.requests) == asked


def test_scope_of_master_accounts_is_no_lack_of_others(connection, client, fault_server):
    words = "Invalid access token, does not contain scopes:[account:read:list_sub_accounts:master]."
    lacking = answer(400, {"code": 4711, "message": words})
    fault_server.always(
        depending(lambda seen: lacking if seen.path.endswith("/accounts") else answer(200, {}))
    )
    check = check_now(connection)
    assert states(check)["accounts"] == State.MASTER
    assert CheckReport(check).missing_scopes == []
    page = client.get(reverse("connections:check", args=[connection.key])).content.decode()
    assert "Needs a master account" in text_of(page)


def test_page_shows_the_scope_and_text_without_secrets(connection, client):
    check_now(connection)
    page = client.get(reverse("connections:check", args=[connection.key])).content.decode()
    assert f"Missing scopes: {SCOPE}" in page
    assert f"Needs scope {SCOPE}" in page
    assert "&lt;b&gt;permission" in page
    text = CheckReport(ConnectionCheck.objects.get()).text()
    for secret in ("a-token-that-is-secret", connection.base_url, connection.key):
        assert secret not in text
    own = client.get(reverse("connections:connection", args=[connection.key])).content.decode()
    assert "Needs a scope: 4" in text_of(own)


def test_check_that_is_interrupted_can_be_asked_for_again(connection, client):
    page = reverse("connections:check", args=[connection.key])
    client.post(page)
    long_ago = timezone.now() - timezone.timedelta(minutes=5)
    ConnectionCheck.objects.update(asked_at=long_ago, started_at=long_ago)
    assert "interrupted" in client.get(page).content.decode()
    client.post(page)
    assert ConnectionCheck.objects.get().started_at is None


def test_check_under_way_begins_anew_when_asked_for_again(connection, client):
    page = reverse("connections:check", args=[connection.key])
    client.post(page)
    ConnectionCheck.objects.update(started_at=timezone.now(), findings=[{"of": "before"}])
    client.post(page)
    check = ConnectionCheck.objects.get()
    assert (check.started_at, check.findings) == (None, [])


def test_added_connection_leads_to_its_check(connection, client, fault_server):
    typed = {"name": "New", "base_url": fault_server.url, "colour": "teal", "token": "another"}
    response = client.post(reverse("connections:new"), typed)
    added = Connection.objects.get(name="New")
    assert response.url == reverse("connections:check", args=[added.key])
    assert added.last_check.moves


def test_command_prints_the_table(connection):
    out = StringIO()
    call_command("check_connection", connection.key, stdout=out)
    assert f"Missing scopes: {SCOPE}" in out.getvalue()
    with pytest.raises(CommandError):
        call_command("check_connection", "nothing")


def test_report_is_in_the_readers_language(connection):
    check = check_now(connection)
    with translation.override("de"):
        text = CheckReport(check).text()
    assert f"Fehlende Scopes: {SCOPE}" in text
