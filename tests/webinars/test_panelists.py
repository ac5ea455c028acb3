"""Panelists of a webinar: named line by line, listed with their links, removed."""

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.webinars.spec import WEBINARS
from portal.webinars.views.panelists import PanelistsForm
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def webinar(make_session):
    return make_session(WEBINARS)


def _panelists(sandbox, webinar):
    return list(sandbox.client.get(f"/webinars/{webinar.id}/panelists").json()["panelists"])


def _add(client, connection, webinar, people):
    address = url(connection, webinar, "panelists-add")
    idempotency_key = form_with(client.get(address).text, "people").values["idempotency_key"]
    return client.post(address, {"people": people, "idempotency_key": idempotency_key}, follow=True)


@pytest.fixture
def two(client, connection, webinar):
    _add(client, connection, webinar, "Ada Lovelace <ada@example.com>\ngrace@example.com")


@pytest.mark.parametrize(
    ("line", "name", "email"),
    [
        ("Ada Lovelace <ada@example.com>", "Ada Lovelace", "ada@example.com"),
        ('"Lovelace, Ada" <ada@example.com>,', "Lovelace, Ada", "ada@example.com"),
        ("ada@example.com", None, "ada@example.com"),
        ("Ada Lovelace ada@example.com", "Ada Lovelace", "ada@example.com"),
        ("Ada Lovelace\tada@example.com", "Ada Lovelace", "ada@example.com"),
        ("ada@example.com;Ada Lovelace", "Ada Lovelace", "ada@example.com"),
        ("Ada, Lovelace, ada@example.com", "Ada Lovelace", "ada@example.com"),
        ("<ada@example.com>", None, "ada@example.com"),
    ],
)
def test_a_line_is_read_as_people_write_it(line, name, email):
    asked = PanelistsForm({"people": line})
    asked.is_valid()
    form = PanelistsForm({"people": asked.data["people"]})
    assert form.is_valid(), form.errors
    [named] = form.cleaned_data["people"]
    assert (named.panelist.name, named.panelist.email) == (name, email)


def test_a_list_on_one_line_is_shown_before_anybody_is_added(client, connection, webinar, sandbox):
    text = 'Ada Lovelace <ada@example.com>; "Hopper, Grace" <grace@example.com>; al@example.com'
    refused = _add(client, connection, webinar, text)
    assert "3 people were understood" in text_of(refused.text)
    assert _panelists(sandbox, webinar) == []
    shown = form_with(refused.text, "people").values["people"]
    _add(client, connection, webinar, shown)
    found = {(one["name"], one["email"]) for one in _panelists(sandbox, webinar)}
    assert ("Ada Lovelace", "ada@example.com") in found
    assert ("Hopper, Grace", "grace@example.com") in found


def test_lines_that_name_nobody_hold_up_nobody_else():
    form = PanelistsForm({"people": "ada@example.com\n\nAda Lovelace\nada@nowhere"})
    assert form.is_valid()
    named = form.cleaned_data["people"]
    assert [one.name for one in named] == ["ada@example.com", "Ada Lovelace", "ada@nowhere"]
    assert [bool(one.problem) for one in named] == [False, True, True]
    assert not PanelistsForm({"people": " \n"}).is_valid()
    many = "\n".join(f"p{number}@example.com" for number in range(301))
    assert "at most 300" in str(PanelistsForm({"people": many}).errors)


def test_panelists_are_added_and_listed_with_links_of_their_own(
    client, connection, webinar, sandbox
):
    assert "No panelists yet" in client.get(url(connection, webinar, "panelists")).text
    lines = "\n".join(f"Person {number} <p{number}@example.com>" for number in range(65))
    done = _add(client, connection, webinar, lines + "\nP0@example.com")
    assert done.redirect_chain == [(url(connection, webinar, "panelists"), 303)]
    found = _panelists(sandbox, webinar)
    assert len(found) == 65
    assert AuditEntry.objects.filter(operation="panelists.add", intent=None).count() == 3
    assert all(f'data-copy="{one["join_url"]}"' in done.text for one in found)
    assert "Copy all links" in done.text


