"""The page about one person: whole and in parts, true to the service, safe to look at."""

import re
from datetime import date, timedelta
from html import escape

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection
from portal.contract.meetings import MeetingDetails
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.mirror.models import MirrorState
from portal.sessions.mirror import NAME, put
from tests.people.licensed import report_read
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.people_pages import TABS, part, url
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def _html(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def _current_tab(html):
    found = re.search(
        r'class="nav nav-underline">.*?aria-current="page"[^>]*>([^<]+)<', html, re.DOTALL
    )
    return found[1] if found else ""


@pytest.mark.parametrize("name", TABS)
def test_every_tab_is_a_whole_page_with_who_it_is(client, connection, person, name):
    html = _html(client, url(connection, person, name))
    assert f">{person.name}</span></h1>" in html
    assert ('id="identity"' in html) == (name == "person"), "facts stand on the overview alone"
    assert _current_tab(html)
    for other in ("person", "groups", "settings", "history"):
        assert f'href="{url(connection, person, other)}"' in html


def test_tabs_of_one_subject_stand_together_while_one_is_open(client, connection, person):
    of_access = ("groups", "delegates", "telephony", "permissions")
    links = [f'id="tab-{name}" href="{url(connection, person, name)}"' for name in of_access]
    overview, opened = (
        _html(client, url(connection, person, name)) for name in ("person", "telephony")
    )
    assert [link for link in links if link in overview] == []
    assert [link for link in links if link not in opened] == []


def test_overview_says_what_is_stored_about_the_person(client, connection, person):
    start = timezone.now() + timedelta(days=2)
    values = {"id": 7, "host_id": person.id, "topic": "Standup", "start_time": start, "type": 2}
    put(connection, "meetings", MeetingDetails.model_validate({**values, "duration": 30}))
    MirrorState.objects.filter(connection=connection, kind=NAME).update(refreshed_at=timezone.now())
    for first, last in (
        (date(2025, 3, 1), date(2025, 3, 12)),
        (date(2025, 2, 10), date(2025, 2, 28)),
    ):
        window = report_read(connection, first, last, [person.id])
        window.rows.update(data={"id": person.id, "meetings": 6, "meeting_minutes": 45})
    client.post(url(connection, person, "profile-edit", "name"), {"name-dept": "Analysis"})
    with CaptureQueriesContext(database) as queries:
        html = _html(client, url(connection, person))
    assert len(queries) <= 33, "each aspect takes one or two"
    said = text_of(html)
    assert "Hosted, 31 days 12 0 people Time, 31 days 1.5 h 8 min each" in said
    assert 'title="10 Feb to 12 Mar"' in html
    assert "1 upcoming session" in said
    assert "Sessions 1 Recordings" in said
    assert "Next sessions Show all : Next sessions" in said
    assert "Standup" in said
    assert "30 min What changed" in said
    assert "What changed History : What changed" in said
    assert "Department Analysis 2 more changes, You Undo" in said
    assert "History 1" in said


@pytest.mark.parametrize("name", TABS)
def test_a_tab_is_loaded_alone_into_a_page_that_is_open(client, connection, person, name):
    address = url(connection, person, name)
    fragment = part(client, address, "panel").content.decode()
    assert "<html" not in fragment
    assert 'id="thing-facts"' not in fragment
    assert _current_tab(fragment) == _current_tab(_html(client, address))


def test_key_facts_can_be_copied(client, connection, person):
    html = _html(client, url(connection, person))
    now = person.now()
    for fact in (now["email"], now["id"], now["pmi"], now["personal_meeting_url"]):
        assert f'data-copy="{escape(fact)}"' in html


def test_the_page_asks_the_service_and_puts_the_list_right(client, connection, person, sandbox):
    sandbox.client.patch(f"/users/{person.id}", json={"dept": "Cryptography"})
    assert "Cryptography" in text_of(_html(client, url(connection, person)))
    assert MirroredUser.objects.get(user_id=person.id).dept == "Cryptography"


def test_a_status_that_no_list_has_reported_is_unknown(client, connection, person):
    MirroredUser.objects.all().delete()
    html = _html(client, url(connection, person))
    assert "Status unknown" in html
    assert "?action=activate" in html
    assert "?action=deactivate" in html


def test_somebody_who_is_gone_is_not_found_and_leaves_the_list(client, connection, person, sandbox):
    sandbox.client.delete(f"/users/{person.id}?action=delete")
    assert client.get(url(connection, person)).status_code == 404
    assert mirror.status_of(whole(connection), person.id) == ""


def test_an_email_address_leads_to_the_person(client, connection, person):
    response = client.get(url(connection, person.email))
    assert response.status_code == 303
    assert response["Location"] == url(connection, person)


@pytest.mark.parametrize("name", TABS)
def test_no_tab_shows_host_key_pin_or_password_unasked(client, connection, person, sandbox, name):
    account = {"conference_code": "112233", "leader_pin": "98765432109"}
    assert sandbox.client.post(f"/users/{person.id}/tsp", json=account).status_code == 201
    html = _html(client, url(connection, person, name))
    assert not re.search(rf"\b{person.now()['host_key']}\b", html)
    assert "98765432109" not in html


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ request.user }}{% debug %}",
    "javascript:alert(1)",
    "\u202egnirts\u200b",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_ever_text(client, connection, make_person, sandbox, name):
    person = make_person(first_name=name, last_name="X")
    sandbox.client.patch(f"/users/{person.id}", json={"dept": name, "cms_user_id": name})
    colleague = make_person(first_name="Grace")
    adding = {"assistants": [{"id": person.id}]}
    sandbox.client.post(f"/users/{colleague.id}/assistants", json=adding)
    addresses = [url(connection, person, tab) for tab in TABS]
    addresses += [
        url(connection, person, "profile-edit", "name"),
        url(connection, person, "status"),
        url(connection, person, "email"),
        url(connection, colleague, "delegates"),
        url(connection, colleague, "assistant-remove", person.id),
        url(connection, person, "picture-image"),
    ]
    for address in addresses:
        html = _html(client, address)
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert escape(name) in _html(client, url(connection, person))


