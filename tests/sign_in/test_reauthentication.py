"""Promise 14: what cannot be undone needs a recent proof of who one is, by a direct POST too."""

import json
from base64 import urlsafe_b64decode
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.models import Connection, Session
from portal.audit.models import AuditEntry
from portal.audit.reading import lines
from portal.connections.api import api_for
from tests.support.portal import PASSWORD, admin_client_for
from tests.support.scenarios import is_gone, person
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db
CONFIRM = "account_reauthenticate"


@pytest.fixture
def remove(connection, settings):
    """The address that removes a person at once."""
    settings.ROOT_URLCONF = "tests.sign_in.urls"
    victim = person(api_for(scope_of(connection.owner, connection)))
    return reverse("remove", args=[connection.key, victim.id])


def removed(connection, address):
    return is_gone(api_for(whole(connection)), address.split("/")[-2])


def confirm(client, next_page, password=PASSWORD):
    answer = client.post(f"{reverse(CONFIRM)}?next={next_page}", {"password": password})
    return answer.content.decode()


def test_direct_post_is_held_back_and_carried_out_after_proof(remove, connection, administrator):
    client = admin_client_for(administrator, recently=False)
    before = AuditEntry.objects.count()
    answer = client.post(f"{remove}?more=so", {"why": "asked for"})
    assert answer["Location"] == f"{reverse(CONFIRM)}?next={remove.replace('/', '%2F')}"
    assert not removed(connection, remove)
    assert AuditEntry.objects.count() == before
    assert confirm(client, remove).endswith("as asked for so")
    assert removed(connection, remove)
    removal, proof = lines()[:2]
    assert (proof.operation, proof.actor) == ("session.confirm", administrator)
    assert (removal.operation, removal.actor) == ("users.delete", administrator)
    assert removal.ip == "127.0.0.1"


def test_a_wrong_password_carries_nothing_out(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    assert "Wrong password" in confirm(client, remove, "not the password")
    assert not removed(connection, remove)


def test_a_proof_without_a_waiting_form_carries_nothing_out(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    confirm(client, remove)
    assert not removed(connection, remove)


def test_another_page_after_the_proof_carries_nothing_out(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    confirm(client, "/team/")
    assert not removed(connection, remove)


def test_a_sign_in_of_the_last_minutes_is_proof_enough(remove, connection):
    client = Client()
    typed = {"login": connection.owner.email, "password": PASSWORD}
    client.post(reverse("account_login"), typed)
    assert client.post(remove, {"why": "x"}).status_code == 200
    assert removed(connection, remove)


def test_for_fifteen_minutes_nobody_is_asked_again(connection):
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        client = admin_client_for(connection.owner, recently=False)
        url = reverse("mfa_activate_totp")
        asked = client.get(url)["Location"]
        confirm(client, url)
        clock.shift(timedelta(seconds=899))
        assert client.get(url).status_code == 200
        assert client.get(asked).status_code == 302
        clock.shift(timedelta(seconds=1))
        assert client.get(url)["Location"] == asked


def test_after_fifteen_minutes_it_is_not(remove, connection):
    client = admin_client_for(connection.owner)
    with time_machine.travel(timezone.now() + timedelta(seconds=901)):
        assert client.post(remove, {"why": "x"}).status_code == 302
    assert not removed(connection, remove)


def test_page_of_proof_that_is_done_leads_back_to_page_before_it(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    page = "http://testserver/connections/?a=b"
    asked = client.post(remove, {"why": "x"}, headers={"referer": page})["Location"]
    assert "no-store" in client.get(asked)["Cache-Control"]
    confirm(client, remove)
    again = client.get(asked)
    assert again["Location"] == "/connections/?a=b"
    assert "no-store" in again["Cache-Control"]


@pytest.mark.parametrize(
    "page",
    [
        "https://evil.example/",
        "http://testserver@evil.example/",
        "http://testserver//evil.example/",
        "http://testserver/\\\\evil.example/",
        "",
    ],
)
def test_it_leads_to_no_other_site(page, remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    asked = client.post(remove, {"why": "x"}, headers={"referer": page})["Location"]
    confirm(client, remove)
    assert client.get(asked)["Location"] == "/"


def test_a_script_is_sent_to_the_proof_as_a_whole_page(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    answer = client.post(remove, {"why": "x"}, headers={"hx-request": "true"})
    assert answer["HX-Redirect"].startswith(reverse(CONFIRM))
    assert confirm(client, remove).startswith("removed")
    assert removed(connection, remove)


@pytest.mark.parametrize("own", [True, False], ids=["a page of the portal", "one of allauth's"])
def test_waiting_request_keeps_its_form_alone_and_encrypted(own, remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    sent = {"authorization": "Bearer canary-1", "x-api-key": "canary-2", "user-agent": "canary-3"}
    Authenticator.objects.create(user=connection.owner, type="totp", data={"secret": "x"})
    address = remove if own else reverse("mfa_deactivate_totp")
    client.post(address, {"why": "canary-form"}, headers=sent)
    kept = json.dumps(dict(client.session.items()))
    assert "why=canary-form" in kept
    for secret in ("canary-1", "canary-2", "canary-3", client.cookies["sessionid"].value):
        assert secret not in kept
    stored = Session.objects.get(pk=client.cookies["sessionid"].value).session_data
    assert b"canary" not in urlsafe_b64decode(stored)


def test_a_form_that_waits_is_forgotten_when_another_page_asks(remove, connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    client.get(reverse("mfa_activate_totp"))
    confirm(client, remove)
    assert not removed(connection, remove)


def test_who_has_nothing_to_prove_it_with_signs_in_again(remove, connection):
    connection.owner.set_unusable_password()
    connection.owner.save()
    client = admin_client_for(connection.owner, recently=False)
    answer = client.post(remove, {"why": "x"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert client.get("/connections/").status_code == 302
    assert not removed(connection, remove)


def test_changes_of_the_team_need_it_too(administrator, viewer):
    client = admin_client_for(administrator, recently=False)
    url = reverse("team:member-role", args=[viewer.pk])
    assert client.post(url, {"role": "administrator"})["Location"].startswith(reverse(CONFIRM))
    viewer.refresh_from_db()
    assert viewer.role == "viewer"
    confirm(client, url)
    viewer.refresh_from_db()
    assert viewer.role == "administrator"


def test_removing_a_connection_needs_it_too(connection):
    client = admin_client_for(connection.owner, recently=False)
    url = reverse("connections:remove", args=[connection.key])
    assert client.get(url).status_code == 200
    assert client.post(url)["Location"].startswith(reverse(CONFIRM))
    assert Connection.objects.filter(pk=connection.pk).exists()
    confirm(client, url)
    assert not Connection.objects.filter(pk=connection.pk).exists()
