"""Registrants: listed by status, searched, registered one by one, decided, taken along."""

import csv
import html
import io
import re
from typing import Any

import pytest
from django.test import Client

from portal.access.models import AuditEntry, Connection, User
from portal.sessions.specs import SessionSpec
from tests.people.pages import part
from tests.people.reading import form_with, text_of
from tests.plugins.fault_server import FaultServer, Seen, answer, depending
from tests.plugins.portal import Connect, admin_client_for
from tests.plugins.sandbox import Sandbox
from tests.sessions.conftest import Made, MakeSession
from tests.sessions.pages import url

pytestmark = pytest.mark.django_db

QUESTION = "Favourite pie?"


@pytest.fixture
def session(make_session: MakeSession, kind: SessionSpec) -> Made:
    """A session whose registrations wait for approval."""
    return make_session(kind, settings={"approval_type": 1})


def _register(sandbox: Sandbox, session: Made, *names: str, **more: Any) -> list[str]:
    """The ids of those who registered by themselves."""
    ids = []
    for name in names:
        body = {"email": f"{name}@example.com", "first_name": name.title(), "last_name": "Byron"}
        path = f"/{session.kind.family}/{session.id}/registrants"
        made = sandbox.client.post(path, json=body | more)
        assert made.status_code == 201, made.text
        ids.append(made.json()["registrant_id"])
    return ids


def _emails(sandbox: Sandbox, session: Made, status: str, **more: Any) -> list[str]:
    path = f"/{session.kind.family}/{session.id}/registrants"
    data = sandbox.client.get(path, params={"status": status, "page_size": 300, **more}).json()
    return [one["email"] for one in data["registrants"]]


def _decide(
    client: Client, connection: Connection, session: Made, action: str, **chosen: Any
) -> Any:
    """Chooses, is asked, and confirms."""
    address = url(connection, session, "registrants-decide", action)
    asked = client.post(address, {"matching": "status=pending", **chosen})
    assert asked.status_code == 200, asked
    return client.post(address, form_with(asked.text, "confirmed").values, follow=True)


