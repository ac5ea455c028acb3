"""The history of an object: what can be undone from it."""

import uuid

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.models import Share
from portal.audit.reading import lines
from portal.connections.api import api_for
from portal.contract.users import UserUpdate
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for
from tests.support.scenarios import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(administrator):
    return admin_client_for(administrator)


def request_of(connection, user=None):
    """The service as one request has it."""
    return api_for(scope_of(user or connection.owner, connection), request_id=uuid.uuid4().hex)


def newest(operation):
    return lines().filter(operation=operation)[0]


def address(name, entry):
    return reverse(f"changes:{name}", args=[entry.connection_key, entry.sequence])


def history_of(client, connection, user_id):
    return client.get(reverse("people:history", args=[connection.key, user_id])).content.decode()


def test_a_toast_leads_to_the_undo_of_what_it_says(boss, connection):
    ann = person(request_of(connection))
    page = reverse("people:profile-edit", args=[connection.key, ann.id, "name"])
    form = form_with(boss.get(page).content.decode(), "name-dept")
    said = boss.post(page, {**form.values, "name-dept": "Ops"}, follow=True).content.decode()
    assert address("undo", newest("users.update")) in said


def test_a_toast_of_what_has_no_way_back_leads_nowhere(boss, connection):
    ann = person(request_of(connection))
    page = reverse("people:revoke-token", args=[connection.key, ann.id])
    said = boss.post(page, follow=True).content.decode()
    assert "is revoked." in text_of(said)
    assert address("undo", newest("users.revoke_token")) not in said
    assert address("undo", newest("users.create")) in said  # of what the page tells of its person


def test_what_has_no_way_back_says_so_before_it_is_done(boss, connection):
    ann = person(request_of(connection))
    for page, words in (
        ("revoke-token", "This cannot be undone. A new sign-in gives them a new token."),
        ("password", "This cannot be undone. The earlier password is not known"),
    ):
        html = boss.get(reverse(f"people:{page}", args=[connection.key, ann.id])).content.decode()
        assert words in text_of(html)


def test_the_history_offers_to_undo_and_says_what_was_undone(boss, connection, viewer):
    ann = person(request_of(connection))
    request_of(connection).users.update(ann.id, UserUpdate(dept="Ops"))
    entry = newest("users.update")
    assert address("undo", entry) in history_of(boss, connection, ann.id)
    Share.objects.create(
        connection=connection, user=viewer, role="viewer", created_by=connection.owner
    )
    assert "/undo/" not in history_of(admin_client_for(viewer), connection, ann.id)
    html = boss.get(address("undo", entry)).content.decode()
    boss.post(address("undo", entry), form_with(html, "seen").values)
    html = history_of(boss, connection, ann.id)
    assert address("undo", entry) not in html
    assert "Undone by Administrator" in text_of(html)
    assert f"Undoes entry {entry.sequence}" in text_of(html)


def test_the_audit_trail_offers_it_for_own_connections_alone(boss, connection, operator):
    ann = person(request_of(connection))
    request_of(connection).users.update(ann.id, UserUpdate(dept="Ops"))
    entry = newest("users.update")
    page = reverse("audit:entry", args=[entry.sequence])
    for where in (reverse("audit:trail"), page):
        assert address("undo", entry) in boss.get(where).content.decode()
    connection.owner = operator
    connection.save()
    for where in (reverse("audit:trail"), page):
        assert address("undo", entry) not in boss.get(where).content.decode()


def test_entry_says_why_it_cannot_be_undone_and_links_undo(boss, connection):
    ann = person(request_of(connection))
    request_of(connection).users.revoke_token(ann.id)
    revoked = reverse("audit:entry", args=[newest("users.revoke_token").sequence])
    words = "This cannot be undone. A new sign-in gives them a new token."
    assert words in text_of(boss.get(revoked).content.decode())
    request_of(connection).users.update(ann.id, UserUpdate(dept="Ops"))
    entry = newest("users.update")
    html = boss.get(address("undo", entry)).content.decode()
    boss.post(address("undo", entry), form_with(html, "seen").values)
    undo = reverse("audit:entry", args=[newest("users.update").sequence])
    first = reverse("audit:entry", args=[entry.sequence])
    assert undo in boss.get(first).content.decode()
    assert first in boss.get(undo).content.decode()
