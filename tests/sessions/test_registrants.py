"""Registrants: listed by status, searched, each with a page, and as files."""

import csv
import html
import io
import re

import pytest

from portal.audit.models import AuditEntry
from tests.sessions.registered import QUESTION, decide, register, rows
from tests.support.html import form_with, text_of
from tests.support.people_pages import part
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db
_COLUMN = re.compile(
    r'name="columns" value="([^"]+)"[^<]*>(?:<span class="form-check-label">)([^<]+)<'
)


def test_registrants_are_listed_by_status_with_counts(client, connection, session, sandbox):
    ada, bob, _eve = register(sandbox, session, "ada", "bob", "eve")
    address = url(connection, session, "registrants")
    assert "No approved registrants" in client.get(address, {"status": "approved"}).text
    decide(client, connection, session, "approve", chosen=[ada])
    decide(client, connection, session, "deny", chosen=[bob])
    approved = client.get(address, {"status": "approved"})
    assert "ada@example.com" in approved.text
    assert "eve@example.com" not in approved.text
    counts = [(tab.label, tab.count) for tab in approved.context["tabs"]]
    assert counts == [("Approved", 1), ("Pending", 1), ("Denied", 1)]
    assert "eve@example.com" in client.get(address, {"status": "pending"}).text
    assert "bob@example.com" in client.get(address, {"status": "denied"}).text
    assert client.get(address, {"status": "nonsense", "page": "x"}).status_code == 200


def test_list_opens_on_those_who_await_a_decision(client, connection, session, sandbox):
    address = url(connection, session, "registrants")
    assert "No approved registrants" in client.get(address).text
    ada, bob = register(sandbox, session, "ada", "bob")
    opened = client.get(address)
    assert "bob@example.com" in opened.text
    current = [(tab.label, tab.count) for tab in opened.context["tabs"] if tab.is_current]
    assert current == [("Pending", 2)]
    # What leads on from the list is about the same ones.
    file = re.search(r'href="([^"]+/csv/[^"]*)"', opened.text)
    assert file
    assert "ada@example.com" in exported(client, html.unescape(file[1]))
    assert form_with(opened.text, "status").values["status"] == "pending"
    decide(client, connection, session, "approve", chosen=[ada])
    assert "bob@example.com" in client.get(address).text
    decided = decide(client, connection, session, "deny", chosen=[bob])
    assert decided.status_code == 200
    assert "ada@example.com" in client.get(address).text


def exported(client, address):
    """Returns the text of a file of the list."""
    return b"".join(client.get(address)).decode("utf-8-sig")


def test_pages_are_those_of_service_and_page_too_far_is_last(client, connection, session, sandbox):
    register(sandbox, session, *(f"p{number:02}" for number in range(27)))
    asked = {"status": "pending", "per_page": "25"}
    address = url(connection, session, "registrants")
    first = client.get(address, asked)
    assert len(first.context["list"].page) == 25
    assert "of 27" in text_of(first.text)
    for page in ("2", "9"):
        last = client.get(address, {**asked, "page": page})
        assert len(last.context["list"].page) == 2
        assert "p26@example.com" in last.text


def test_a_search_looks_through_names_emails_and_answers(client, connection, session, sandbox):
    register(sandbox, session, "ada", "bob")
    register(sandbox, session, "eve", custom_questions=[{"title": QUESTION, "value": "Apple"}])
    address = url(connection, session, "registrants")
    for words, found in (
        ("apple", ["eve"]),
        ("ADA byron", ["ada"]),
        ("byron", ["ada", "bob", "eve"]),
    ):
        page = client.get(address, {"status": "pending", "q": words})
        listed = [one.email.partition("@")[0] for one in rows(page)]
        assert listed == found
    nothing = client.get(address, {"status": "pending", "q": "zebra"})
    assert "No results" in nothing.text


def test_a_registrants_page_reports_all_that_they_answered(client, connection, session, sandbox):
    more = {
        "custom_questions": [{"title": QUESTION, "value": "<b>Apple</b>"}],
        "no_of_employees": "21-50",
        "org": "Engines",
    }
    [eve] = register(sandbox, session, "eve", **more)
    page = client.get(url(connection, session, "registrant", eve))
    shown = text_of(page.text)
    for words in ("Eve Byron", "Pending", "21 to 50", "Engines", QUESTION):
        assert words in shown
    assert "&lt;b&gt;Apple" in page.text
    assert client.get(url(connection, session, "registrant", "nobody")).status_code == 404


