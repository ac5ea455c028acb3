"""The licence, changed from the head of a person's page."""

import pytest

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.directory.models import MirroredUser, licence_label
from portal.people.services import seats
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.people_pages import TABS, part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

FIELD = "licence-type"


def _open(client, connection, person):
    return part(client, url(connection, person, "licence"), "dialog-body").content.decode()


def test_every_tab_leads_to_the_dialog(client, connection, person):
    link = f'href="{url(connection, person, "licence")}" data-dialog'
    for tab in TABS:
        assert link in client.get(url(connection, person, tab)).content.decode(), tab


def test_the_dialog_shows_the_licence_and_how_many_are_used(
    client, connection, make_person, administrator
):
    person = make_person(type=2)
    seats.state(Origin(administrator), connection, {2: 40, 3: None})
    html = _open(client, connection, person)
    assert form_with(html, FIELD).values[FIELD] == "2"
    said = text_of(html)
    assert "takes or frees a licence" in said
    used = MirroredUser.objects.filter(connection=connection, type=2).count()
    assert f"Pro: {used} of " in said
    assert "Corp: 0 used." in said


def test_the_licence_is_changed_at_the_service_and_in_the_list(client, connection, make_person):
    person = make_person(type=2)
    form = form_with(_open(client, connection, person), FIELD)
    saved = client.post(form.action, form.values | {FIELD: "1"}, follow=True)
    assert saved.redirect_chain == [(url(connection, person), 303)]
    assert f"{person.name} has the licence Basic." in text_of(saved.content.decode())
    assert person.now()["type"] == 1
    assert MirroredUser.objects.get(user_id=person.id).type == 1


def test_the_same_licence_again_is_no_change(client, connection, person):
    form = form_with(_open(client, connection, person), FIELD)
    client.post(form.action, form.values)
    assert not AuditEntry.objects.filter(operation="users.update").exists()


def test_licence_changed_by_others_is_reported_and_stays(client, connection, make_person, connect):
    person = make_person(type=2)
    form = form_with(_open(client, connection, person), FIELD)
    person._sandbox.client.patch(f"/users/{person.id}", json={"type": 3})
    answered = client.post(form.action, form.values | {FIELD: "1"})
    assert answered.status_code == 422
    assert person.now()["type"] == 3


def test_while_the_service_fails_the_choice_stays(client, connection, person, fault_server):
    form = form_with(_open(client, connection, person), FIELD)
    fault_server.always(answer(500))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    html = client.post(form.action, form.values | {FIELD: "1"}).content.decode()
    assert form_with(html, FIELD).values[FIELD] == "1"
    assert "The conferencing service failed" in text_of(html)


def test_a_viewer_is_not_offered_it(connect, viewer, person):
    connection = connect(viewer)
    html = admin_client_for(viewer).get(url(connection, person)).content.decode()
    assert "Change licence" not in html


@pytest.mark.parametrize(
    ("licence", "words"), [(4, "No meetings licence"), (99, "None (single sign-on)"), (7, "Type 7")]
)
def test_licences_of_today_have_a_name(licence, words):
    assert licence_label(licence) == words