def test_registrants_are_listed_by_status_with_how_many_have_each(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    ada, bob, _eve = _register(sandbox, session, "ada", "bob", "eve")
    address = url(connection, session, "registrants")
    assert "No approved registrants" in client.get(address, {"status": "approved"}).text
    _decide(client, connection, session, "approve", chosen=[ada])
    _decide(client, connection, session, "deny", chosen=[bob])
    approved = client.get(address, {"status": "approved"})
    assert "ada@example.com" in approved.text
    assert "eve@example.com" not in approved.text
    counts = [(tab.label, tab.count) for tab in approved.context["tabs_by_status"]]
    assert counts == [("Approved", 1), ("Pending", 1), ("Denied", 1)]
    assert "eve@example.com" in client.get(address, {"status": "pending"}).text
    assert "bob@example.com" in client.get(address, {"status": "denied"}).text
    assert client.get(address, {"status": "nonsense", "page": "x"}).status_code == 200


def test_the_list_opens_on_those_who_wait_for_a_decision_while_there_are_any(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    address = url(connection, session, "registrants")
    assert "No approved registrants" in client.get(address).text
    ada, bob = _register(sandbox, session, "ada", "bob")
    opened = client.get(address)
    assert "bob@example.com" in opened.text
    current = [(tab.label, tab.count) for tab in opened.context["tabs_by_status"] if tab.is_current]
    assert current == [("Pending", 2)]
    # What leads on from the list is about the same ones.
    file = re.search(r'href="([^"]+/csv/[^"]*)"', opened.text)
    assert file
    assert "ada@example.com" in exported(client, html.unescape(file[1]))
    assert form_with(opened.text, "status").values["status"] == "pending"
    _decide(client, connection, session, "approve", chosen=[ada])
    assert "bob@example.com" in client.get(address).text
    decided = _decide(client, connection, session, "deny", chosen=[bob])
    assert decided.status_code == 200
    assert "ada@example.com" in client.get(address).text


def exported(client: Client, address: str) -> str:
    """What a file of the list holds."""
    return b"".join(client.get(address)).decode("utf-8-sig")


def test_pages_are_those_of_the_service_and_a_page_too_far_is_the_last(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    _register(sandbox, session, *(f"p{number:02}" for number in range(27)))
    asked = {"status": "pending", "per_page": "25"}
    address = url(connection, session, "registrants")
    first = client.get(address, asked)
    assert len(first.context["found"].people) == 25
    assert "of 27" in text_of(first.text)
    for page in ("2", "9"):
        last = client.get(address, {**asked, "page": page})
        assert len(last.context["found"].people) == 2
        assert "p26@example.com" in last.text


def test_a_search_looks_through_names_emails_and_answers(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    _register(sandbox, session, "ada", "bob")
    _register(sandbox, session, "eve", custom_questions=[{"title": QUESTION, "value": "Apple"}])
    address = url(connection, session, "registrants")
    for words, found in (
        ("apple", ["eve"]),
        ("ADA byron", ["ada"]),
        ("byron", ["ada", "bob", "eve"]),
    ):
        page = client.get(address, {"status": "pending", "q": words})
        listed = [one.email.partition("@")[0] for one in page.context["found"].people]
        assert listed == found
    nothing = client.get(address, {"status": "pending", "q": "zebra"})
    assert "No results" in nothing.text


def test_a_registrants_page_tells_all_that_they_answered(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    more = {
        "custom_questions": [{"title": QUESTION, "value": "<b>Apple</b>"}],
        "no_of_employees": "21-50",
        "org": "Engines",
    }
    [eve] = _register(sandbox, session, "eve", **more)
    page = client.get(url(connection, session, "registrant", eve))
    shown = text_of(page.text)
    for words in ("Eve Byron", "Pending", "21 to 50", "Engines", QUESTION):
        assert words in shown
    assert "&lt;b&gt;Apple" in page.text
    assert client.get(url(connection, session, "registrant", "nobody")).status_code == 404


def test_what_they_answered_can_be_shown_as_columns(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    answers = [{"title": QUESTION, "value": "<b>Apple</b>"}]
    _register(sandbox, session, "ada", no_of_employees="21-50", custom_questions=answers)
    _register(sandbox, session, "bob")
    address = url(connection, session, "registrants")
    listed = client.get(address, {"status": "pending"})
    shown = text_of(part_of(listed.text, "table"))
    assert "Email" in shown
    assert not {"Employees", QUESTION, "Apple"} & set(shown.split())
    asked = form_with(listed.text, "columns")
    titles = {column.title: column.name for column in listed.context["columns"]}
    assert {"Organisation", "Job title", "Questions and comments", QUESTION} <= set(titles)
    wanted = [titles[title] for title in ("Name", "Employees", QUESTION)]
    client.post(asked.action, asked.values | {"columns": wanted})
    table = part_of(client.get(address, {"status": "pending"}).text, "table")
    assert "Employees Favourite pie?" in text_of(table)
    assert "21 to 50 <b>Apple</b>" in text_of(table)
    assert 'data-label="Email"' not in table


def part_of(page: str, tag: str) -> str:
    return page.partition(f"<{tag}")[2].partition(f"</{tag}>")[0]


def test_a_join_link_is_told_to_those_alone_who_decide_who_joins(
    connection: Connection, viewer: User, connect: Connect, session: Made, sandbox: Sandbox
):
    session.set(settings={"approval_type": 0})
    [ada] = _register(sandbox, session, "ada")
    path = f"/{session.kind.family}/{session.id}/registrants"
    link = html.escape(sandbox.client.get(path).json()["registrants"][0]["join_url"])
    decides = admin_client_for(connection.owner)
    said = decides.get(url(connection, session, "registrant", ada)).text
    assert link in "".join(said.split("<wbr>"))
    mine, browser = connect(viewer), admin_client_for(viewer)
    page = browser.get(url(mine, session, "registrant", ada)).text
    assert "Join link Hidden" in text_of(page)
    assert link not in "".join(page.split("<wbr>"))
    export = url(mine, session, "registrants-export", "csv")
    assert b"join_url" not in b"".join(browser.get(export, {"status": "approved"}))


def test_somebody_is_registered_with_answers_to_the_questions_others_were_asked(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    asked = [{"title": QUESTION, "value": "Apple"}, {"title": "Allergies?", "value": "None"}]
    _register(sandbox, session, "ada", custom_questions=asked)
    address = url(connection, session, "registrant-add")
    form = form_with(client.get(address).text, "email")
    assert form.values["custom_questions.0.title"] == QUESTION
    typed = form.values | {
        "email": "bob@example.com",
        "first_name": "Bob",
        "last_name": "Byron",
        "custom_questions.0.value": "Cherry",
        "org": "Engines",
    }
    done = client.post(address, typed, follow=True)
    assert done.redirect_chain == [
        (f"{url(connection, session, 'registrants')}?status=pending", 303)
    ]
    assert "pending approval" in text_of(done.text)
    path = f"/{session.kind.family}/{session.id}/registrants"
    answer = sandbox.client.get(path, params={"status": "pending"}).json()["registrants"]
    bob = next(one for one in answer if one["email"] == "bob@example.com")
    assert bob["custom_questions"] == [{"title": QUESTION, "value": "Cherry"}]
    assert bob["org"] == "Engines"
    client.post(address, typed)
    assert (
        AuditEntry.objects.filter(operation__endswith="_registrants.add", intent=None).count() == 1
    )


def test_what_is_wrong_with_a_registration_is_said_at_its_field(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    address = url(connection, session, "registrant-add")
    refused = client.post(address, {"email": "nobody", "first_name": "", "last_name": "x"})
    assert refused.status_code == 422
    assert {"email", "first_name"} <= set(refused.context["form"].errors)
    session.set(settings={"approval_type": 2})
    closed = client.post(
        address, {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}
    )
    assert closed.status_code == 422
    assert "takes no registrations" in closed.text
    listed = client.get(url(connection, session, "registrants")).text
    assert "Registration is not required" in listed
    assert 'href="add/"' not in listed


@pytest.mark.parametrize("is_there", [True, False])
def test_a_registration_without_an_answer_is_settled_by_looking_for_the_email(
    client: Client,
    connection: Connection,
    session: Made,
    fault_server: FaultServer,
    *,
    is_there: bool,
):
    ada = {"id": "r1", "email": "ADA@example.com", "first_name": "Ada", "last_name": "Byron"}

    def fail(seen: Seen) -> Any:
        if seen.method == "POST":
            return answer(502, {"message": "Broken."})
        if seen.path.endswith("registrants"):
            there = is_there and seen.query["status"] == "pending"
            people = [ada | {"status": "pending"}] if there else []
            return answer(200, {"registrants": people, "total_records": len(people)})
        return answer(404, {"message": "No."})

    address = url(connection, session, "registrant-add")
    idempotency_key = form_with(client.get(address).text, "email").values["idempotency_key"]
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(fail))
    typed = {
        "email": "ada@example.com",
        "first_name": "Ada",
        "last_name": "Byron",
        "idempotency_key": idempotency_key,
    }
    ended = client.post(address, typed)
    if is_there:
        assert ended["Location"].endswith("?status=pending")
    else:
        assert ended.status_code == 422
        assert "Not registered" in ended.text
        assert form_with(ended.text, "email").values["idempotency_key"] != idempotency_key
    client.post(address, typed)
    posts = [seen for seen in fault_server.requests if seen.method == "POST"]
    assert len(posts) == 1, "it was sent again blindly"


def test_many_are_decided_in_chunks_of_thirty(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    ids = _register(sandbox, session, *(f"p{number:02}" for number in range(65)))
    done = _decide(client, connection, session, "approve", chosen=ids[:3], kept=" ".join(ids[3:]))
    assert "65 registrants are approved" in text_of(done.text)
    assert len(_emails(sandbox, session, "approved")) == 65
    sent = AuditEntry.objects.filter(operation__endswith="_registrants.change_status", intent=None)
    assert sorted(len(one.sent["registrants"]) for one in sent) == [5, 30, 30]


def test_all_that_match_are_those_who_were_shown_when_it_was_asked(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    _register(sandbox, session, "ada", "bob")
    address = url(connection, session, "registrants-decide", "deny")
    asked = client.post(address, {"all": "1", "matching": "status=pending&q=byron"})
    assert "Ada Byron, Bob Byron" in text_of(asked.text)
    assert _emails(sandbox, session, "denied") == []
    _register(sandbox, session, "late")
    client.post(address, form_with(asked.text, "confirmed").values)
    assert _emails(sandbox, session, "denied") == ["ada@example.com", "bob@example.com"]
    assert _emails(sandbox, session, "pending") == ["late@example.com"]


def test_who_is_gone_or_refused_is_named_and_the_others_are_done(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    ids = _register(sandbox, session, "ada", "bob", "eve")
    address = url(connection, session, "registrants-decide", "approve")
    asked = client.post(address, {"matching": "status=pending", "chosen": ids})
    confirmed = form_with(asked.text, "confirmed").values
    path = f"/{session.kind.family}/{session.id}/registrants/status"
    body = {"action": "cancel", "registrants": [{"id": ids[1]}]}
    assert sandbox.client.put(path, json=body).status_code == 204
    answer = client.post(address, confirmed)
    assert "1 of the selected registrants is no longer in the list" in text_of(answer.text)
    assert _emails(sandbox, session, "approved") == ["ada@example.com", "eve@example.com"]


def test_a_chunk_that_is_refused_is_tried_one_by_one(
    client: Client,
    connection: Connection,
    session: Made,
    sandbox: Sandbox,
    fault_server: FaultServer,
):
    people = [
        {"id": who, "email": f"{who}@example.com", "first_name": who, "last_name": "B"}
        for who in ("ada", "bad", "eve")
    ]

    def tell(seen: Seen) -> Any:
        if seen.method == "PUT":
            named = [one["id"] for one in seen.json["registrants"]]
            return answer(404, {"message": "Unknown."}) if "bad" in named else answer(204)
        if seen.path.endswith("registrants"):
            return answer(200, {"registrants": people, "total_records": 3})
        return answer(200, {"id": session.id, "topic": "Budget", "host_id": "h"})

    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(tell))
    data = text_of(_decide(client, connection, session, "deny", chosen=["ada", "bad", "eve"]).text)
    assert "2 denied, others not" in data
    assert "bad B Unknown." in data


def test_nothing_chosen_and_unknown_actions_change_nothing(
    client: Client, connection: Connection, session: Made
):
    address = url(connection, session, "registrants-decide", "approve")
    assert "Nothing is selected" in client.post(address, follow=True).text
    gone = client.post(address, {"chosen": ["nobody"], "matching": "status=pending"}, follow=True)
    assert "None of the selected registrants is in this list" in gone.text
    assert client.post(url(connection, session, "registrants-decide", "adore")).status_code == 404


def test_registrants_of_one_occurrence_are_listed_and_decided_alone(
    client: Client,
    connection: Connection,
    kind: SessionSpec,
    make_session: MakeSession,
    sandbox: Sandbox,
):
    recurring = next(iter(kind.recurring & kind.fixed)).value
    session = make_session(
        kind,
        type=recurring,
        start_time="2031-01-06T09:00:00Z",
        timezone="UTC",
        duration=30,
        recurrence={"type": 1, "repeat_interval": 1, "end_times": 3},
        settings={"approval_type": 0, "registration_type": 2},
    )
    first, second, _ = (str(one["occurrence_id"]) for one in session.now()["occurrences"])
    address = url(connection, session, "registrant-add")
    form = client.get(address).context["form"]
    assert len(form.fields["occurrences"].choices) == 3
    typed = {"email": "ada@example.com", "first_name": "Ada", "last_name": "B"}
    assert client.post(address, typed | {"occurrences": [first, second]}).status_code == 303
    [ada] = _emails(sandbox, session, "approved", occurrence_id=second)
    listed = url(connection, session, "registrants")
    page = client.get(listed, {"occurrence": first})
    assert ada in page.text
    [person] = page.context["found"].people
    asked = {"chosen": [person.id], "matching": f"status=approved&occurrence={first}"}
    decided = client.post(url(connection, session, "registrants-decide", "cancel"), asked)
    assert "their other occurrences are kept" in decided.text
    client.post(
        url(connection, session, "registrants-decide", "cancel"),
        form_with(decided.text, "confirmed").values,
    )
    assert _emails(sandbox, session, "approved", occurrence_id=first) == []
    assert _emails(sandbox, session, "approved", occurrence_id=second) == [ada]


def test_registrants_are_taken_along_as_files_that_no_spreadsheet_runs(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    _register(sandbox, session, "ada", org="=1+1")
    answers = [{"title": QUESTION, "value": "Apple"}, {"title": "email", "value": "Odd"}]
    _register(sandbox, session, "eve", custom_questions=answers)
    address = url(connection, session, "registrants-export", "csv")
    file = client.get(address, {"status": "pending"})
    rows = list(csv.DictReader(io.StringIO(b"".join(file).decode("utf-8-sig"))))
    assert [row["email"] for row in rows] == ["ada@example.com", "eve@example.com"]
    assert rows[0]["org"] == "'=1+1"
    assert (rows[1][QUESTION], rows[1]["email (answer)"]) == ("Apple", "Odd")
    chosen = {"all": "1", "matching": "status=pending&q=eve"}
    some = client.post(address, chosen)
    assert b"ada@example.com" not in b"".join(some)
    book = client.get(url(connection, session, "registrants-export", "xlsx"), {"status": "pending"})
    assert b"".join(book).startswith(b"PK")
    assert AuditEntry.objects.filter(operation="list.export").count() == 3
    assert client.get(url(connection, session, "registrants-export", "pdf")).status_code == 404


def test_a_viewer_sees_registrants_and_is_offered_no_decision(
    viewer: User, connect: Connect, session: Made, sandbox: Sandbox
):
    [ada] = _register(sandbox, session, "ada")
    mine = connect(viewer)
    browser = admin_client_for(viewer)
    page = browser.get(url(mine, session, "registrants"), {"status": "pending"})
    assert "ada@example.com" in page.text
    for path in ("decide/", "add/", "import/"):
        assert f"/registrants/{path}" not in page.text
    assert "/registrants/decide/" not in browser.get(url(mine, session, "registrant", ada)).text


def test_the_tab_loads_into_an_open_page(client: Client, connection: Connection, session: Made):
    panel = part(client, url(connection, session, "registrants"), "panel")
    assert 'id="results"' in panel.text
    assert "<html" not in panel.text
