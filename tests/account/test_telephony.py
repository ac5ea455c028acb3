"""The telephony provider of the account, seen and changed."""

import pytest

from portal.audit.models import AuditEntry
from tests.account.pages import address
from tests.support.dashboard_pages import words_of
from tests.support.fault_server import answer
from tests.support.html import form_with
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


def test_it_is_shown_as_the_service_has_it(client, connection, sandbox):
    now = sandbox.client.get("/tsp").json()
    text = words_of(client.get(address(connection, "telephony")).content)
    assert now["tsp_provider"] in text
    assert all(one["number"] in text.replace(" ", "") for one in now["dial_in_numbers"])
    assert "+1 800 555 0110 · Toll-free" in text


def test_it_is_changed_and_the_trail_has_what_it_was(client, connection, sandbox):
    before = sandbox.client.get("/tsp").json()
    url = address(connection, "telephony-change")
    form = form_with(client.get(url).content.decode(), "tsp_provider")
    try:
        answered = client.post(url, form.values | {"tsp_provider": "Another carrier"})
        assert answered.status_code == 303
        now = sandbox.client.get("/tsp").json()
        assert now == before | {"tsp_provider": "Another carrier"}
        entry = AuditEntry.objects.filter(operation="telephony_provider.update").latest("sequence")
        intent = entry.intent or entry
        assert intent.before["tsp_provider"] == before["tsp_provider"]
    finally:
        sandbox.client.patch("/tsp", json={"tsp_provider": before["tsp_provider"]})


def test_an_operator_sees_it_and_changes_nothing(operator, connect):
    client, connection = admin_client_for(operator), connect(operator)
    html = client.get(address(connection, "telephony")).content.decode()
    assert "telephony/change" not in html
    assert client.get(address(connection, "telephony-change")).status_code == 403


def test_a_service_that_reports_nothing_leaves_no_hole(client, faulty, fault_server):
    fault_server.always(answer(200, {}))
    text = words_of(client.get(address(faulty, "telephony")).content)
    assert "Not reported" in text
    assert "Not set" in text
