"""Tokens that start meetings in a person's name: for API users, shown once, and not stored."""

import logging
import re
from secrets import token_hex

import pytest
from django.apps import apps

from portal.audit.models import AuditEntry
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.people_pages import url
from tests.support.portal import admin_client_for
from tests.support.sample_service import answering

pytestmark = pytest.mark.django_db

SHOWN = re.compile(r'id="token">([^<]+)</code>')
CANARY = "Can4ry-of-a-start-token"


@pytest.fixture
def invited(sandbox):
    """The id of a person who signs in with a password."""
    email = f"{token_hex(6)}@brightwater.example"
    info = {"email": email, "first_name": "Grace", "type": 1, "password": "correct horse 1"}
    body = {"action": "autoCreate", "user_info": info}
    return str(sandbox.client.post("/users", json=body).json()["id"])


def issued(client, connection, person, kind):
    response = client.post(url(connection, person, "token"), {"type": kind})
    assert response.status_code == 200, text_of(response.content.decode())
    assert "no-store" in response["Cache-Control"]
    found = SHOWN.search(response.content.decode())
    assert found
    return found[1]


def test_an_api_users_token_is_issued_on_request_alone(client, connection, person):
    asked = client.get(url(connection, person, "token"))
    assert not SHOWN.search(asked.content.decode())
    assert not AuditEntry.objects.filter(operation="users.token").exists()
    kinds = ("zak", "token", "zpk")
    tokens = {issued(client, connection, person, kind) for kind in kinds}
    assert len(tokens) == len(kinds)
    entries = AuditEntry.objects.filter(operation="users.token")
    assert {one.sent["type"] for one in entries if one.sent} == {*kinds}
    assert {one.object_id for one in entries} == {person.id}


def test_who_signs_in_themselves_is_told_why_there_is_none(client, connection, invited):
    asked = client.get(url(connection, invited, "token"))
    assert "Only API users need a token issued here" in text_of(asked.content.decode())
    refused = client.post(url(connection, invited, "token"), {"type": "zak"})
    assert refused.status_code == 422
    assert "Only API users need a token issued here" in text_of(refused.content.decode())
    assert not AuditEntry.objects.filter(operation="users.token").exists()


def test_it_takes_a_fresh_proof_and_is_shown_after_it(client, connection, person, settings):
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    asked = client.post(url(connection, person, "token"), {"type": "zak"})
    assert asked.status_code == 302
    assert "reauthenticate" in asked["Location"]
    assert not AuditEntry.objects.filter(operation="users.token").exists()


def test_no_copy_of_a_token_is_kept(administrator, faulty, fault_server, caplog):
    caplog.set_level(logging.DEBUG)
    fault_server.always(answering(lambda name, text: CANARY if name == "token" else text))
    client = admin_client_for(administrator)
    assert issued(client, faulty, "Words", "zak") == CANARY
    checked = client.post(url(faulty, "Words", "zpk"), {"zpk": CANARY})
    assert CANARY not in checked.content.decode()
    kept = [
        row
        for model in apps.get_models()
        for row in model._default_manager.values_list()
        if CANARY in repr(row)
    ]
    assert kept == []
    assert CANARY not in caplog.text
    assert CANARY not in client.get(url(faulty, "Words", "token")).content.decode()


def test_a_failure_shows_no_token_and_keeps_the_choice(client, faulty, fault_server):
    fault_server.always(answer(503, {"message": "Down."}))
    response = client.post(url(faulty, "Words", "token"), {"type": "zpk"})
    assert response.status_code == 422
    assert form_with(response.content.decode(), "type").values["type"] == "zpk"


def test_a_zpk_is_checked(client, connection, person):
    zpk = issued(client, connection, person, "zpk")
    address = url(connection, person, "zpk")
    valid = client.post(address, {"zpk": zpk})
    assert "This ZPK is valid until" in text_of(valid.content.decode())
    assert zpk not in valid.content.decode()
    assert "no-store" in valid["Cache-Control"]
    client.post(url(connection, person, "revoke-token"))
    revoked = client.post(address, {"zpk": zpk})
    assert "has expired or was revoked" in text_of(revoked.content.decode())
    wrong = client.post(address, {"zpk": "no such"})
    assert wrong.status_code == 422
    assert "This is not a ZPK of this account" in text_of(wrong.content.decode())
    assert client.post(address, {"zpk": ""}).status_code == 422


def test_a_viewer_gets_none_and_is_offered_none(viewer, connect, person):
    client, connection = admin_client_for(viewer), connect(viewer)
    assert client.post(url(connection, person, "token"), {"type": "zak"}).status_code == 403
    page = client.get(url(connection, person)).content.decode()
    assert url(connection, person, "token") not in page
