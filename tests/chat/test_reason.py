"""The archive is read only with a role for it, a reason, and an entry in the audit trail."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.chat import services
from tests.support.chat_pages import REASON, address, looks, open_archive
from tests.support.database_faults import unwritable_entries
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db

PAGES = ("list", "messages")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_archive_asks_for_a_reason_and_leads_back(client, connection, name):
    url = address(connection, name, period="today")
    asked = client.get(url)
    assert asked.status_code == 303
    assert asked["Location"].startswith(reverse("chat:reason", args=[connection.key]))
    given = client.post(asked["Location"], {"reason": REASON})
    assert given["Location"] == url
    assert client.get(url).status_code == 200


@pytest.mark.parametrize("file", ["csv", "xlsx"])
def test_a_file_needs_a_reason_too(client, connection, file):
    assert client.get(address(connection, "messages-export", file)).status_code == 303
    assert looks() == []


@pytest.mark.parametrize("reason", ["", "   ", "because", "x" * 501])
def test_a_reason_says_something(client, connection, reason):
    response = client.post(address(connection, "reason"), {"reason": reason})
    assert response.status_code == 422
    assert "At least 10 characters." in response.content.decode()
    assert reason.strip() in response.content.decode()
    assert client.get(address(connection, "list")).status_code == 303


def test_nothing_is_asked_of_service_before_reason_is_given(client, faulty, fault_server):
    client.get(address(faulty, "list"))
    client.get(address(faulty, "session", "abc"))
    assert fault_server.requests == []


def test_the_way_back_leads_nowhere_else(client, connection):
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        url = address(connection, "reason", next=elsewhere)
        assert client.post(url, {"reason": REASON})["Location"] == reverse(
            "chat:list", args=[connection.key]
        )


def test_every_look_is_recorded_with_its_reason_days_and_search(reader, connection):
    reader.get(address(connection, "list", period="today"))
    reader.get(address(connection, "messages", q="salary", person="ada"))
    reader.get(address(connection, "messages-export", "csv", q="salary"))
    recorded = looks()
    assert [entry.object_label for entry in recorded] == [
        "Chat sessions",
        "Messages of all chat sessions",
        "Messages of all chat sessions",
    ]
    assert {entry.sent["reason"] for entry in recorded} == {REASON}
    assert "Search: salary" in recorded[1].sent["filter"]
    assert "Sender: ada" in recorded[1].sent["filter"]
    assert AuditEntry.objects.filter(operation="list.export").count() == 1


def test_what_cannot_be_recorded_is_not_shown(reader, connection):
    reader.raise_request_exception = False
    with unwritable_entries():
        response = reader.get(address(connection, "list"))
    assert response.status_code >= 500


def test_a_reason_holds_for_half_an_hour(client, connection):
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        open_archive(client, connection)
    with time_machine.travel(start + services.VALID_FOR - timedelta(seconds=1), tick=False):
        assert client.get(address(connection, "list")).status_code == 200
    with time_machine.travel(start + services.VALID_FOR, tick=False):
        assert client.get(address(connection, "list")).status_code == 303


def test_a_reason_is_for_one_connection(reader, administrator, connect):
    other = connect(administrator, name="Another account")
    assert reader.get(address(other, "list")).status_code == 303


def test_closing_the_archive_ends_the_reason(reader, connection):
    assert reader.get(address(connection, "list")).status_code == 200
    reader.post(address(connection, "close"))
    assert reader.get(address(connection, "list")).status_code == 303


def test_compliance_reviewer_reads_archive_and_changes_nothing(connect):
    reviewer = member("reviewer@example.com", Role.COMPLIANCE)
    connection = connect(reviewer)
    client = admin_client_for(reviewer)
    open_archive(client, connection)
    html = client.get(address(connection, "list", period="30-days")).content.decode()
    assert REASON in html
    assert client.get(reverse("people:create", args=[connection.key])).status_code == 403


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR])
def test_others_neither_see_nor_open_it(connect, role):
    user = member("someone@example.com", role)
    connection = connect(user)
    client = admin_client_for(user)
    assert client.get(address(connection, "list")).status_code == 403
    assert client.get(address(connection, "reason")).status_code == 403
    html = client.get(reverse("people:list", args=[connection.key])).content.decode()
    assert "Chat archive" not in html


def test_pages_of_the_archive_are_kept_by_no_browser(reader, connection):
    for name in PAGES:
        response = reader.get(address(connection, name))
        assert "no-store" in response["Cache-Control"]
        assert re.search(r'hx-history="false"', response.content.decode())