def test_a_second_click_sends_nobody_again(client, connection, webinar, two):
    address = url(connection, webinar, "panelists-add")
    idempotency_key = form_with(client.get(address).text, "people").values["idempotency_key"]
    for _ in range(2):
        answered = client.post(
            address, {"people": "eve@example.com", "idempotency_key": idempotency_key}
        )
        assert answered.status_code == 303
    assert AuditEntry.objects.filter(operation="panelists.add", intent=None).count() == 2


def test_who_is_refused_is_named_and_stays_in_the_form(client, connection, webinar, fault_server):
    def refuse(seen):
        if seen.method == "GET" and seen.path.endswith("panelists"):
            return answer(200, {"panelists": []})
        if seen.method == "GET":
            return answer(404, {"message": "No."})
        emails = [one["email"] for one in seen.json["panelists"]]
        if "bad@example.com" in emails:
            return answer(400, {"message": "Not this one."})
        return answer(201, {"id": "1", "join_url": ""})

    address = url(connection, webinar, "panelists-add")
    idempotency_key = form_with(client.get(address).text, "people").values["idempotency_key"]
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(refuse))
    typed = {
        "people": "ada@example.com\nBad <bad@example.com>\nNobody",
        "idempotency_key": idempotency_key,
    }
    refused = client.post(address, typed)
    assert refused.status_code == 422
    assert "1 person was added, 2 were not" in text_of(refused.text)
    assert "Nobody: " in text_of(refused.text)
    assert "bad@example.com: Not this one." in text_of(refused.text)
    again = form_with(refused.text, "people").values
    assert again["people"].splitlines() == ["Nobody", "Bad <bad@example.com>"]
    assert again["idempotency_key"] != idempotency_key


@pytest.mark.parametrize("is_there", [True, False])
def test_an_addition_without_an_answer_is_settled_by_looking(
    client, connection, webinar, fault_server, *, is_there
):
    there = [{"id": "1", "name": "", "email": "ADA@example.com", "join_url": ""}]

    def fail(seen):
        if seen.method == "POST":
            return answer(500, {"message": "Broken."})
        if seen.path.endswith("panelists"):
            return answer(200, {"panelists": there if is_there else []})
        return answer(404, {"message": "No."})

    address = url(connection, webinar, "panelists-add")
    idempotency_key = form_with(client.get(address).text, "people").values["idempotency_key"]
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(fail))
    ended = client.post(address, {"people": "ada@example.com", "idempotency_key": idempotency_key})
    assert ended.status_code == (303 if is_there else 422)
    assert len([seen for seen in fault_server.requests if seen.method == "POST"]) == 1


def test_one_is_removed_after_being_asked(client, connection, webinar, sandbox, two):
    ada = next(one for one in _panelists(sandbox, webinar) if one["email"] == "ada@example.com")
    address = url(connection, webinar, "panelist-remove", ada["id"])
    assert "Remove Ada Lovelace?" in text_of(client.get(address).text)
    assert client.post(address).status_code == 303
    assert [one["email"] for one in _panelists(sandbox, webinar)] == ["grace@example.com"]
    assert client.post(address).status_code == 404


def test_removing_all_takes_a_fresh_proof_of_who_one_is(
    client, administrator, connection, webinar, *, sandbox, two
):
    address = url(connection, webinar, "panelists-remove-all")
    stale = admin_client_for(administrator, recently=False)
    assert "reauthenticate" in stale.post(address)["Location"]
    assert len(_panelists(sandbox, webinar)) == 2
    assert "2 panelists can no longer speak in" in text_of(client.get(address).text)
    assert client.post(address).status_code == 303
    assert _panelists(sandbox, webinar) == []


def test_an_operator_removes_one_but_not_all(operator, connect, webinar, two):
    mine = connect(operator)
    page = admin_client_for(operator).get(url(mine, webinar, "panelists")).text
    assert "/remove/" in page
    assert "/remove-all/" not in page
