"""Promise 14: what cannot be undone needs a recent proof of who one is, by a direct POST too."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from portal.access.api import api_for
from portal.access.audit.reading import lines
from portal.access.models import AuditEntry, Connection, User
from tests.client.scenarios import is_gone, person
from tests.plugins.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
CONFIRM = "account_reauthenticate"


@pytest.fixture
def remove(connection: Connection, settings: Settings) -> str:
    """The address that removes a person at once."""
    settings.ROOT_URLCONF = "tests.access.urls"
    victim = person(api_for(connection, connection.owner))
    return reverse("remove", args=[connection.key, victim.id])


def removed(connection: Connection, address: str) -> bool:
    return is_gone(api_for(connection), address.split("/")[-2])


def confirm(client: Client, next_page: str, password: str = PASSWORD) -> str:
    answer = client.post(f"{reverse(CONFIRM)}?next={next_page}", {"password": password})
    return answer.content.decode()


def test_a_direct_post_is_held_back_and_carried_out_after_the_proof(
    remove: str, connection: Connection, administrator: User
):
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


def test_a_wrong_password_carries_nothing_out(remove: str, connection: Connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    assert "This is not your password" in confirm(client, remove, "not the password")
    assert not removed(connection, remove)


def test_a_proof_without_a_waiting_form_carries_nothing_out(remove: str, connection: Connection):
    client = admin_client_for(connection.owner, recently=False)
    confirm(client, remove)
    assert not removed(connection, remove)


def test_another_page_after_the_proof_carries_nothing_out(remove: str, connection: Connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    confirm(client, "/team/")
    assert not removed(connection, remove)


def test_a_sign_in_of_the_last_minutes_is_proof_enough(remove: str, connection: Connection):
    client = Client()
    typed = {"login": connection.owner.email, "password": PASSWORD}
    client.post(reverse("account_login"), typed)
    assert client.post(remove, {"why": "x"}).status_code == 200
    assert removed(connection, remove)


def test_after_five_minutes_it_is_not(remove: str, connection: Connection):
    client = admin_client_for(connection.owner)
    with time_machine.travel(timezone.now() + timedelta(seconds=301)):
        assert client.post(remove, {"why": "x"}).status_code == 302
    assert not removed(connection, remove)


def test_a_script_is_sent_to_the_proof_as_a_whole_page(remove: str, connection: Connection):
    client = admin_client_for(connection.owner, recently=False)
    answer = client.post(remove, {"why": "x"}, headers={"hx-request": "true"})
    assert answer["HX-Redirect"].startswith(reverse(CONFIRM))
    assert confirm(client, remove).startswith("removed")
    assert removed(connection, remove)


def test_the_waiting_form_keeps_no_cookie(remove: str, connection: Connection):
    client = admin_client_for(connection.owner, recently=False)
    client.post(remove, {"why": "x"})
    session = Session.objects.get(pk=client.cookies["sessionid"].value)
    kept = str(session.get_decoded())
    assert "why=x" in kept
    assert client.cookies["sessionid"].value not in kept


def test_who_has_nothing_to_prove_it_with_signs_in_again(remove: str, connection: Connection):
    connection.owner.set_unusable_password()
    connection.owner.save()
    client = admin_client_for(connection.owner, recently=False)
    answer = client.post(remove, {"why": "x"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert client.get("/connections/").status_code == 302
    assert not removed(connection, remove)


def test_changes_of_the_team_need_it_too(administrator: User, viewer: User):
    client = admin_client_for(administrator, recently=False)
    url = reverse("access:member-role", args=[viewer.pk])
    assert client.post(url, {"role": "administrator"})["Location"].startswith(reverse(CONFIRM))
    viewer.refresh_from_db()
    assert viewer.role == "viewer"
    confirm(client, url)
    viewer.refresh_from_db()
    assert viewer.role == "administrator"
