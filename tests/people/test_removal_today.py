"""What a person leaves at services of today, beside meetings, webinars and recordings."""

import pytest
from django.urls import reverse

from tests.support.fault_server import answer
from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db
TODAY = ("whiteboard", "clipfiles", "notes", "docs", "visitors")


@pytest.fixture
def connection(faulty, fault_server):
    person = {"id": "u-1", "email": "a@x.de", "status": "active"}
    fault_server.always(answer(200, {**person, "total_records": 0, "meetings": []}))
    return faulty


def page_of(client, connection):
    return client.get(reverse("people:remove", args=[connection.key, "u-1"])).text


def test_removal_transfers_what_services_of_today_do(client, connection, fault_server):
    connection.dialect = "current"
    connection.save()
    form = form_with(page_of(client, connection), "transfer_email")
    assert {f"transfer_{one}" for one in TODAY} <= form.values.keys()
    form.values |= {"action": "disassociate", "transfer_email": "b@x.de"}
    outcome = reverse("people:remove-outcome", args=[connection.key, "u-1"])
    shown = text_of(client.post(outcome, form.values).text)
    assert "whiteboards, clips, notes, docs and visitor invitations" in shown
    assert "b@x.de gets" in shown


def test_what_is_not_transferred_is_said_to_go_with_them(client, connection):
    connection.dialect = "current"
    connection.save()
    form = form_with(page_of(client, connection), "transfer_email")
    form.values |= {"action": "delete", "confirmation": "a@x.de"}
    outcome = reverse("people:remove-outcome", args=[connection.key, "u-1"])
    shown = text_of(client.post(outcome, form.values).text)
    assert "deleted permanently, and with them" in shown
    assert "whiteboards, clips, notes, docs and visitor invitations" in shown


def test_a_service_of_the_document_is_not_asked_for_it(client, connection):
    page = page_of(client, connection)
    assert "transfer_meeting" in page
    assert not [one for one in TODAY if f"transfer_{one}" in page]
