"""Email, password and host key: changed with their consequences said, shown only when asked for."""

import re
from secrets import token_hex

import pytest
from django.urls import reverse

from portal.audit.models import AuditEntry
from portal.directory.models import MirroredUser
from tests.support.html import form_with, text_of
from tests.support.people_pages import part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

SECRET = "correct-horse-battery"


def _new_email():
    return f"{token_hex(6)}@brightwater.example"


@pytest.fixture
def invited(sandbox):
    """The id of a person who signs in with a password."""
    info = {"email": _new_email(), "first_name": "Grace", "type": 1}
    body = {"action": "create", "user_info": info}
    return str(sandbox.client.post("/users", json=body).json()["id"])


def test_an_email_is_changed_and_the_list_is_right_at_once(client, connection, person):
    address, email = url(connection, person, "email"), _new_email()
    page = client.get(address).content.decode()
    assert person.email in text_of(page)
    assert "They sign in with the new address" in text_of(page)
    done = client.post(address, form_with(page, "email").values | {"email": email}, follow=True)
    assert done.redirect_chain == [(url(connection, person, "profile"), 303)]
    assert f"now signs in as {email}" in text_of(done.content.decode())
    assert person.now()["email"] == email
    assert MirroredUser.objects.get(user_id=person.id).email == email


def test_a_taken_or_unchanged_email_is_refused_at_its_field(
    client, connection, person, make_person
):
    address, other = url(connection, person, "email"), make_person()
    for email, said in (
        (other.email, "This email is already in use."),
        (person.email, "This is the address they have."),
        ("nobody", "This is not an email address"),
    ):
        refused = client.post(address, {"email": email})
        assert refused.status_code == 422
        assert said in refused.content.decode()
        assert form_with(refused.content.decode(), "email").values["email"] == email
    assert not AuditEntry.objects.filter(operation="users.change_email").exists()


def test_the_own_email_in_other_letters_is_not_taken(client, connection, person):
    email = person.email.upper()
    client.post(url(connection, person, "email"), {"email": email})
    assert person.now()["email"] == email


def test_an_email_is_checked_while_it_is_typed(client, connection, person, make_person):
    check = url(connection, person, "email-check")

    def said(email):
        return text_of(part(client, f"{check}?email={email}", "answer").content.decode())

    assert "Taken" in said(make_person().email)
    assert "Free" in said(_new_email())
    assert said("half@") == ""


def test_a_password_is_set_and_kept_nowhere(client, connection, invited):
    address = url(connection, invited, "password")
    page = text_of(client.get(address).content.decode())
    assert "From 8 to 31 characters." in page
    assert "stops working at once" in page
    done = client.post(address, {"password": SECRET}, follow=True)
    assert done.redirect_chain == [(url(connection, invited, "profile"), 303)]
    assert "has a new password" in text_of(done.content.decode())
    assert SECRET not in done.content.decode()
    for entry in AuditEntry.objects.all():
        assert SECRET not in f"{entry.sent}{entry.before}{entry.message}"


@pytest.mark.parametrize("password", ["short", "x" * 32, ""])
def test_a_password_out_of_bounds_is_refused_and_not_sent_back(
    client, connection, invited, password
):
    refused = client.post(url(connection, invited, "password"), {"password": password})
    assert refused.status_code == 422
    html = refused.content.decode()
    assert "errorlist" in html
    assert not password or f'value="{password}"' not in html


def test_what_the_service_says_of_a_password_stands_at_its_field(client, connection, person):
    refused = client.post(url(connection, person, "password"), {"password": SECRET})
    assert refused.status_code == 422
    error = refused.content.decode().split('data-field="password"')[1].split("btn-list")[0]
    assert "This person signs in without a password." in error


def test_a_host_key_is_hidden_until_asked_for_and_never_cached(client, connection, person):
    key = person.now()["host_key"]
    hidden = client.get(url(connection, person))
    assert not re.search(rf"\b{key}\b", hidden.content.decode())
    for shown in (
        client.get(url(connection, person, "host-key-shown")),
        part(client, url(connection, person, "host-key-shown"), "panel"),
    ):
        assert re.search(rf"\b{key}\b", shown.content.decode())
        assert "no-store" in shown["Cache-Control"]


def test_a_host_key_is_changed_without_showing_the_old_one(client, connection, person):
    old = person.now()["host_key"]
    address = url(connection, person, "host-key")
    page = client.get(address).content.decode()
    assert not re.search(rf"\b{old}\b", page)
    assert "This cannot be undone. Secrets are not recorded" in text_of(page)
    for wrong in ("12345", "abcdef", ""):
        refused = client.post(address, {"host_key": wrong})
        assert refused.status_code == 422
        assert "errorlist" in refused.content.decode()
    done = client.post(address, {"host_key": "246801"}, follow=True)
    assert "has a new host key" in text_of(done.text)
    assert person.now()["host_key"] == "246801"
    entry = AuditEntry.objects.filter(operation="users.update", intent=None).latest("sequence")
    assert "246801" not in f"{entry.sent}{entry.before}"
    undo = reverse("changes:undo", args=[connection.key, entry.intent_id or entry.sequence])
    assert undo not in done.text


def test_who_may_not_set_a_host_key_may_not_see_it(viewer, connect, person, connection):
    mine = connect(viewer)
    client = admin_client_for(viewer)
    assert client.get(url(mine, person, "host-key-shown")).status_code == 403
    for name in ("email", "password", "host-key"):
        assert client.get(url(mine, person, name)).status_code == 403
        assert client.post(url(mine, person, name), {name: "x"}).status_code == 403


def test_a_refused_form_in_a_dialog_is_shown_in_the_dialog(client, connection, person):
    address = url(connection, person, "email")
    opened = part(client, address, "dialog-body").content.decode()
    assert "<html" not in opened
    assert 'id="dialog-title"' in opened
    refused = part(client, address, "dialog-body", {"email": "nobody"})
    assert refused.status_code == 422
    assert 'id="dialog-title"' in refused.content.decode()
    done = part(client, address, "dialog-body", {"email": _new_email()})
    assert done["HX-Redirect"] == url(connection, person, "profile")