def test_what_they_answered_can_be_shown_as_columns(client, connection, session, sandbox):
    answers = [{"title": QUESTION, "value": "<b>Apple</b>"}]
    register(sandbox, session, "ada", no_of_employees="21-50", custom_questions=answers)
    register(sandbox, session, "bob")
    address = url(connection, session, "registrants")
    listed = client.get(address, {"status": "pending"})
    shown = text_of(part_of(listed.text, "table"))
    assert "Email" in shown
    assert not {"Employees", QUESTION, "Apple"} & set(shown.split())
    asked = form_with(listed.text, "columns")
    offered = _COLUMN.findall(listed.text)
    titles = {html.unescape(title): name for name, title in offered}
    assert {"Organisation", "Job title", "Questions and comments", QUESTION} <= set(titles)
    wanted = [titles[title] for title in ("Name", "Employees", QUESTION)]
    client.post(asked.action, asked.values | {"columns": wanted})
    table = part_of(client.get(address, {"status": "pending"}).text, "table")
    assert "Employees Favourite pie?" in text_of(table)
    assert "21 to 50 <b>Apple</b>" in text_of(table)
    assert 'data-label="Email"' not in table


def part_of(page, tag):
    return page.partition(f"<{tag}")[2].partition(f"</{tag}>")[0]


def test_join_link_is_reported_to_deciders_alone(connection, viewer, connect, session, sandbox):
    session.set(settings={"approval_type": 0})
    [ada] = register(sandbox, session, "ada")
    path = f"/{session.spec.family}/{session.id}/registrants"
    link = html.escape(sandbox.client.get(path).json()["registrants"][0]["join_url"])
    decides = admin_client_for(connection.owner)
    said = decides.get(url(connection, session, "registrant", ada)).text
    assert link in "".join(said.split("<wbr>"))
    mine, browser = connect(viewer), admin_client_for(viewer)
    page = browser.get(url(mine, session, "registrant", ada)).text
    assert "Join link Hidden" in text_of(page)
    assert link not in "".join(page.split("<wbr>"))
    export = url(mine, session, "registrants-export", "csv")
    assert b"Join link" not in b"".join(browser.get(export, {"status": "approved"}))


def test_registrants_are_exported_without_formulas(client, connection, session, sandbox):
    register(sandbox, session, "ada", org="=1+1")
    answers = [{"title": QUESTION, "value": "Apple"}, {"title": "email", "value": "Odd"}]
    register(sandbox, session, "eve", custom_questions=answers)
    address = url(connection, session, "registrants-export", "csv")
    file = client.get(address, {"status": "pending", "columns": "all"})
    read = list(csv.DictReader(io.StringIO(b"".join(file).decode("utf-8-sig"))))
    assert [row["Email"] for row in read] == ["ada@example.com", "eve@example.com"]
    assert read[0]["Organisation"] == "'=1+1"
    assert (read[1][QUESTION], read[1]["email (answer)"]) == ("Apple", "Odd")
    chosen = {"all": "1", "matching": "status=pending&q=eve"}
    some = client.post(address, chosen)
    assert b"ada@example.com" not in b"".join(some)
    book = client.get(url(connection, session, "registrants-export", "xlsx"), {"status": "pending"})
    assert b"".join(book).startswith(b"PK")
    assert AuditEntry.objects.filter(operation="list.export").count() == 3
    assert client.get(url(connection, session, "registrants-export", "pdf")).status_code == 404


def test_a_viewer_sees_registrants_and_is_offered_no_decision(viewer, connect, session, sandbox):
    [ada] = register(sandbox, session, "ada")
    mine = connect(viewer)
    browser = admin_client_for(viewer)
    page = browser.get(url(mine, session, "registrants"), {"status": "pending"})
    assert "ada@example.com" in page.text
    for path in ("decide/", "add/", "import/"):
        assert f"/registrants/{path}" not in page.text
    assert "/registrants/decide/" not in browser.get(url(mine, session, "registrant", ada)).text


def test_the_tab_loads_into_an_open_page(client, connection, session):
    panel = part(client, url(connection, session, "registrants"), "panel")
    assert 'id="results"' in panel.text
    assert "<html" not in panel.text