def test_a_viewer_is_offered_nothing_that_changes(connect, viewer, person, connection):
    mine = connect(viewer)
    client = admin_client_for(viewer)
    for name in TABS:
        html = _html(client, url(mine, person, name)).split('<main class="sb-main"', 1)[1]
        for mark in ("data-dialog", 'method="post"', "/profile/name/", "/shown/", "/new/"):
            assert mark not in html.split("</main>")[0], (name, mark)


def test_connection_that_only_reads_offers_nothing_that_changes(
    client, connect, administrator, person
):
    reading = connect(administrator, "Reading", read_only=True)
    html = _html(client, url(reading, person)).split('<main class="sb-main"', 1)[1]
    assert "Edit<" not in html
    assert "data-dialog" not in html
    response = client.post(url(reading, person, "status"), {"action": "deactivate"})
    assert response.status_code == 403


def test_licence_that_document_does_not_name_is_shown_as_it_came(
    client, connect, administrator, fault_server
):
    connection = connect(administrator, "Newer")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    data = {"id": "u1", "email": "ada@example.com", "type": 9, "pmi": "12", "created_at": "soon"}
    fault_server.always(answer(200, data))
    assert "9" in text_of(_html(client, url(connection, "u1")))


def test_a_service_that_fails_is_said_plainly(client, connect, administrator, fault_server):
    connection = connect(administrator, "Down")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(answer(500, {"message": "Out of order."}))
    response = client.get(url(connection, "u1"))
    assert response.status_code == 502
    assert "The conferencing service failed" in response.content.decode()


def test_what_the_answer_leaves_out_is_not_reported(client, faulty, fault_server):
    """Services of today report the status of one person, and leave the host key out."""
    one = {"id": "u-1", "email": "a@x.de", "status": "pending", "dept": ""}
    fault_server.always(answer(200, one))
    page = client.get(reverse("people:profile", args=[faulty.key, "u-1"])).text
    shown = text_of(page)
    assert "Host key Not reported" in shown
    assert "Department Not set" in shown
    assert "Content system Edit content system CMS user ID Not reported" in shown
    assert "Pending" in shown
    assert "?action=activate" not in page
    assert "?action=deactivate" not in page


class TestServiceThatDoesNotAnswer:
    """The person stays on the page as they are stored."""

    @pytest.fixture(autouse=True)
    def silent(self, client, connection, person, fault_server):
        client.get(url(connection, person))
        mirror.USERS.mark_viewed(connection)
        MirrorState.objects.filter(connection=connection).update(refreshed_at=timezone.now())
        fault_server.always(answer(500, {"message": "Out of order."}))
        Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)

    @pytest.mark.parametrize("name", TABS)
    def test_tab_keeps_head_and_tabs_of_stored_person(self, client, connection, person, name):
        response = client.get(url(connection, person, name))
        assert response.status_code == 502
        html = response.content.decode()
        said = text_of(html)
        assert f">{person.name}</span></h1>" in html
        assert f'href="{url(connection, person, "settings")}"' in html
        assert _current_tab(html)
        assert "The conferencing service failed. What is shown is as of" in said
        assert "Try again" in said
        assert ('id="identity"' in html) == (name == "person")

    def test_tab_loaded_alone_says_so_in_its_place(self, client, connection, person):
        failed = part(client, url(connection, person, "settings"), "panel")
        html = failed.content.decode()
        assert failed["HX-Fault"] == "true"
        assert "<html" not in html
        assert _current_tab(html)
        assert "The conferencing service failed" in html

    def test_dialog_is_no_page_of_the_person(self, client, connection, person):
        response = client.get(url(connection, person, "licence"))
        assert 'id="thing-facts"' not in response.content.decode()
