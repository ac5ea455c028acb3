"""TSP accounts are edited, PAC accounts shown, PINs and passwords only when asked for."""

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.people_pages import part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

PIN = "97531864"
NUMBER = {"code": "+49", "number": "3055501", "country_label": "Berlin", "type": "toll"}


def _accounts(sandbox, person):
    return list(sandbox.client.get(f"/users/{person.id}/tsp").json()["tsp_accounts"])


@pytest.fixture
def account(sandbox, person):
    """The index of a TSP account that the person has."""
    body = {"conference_code": "112233", "leader_pin": PIN, "dial_in_numbers": [NUMBER]}
    return str(sandbox.client.post(f"/users/{person.id}/tsp", json=body).json()["id"])


def _form(client, address):
    return form_with(client.get(address).content.decode(), "conference_code")


def test_an_account_is_added_with_its_numbers(client, connection, person, sandbox):
    address = url(connection, person, "tsp-new")
    typed = {"conference_code": "112233", "leader_pin": PIN}
    typed |= {f"dial_in_numbers.0.{name}": value for name, value in NUMBER.items()}
    done = client.post(address, _form(client, address).values | typed, follow=True)
    assert done.redirect_chain == [(url(connection, person, "telephony"), 303)]
    [account] = _accounts(sandbox, person)
    assert account["leader_pin"] == PIN
    assert account["dial_in_numbers"] == [NUMBER]
    shown = text_of(done.content.decode())
    assert "112233" in shown
    assert "+49 3055501" in shown
    assert PIN not in done.content.decode()


def test_a_second_click_adds_no_second_account(client, connection, person, sandbox):
    address = url(connection, person, "tsp-new")
    typed = _form(client, address).values | {"conference_code": "112233", "leader_pin": PIN}
    assert client.post(address, typed).status_code == 303
    assert client.post(address, typed).status_code == 303
    assert len(_accounts(sandbox, person)) == 1


def test_broken_fields_are_marked_and_nothing_is_lost(client, connection, person, sandbox):
    address = url(connection, person, "tsp-new")
    typed = {"conference_code": "12ab", "dial_in_numbers.0.country_label": "Berlin"}
    refused = client.post(address, _form(client, address).values | typed)
    assert refused.status_code == 422
    html = refused.content.decode()
    assert html.split('data-field="conference_code"')[1].count("errorlist") > 0
    assert "This field is required." in html.split('data-field="leader_pin"')[1]
    again = form_with(html, "conference_code").values
    assert again["conference_code"] == "12ab"
    assert again["dial_in_numbers.0.country_label"] == "Berlin"
    assert _accounts(sandbox, person) == []


def test_an_account_is_changed_and_keeps_its_pin(client, connection, person, sandbox, account):
    address = url(connection, person, "tsp", account)
    page = client.get(address).content.decode()
    assert PIN not in page
    form = form_with(page, "conference_code")
    typed = {"conference_code": "445566", "dial_in_numbers.1.number": "3055502"}
    client.post(address, form.values | typed)
    [now] = _accounts(sandbox, person)
    assert (now["conference_code"], now["leader_pin"]) == ("445566", PIN)
    assert [each["number"] for each in now["dial_in_numbers"]] == ["3055501", "3055502"]
    [entry] = AuditEntry.objects.filter(operation="tsp_accounts.update", intent=None)
    assert PIN not in f"{entry.sent}{entry.before}"


def test_a_number_is_taken_away_by_emptying_its_row(client, connection, person, sandbox, account):
    address = url(connection, person, "tsp", account)
    typed = {f"dial_in_numbers.0.{name}": "" for name in NUMBER}
    client.post(address, _form(client, address).values | typed)
    assert _accounts(sandbox, person)[0]["dial_in_numbers"] == []


def test_form_returned_during_outage_keeps_input(client, connection, person, account, fault_server):
    address = url(connection, person, "tsp", account)
    form = _form(client, address)
    fault_server.always(answer(503, {"message": "Closed."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    refused = client.post(address, form.values | {"conference_code": "445566"})
    assert refused.status_code == 422
    html = refused.content.decode()
    assert "The conferencing service failed" in html
    assert form_with(html, "conference_code").values["conference_code"] == "445566"


def test_an_account_is_deleted_after_saying_what_goes(client, connection, person, sandbox, account):
    address = url(connection, person, "tsp-delete", account)
    asked = text_of(client.get(address).content.decode())
    assert "112233" in asked
    assert "1 dial-in number" in asked
    assert len(_accounts(sandbox, person)) == 1
    assert client.post(address).status_code == 303
    assert _accounts(sandbox, person) == []


def test_deleting_takes_an_administrator(operator, connect, person, sandbox, account):
    mine = connect(operator)
    client = admin_client_for(operator)
    assert "/delete/" not in client.get(url(mine, person, "telephony")).content.decode()
    assert client.post(url(mine, person, "tsp-delete", account)).status_code == 403
    assert len(_accounts(sandbox, person)) == 1


def test_pins_and_passwords_are_shown_on_request_uncached(
    client, connection, person, account, fault_server
):
    assert PIN not in client.get(url(connection, person, "telephony")).content.decode()
    shown = part(client, url(connection, person, "telephony-shown"), "panel")
    assert PIN in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]


def test_pac_accounts_are_shown_with_their_passwords_hidden(client, connection, fault_server):
    pac = {
        "conference_id": 837656411,
        "dedicated_dial_in_number": [{"country": "DE", "number": "493055501"}],
        "participant_password": "86420",
        "listen_only_password": "13579",
    }
    data = {"id": "u1", "first_name": "Ada", "tsp_accounts": []}
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    for name, is_shown in (("telephony", False), ("telephony-shown", True)):
        fault_server.then(answer(200, data), answer(200, data | {"tsp_accounts": [pac]}))
        fault_server.then(answer(200, data))
        html = client.get(url(connection, "u1", name)).content.decode()
        assert "837656411" in html
        assert "493055501" in html
        for secret in ("86420", "13579"):
            assert (secret in html) is is_shown


def test_who_may_not_set_them_may_not_see_them(viewer, connect, person, account):
    mine = connect(viewer)
    client = admin_client_for(viewer)
    assert client.get(url(mine, person, "telephony-shown")).status_code == 403
    assert client.get(url(mine, person, "tsp", account)).status_code == 403
    assert client.post(url(mine, person, "tsp-new"), {"leader_pin": "1"}).status_code == 403
