"""Registrants, polls, panelists and the live stream of a meeting or a webinar."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.conftest import sign_in
from tests.browser.fields import field
from tests.browser.people import enter, open_people
from tests.browser.service import call
from tests.browser.session_tabs import add_poll, make_session, register, registered

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def _open(page, session, tab=""):
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}{session}/{tab}")


@pytest.mark.deep
def test_registrants_are_chosen_approved_and_denied(visit, demo):
    webinar = make_session(demo, "webinars")
    register(demo, webinar, "Ada", "Bob", "Eve")
    page = visit()
    _open(page, webinar)
    page.get_by_role("link", name="Registrants", exact=True).click()
    page.get_by_role("link", name=re.compile("^Pending")).click()
    page.get_by_role("checkbox", name="Select ada@example.com").check()
    page.get_by_role("checkbox", name="Select eve@example.com").check()
    page.get_by_role("button", name="Approve 2 registrants").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ada Byron, Eve Byron")
    dialog.get_by_role("button", name="Approve 2 registrants").click()
    expect(page.get_by_text("2 registrants are approved.")).to_be_visible()
    assert registered(demo, webinar, "approved") == ["Ada", "Eve"]
    selected = page.locator("[data-selection-words]")
    expect(selected).to_be_empty()
    page.reload()
    expect(page.get_by_role("checkbox", name="Select bob@example.com")).not_to_be_checked()
    expect(selected).to_be_empty()

    page.get_by_role("link", name="Bob Byron").click()
    expect(page.get_by_text("Favourite pie?")).to_be_visible()
    page.get_by_role("button", name="Deny").click()
    page.get_by_role("dialog").get_by_role("button", name="Deny 1 registrant").click()
    expect(page.get_by_text("Bob Byron is denied.")).to_be_visible()
    assert registered(demo, webinar, "denied") == ["Bob"]


@pytest.mark.deep
def test_whoever_left_the_list_is_not_counted_among_the_chosen(visit, demo):
    meeting = make_session(demo, "meetings")
    register(demo, meeting, "Ada", "Bob", "Eve")
    page = visit()
    _open(page, meeting, "registrants/?status=pending")
    for name in ("ada", "bob"):
        page.get_by_role("checkbox", name=f"Select {name}@example.com").check()
    expect(page.get_by_text("2 registrants selected")).to_be_visible()
    pending = call(demo, "GET", f"{meeting}/registrants", params={"status": "pending"})
    ada = next(one for one in pending["registrants"] if one["first_name"] == "Ada")
    decision = {"action": "approve", "registrants": [{"id": ada["id"], "email": ada["email"]}]}
    call(demo, "PUT", f"{meeting}/registrants/status", json=decision)
    page.reload()
    expect(page.get_by_text("1 registrant selected")).to_be_visible()
    page.get_by_role("button", name="Approve 1 registrant").click()
    expect(page.get_by_role("dialog")).to_contain_text("Bob Byron.")


@pytest.mark.deep
def test_a_search_replaces_the_list_and_keeps_the_cursor(visit, demo):
    meeting = make_session(demo, "meetings")
    register(demo, meeting, "Ada", "Bob")
    page = visit()
    _open(page, meeting, "registrants/?status=pending")
    search = page.get_by_role("searchbox", name="Search registrants")
    search.fill("bob")
    expect(page.get_by_role("link", name="Ada Byron")).to_be_hidden()
    expect(page.get_by_role("link", name="Bob Byron")).to_be_visible()
    expect(search).to_be_focused()
    expect(page).to_have_url(re.compile("q=bob"))


@pytest.mark.deep
def test_what_registrants_answered_is_shown_in_a_column(visit, demo):
    meeting = make_session(demo, "meetings")
    register(demo, meeting, "Ada")
    page = visit()
    _open(page, meeting, "registrants/?status=pending")
    question = page.get_by_role("columnheader", name="Favourite pie?")
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Columns").click()
    page.get_by_label("Favourite pie?").check()
    page.get_by_role("button", name="Apply").click()
    expect(question).to_be_visible()
    expect(page.get_by_role("cell", name="Apple")).to_be_visible()
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Reset").click()
    expect(question).to_be_hidden()


@pytest.mark.deep
def test_somebody_registers_and_answers_questions(visit, demo):
    meeting = make_session(demo, "meetings")
    register(demo, meeting, "Ada")
    page = visit()
    _open(page, meeting, "registrants/")
    page.get_by_role("link", name="Add registrant").click()
    field(page, "Email").fill("bob@example.com")
    field(page, "First name").fill("Bob")
    field(page, "Last name").fill("Byron")
    field(page, "Favourite pie?").fill("Cherry")
    page.get_by_role("button", name="Add registrant", exact=True).click()
    expect(page.get_by_text("Bob Byron is registered, pending approval.")).to_be_visible()
    data = call(demo, "GET", f"{meeting}/registrants", params={"status": "pending"})
    assert data["registrants"][1]["custom_questions"][0]["value"] == "Cherry"


@pytest.mark.deep
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_poll_is_built_question_by_question(visit, demo, *, has_scripts):
    meeting = make_session(demo, "meetings")
    page = visit(signed_in=has_scripts, java_script_enabled=has_scripts)
    if not has_scripts:
        sign_in(page, demo)
    enter(page)
    page.wait_for_url("**/people/**")
    page.goto(f"{page.url.split('/people/')[0]}{meeting}/polls/new/")
    field(page, "Title").fill("Lunch")
    page.get_by_label("Question", exact=True).fill("Where?")
    page.get_by_label("Answer 1 to question 1").fill("Inside")
    page.get_by_label("Answer 2 to question 1").fill("Outside")
    page.get_by_role("button", name="Add an answer to question 1").click()
    page.get_by_label("Answer 3 to question 1").fill("On the roof")
    page.get_by_role("button", name="Move answer 3 up").click()
    expect(page.get_by_label("Answer 2 to question 1")).to_have_value("On the roof")
    page.get_by_role("button", name="Add question").click()
    second = page.get_by_role("group", name="Question 2")
    if has_scripts:
        expect(second.get_by_label("Question", exact=True)).to_be_focused()
    second.get_by_label("Question", exact=True).fill("What?")
    second.get_by_label("Answers allowed").select_option("Several answers")
    page.get_by_label("Answer 1 to question 2").fill("Soup")
    page.get_by_label("Answer 2 to question 2").fill("Bread")
    page.get_by_role("button", name="Move question 2 up").click()
    page.get_by_role("button", name="Add poll").click()
    expect(page.get_by_role("heading", name="Lunch")).to_be_visible()
    [poll] = call(demo, "GET", f"{meeting}/polls")["polls"]
    assert [question["name"] for question in poll["questions"]] == ["What?", "Where?"]
    assert poll["questions"][0]["type"] == "multiple"
    assert poll["questions"][1]["answers"] == ["Inside", "On the roof", "Outside"]


@pytest.mark.deep
def test_panelists_are_named_line_by_line_and_removed(visit, demo):
    webinar = make_session(demo, "webinars")
    page = visit()
    _open(page, webinar, "panelists/")
    page.get_by_role("link", name="Add panelists").click()
    dialog = page.get_by_role("dialog")
    field(dialog, "Panelists").fill("Ada Lovelace <ada@example.com>\ngrace@example.com")
    dialog.get_by_role("button", name="Add panelists").click()
    expect(page.get_by_text("2 panelists added.")).to_be_visible()
    page.get_by_role("link", name="Remove grace@example.com").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("grace@example.com removed as panelist.")).to_be_visible()
    [ada] = call(demo, "GET", f"{webinar}/panelists")["panelists"]
    assert ada["name"] == "Ada Lovelace"


@pytest.mark.deep
def test_a_stream_is_set_up_started_and_stopped(visit, demo):
    meeting = make_session(demo, "meetings")
    page = visit()
    _open(page, meeting, "livestream/")
    page.get_by_role("link", name="Set up live stream").click()
    dialog = page.get_by_role("dialog")
    field(dialog, "Stream address").fill("rtmp://stream.example/in")
    field(dialog, "Stream key").fill("very-secret-key")
    dialog.get_by_role("button", name="Save").click()
    # The meeting itself may not have been started either, where its time has come.
    expect(page.locator("#panel").get_by_text("Not started", exact=True)).to_be_visible()
    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Start live stream").click()
    expect(page.locator("#panel").get_by_text("Started", exact=True)).to_be_visible()
    page.get_by_role("link", name="Stop", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Stop live stream").click()
    expect(page.locator("#panel").get_by_text("Stopped", exact=True)).to_be_visible()
    assert "very-secret-key" not in page.content()


@pytest.mark.deep
def test_every_page_is_accessible_in_both_themes_and_narrow(visit, demo):
    meeting, webinar = make_session(demo, "meetings"), make_session(demo, "webinars")
    for session in (meeting, webinar):
        register(demo, session, "Ada", "Bob")
    poll = add_poll(demo, meeting)
    people = [{"email": "ada@example.com", "name": "Ada"}]
    call(demo, "POST", f"{webinar}/panelists", json={"panelists": people})
    addresses = [
        f"{webinar}/registrants/?status=pending",
        f"{webinar}/registrants/?q=zebra",
        f"{webinar}/registrants/add/",
        f"{webinar}/registrants/import/",
        f"{meeting}/polls/",
        f"{meeting}/polls/new/",
        f"{meeting}/polls/{poll}/",
        f"{meeting}/polls/{poll}/delete/",
        f"{webinar}/panelists/",
        f"{webinar}/panelists/add/",
        f"{webinar}/panelists/remove-all/",
        f"{meeting}/livestream/",
        f"{meeting}/livestream/where/",
        f"{meeting}/held/",
        f"{meeting}/recordings/",
    ]
    page = visit()
    open_people(page)
    base = page.url.split("/people/")[0]
    assert problems(page, [f"{base}{address}" for address in addresses]) == []
