"""Meetings as in a calendar: planned, looked at, changed and deleted, on a desk and on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, PHONE, is_wider_than_the_window, problems
from tests.browser.fields import field
from tests.browser.people import create_in_service, new_email, open_people
from tests.browser.service import call
from tests.browser.session_tabs import plan

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
HEADINGS = {"level": 1}


def _saved(demo, page):
    """The session whose page is open, as the service reports it."""
    number = page.url.rstrip("/").rpartition("/")[2]
    return dict(call(demo, "GET", f"/meetings/{number}"))


def _open_form(page, host):
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/?host={host}")
    expect(page.get_by_role("heading", **HEADINGS)).to_have_text("Schedule meeting")


@pytest.mark.parametrize(
    "size",
    [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.deep)],
)
def test_a_series_is_planned_changed_and_deleted(visit, demo, size):
    page = visit(viewport=size, timezone_id="America/New_York")
    _open_form(page, create_in_service(demo, new_email("host")))
    field(page, "Topic").fill("Stand-up")
    page.get_by_label("Recurring at fixed times").check()
    field(page, "Start").fill("2038-03-01T09:00")
    field(page, "Time zone").fill("Europe/Berlin")
    page.get_by_role("checkbox", name="Wednesday").check()
    field(page, "Occurrences").fill("6")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Every week on Wednesday, 6 occurrences")
    expect(preview).to_contain_text("Wed 17 Mar 2038 09:00 04:00 for you, as clocks change")
    expect(preview).to_contain_text("The first occurrence is Wednesday, 3 March 2038")
    page.get_by_text("Tracking fields").click()
    page.get_by_label("Cost centre").fill("4711")
    expect(field(page, "End date")).to_be_hidden()
    assert not is_wider_than_the_window(page)
    page.get_by_role("button", name="Schedule meeting").dblclick()
    expect(page.get_by_role("heading", **HEADINGS)).to_have_text("Stand-up")
    assert len(_saved(demo, page)["occurrences"]) == 6
    assert not is_wider_than_the_window(page)

    page.get_by_role("link", name="Show", exact=True).click()
    expect(page.locator("#links")).to_contain_text("zak=")
    address = page.url

    page.locator(".sb-actions").get_by_role("link", name="Edit").click()
    expect(field(page, "Occurrences")).to_have_value("6")
    field(page, "Topic").fill("Stand-down")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("heading", **HEADINGS)).to_have_text("Stand-down")

    expect(page.locator("#thing-facts")).to_contain_text("Upcoming 3 March 2038")
    tabs = page.get_by_role("navigation", name="About this meeting")
    tabs.get_by_role("link", name="History").click()
    history = page.locator("#panel [aria-labelledby=history-title] > ol > li")
    expect(history).to_have_count(2)
    expect(history.first).to_contain_text("Stand-down")
    assert not is_wider_than_the_window(page)
    tabs.get_by_role("link", name="Overview").click()

    page.get_by_role("link", name=re.compile("^Delete Wed 10 Mar 2038")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete occurrence").click()
    expect(page.locator(".session-times li")).to_have_count(5)
    assert page.url.split("#")[0] == address.split("#")[0].split("?")[0]
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete meeting").click()
    expect(page.get_by_text("“Stand-down” deleted.")).to_be_visible()


@pytest.mark.deep
def test_a_meeting_is_planned_without_scripts(visit, demo):
    page = visit(java_script_enabled=False)
    _open_form(page, create_in_service(demo, new_email("plain")))
    field(page, "Topic").fill("Plain")
    field(page, "Start").fill("2038-03-28T02:30")
    field(page, "Time zone").fill("Europe/Berlin")
    page.get_by_role("button", name="Show dates").click()
    expect(page.locator("#preview")).to_contain_text("02:30 does not exist on 28 March 2038")
    page.get_by_text("Tracking fields").click()
    page.get_by_label("Cost centre").fill("4711")
    page.get_by_role("button", name="Schedule meeting").click()
    expect(page.get_by_role("heading", **HEADINGS)).to_have_text("Plain")
    assert _saved(demo, page)["start_time"] == "2038-03-28T01:30:00Z"


@pytest.mark.deep
def test_every_page_of_a_session_is_accessible(visit, demo):
    page = visit()
    host = create_in_service(demo, new_email("axe"))
    body = {
        "topic": "Accessible",
        "type": 8,
        "start_time": "2038-03-01T09:00:00Z",
        "timezone": "Europe/Berlin",
        "recurrence": {"type": 2, "end_times": 3},
    }
    planned = plan(demo, host, "meetings", **body)
    open_people(page)
    root = page.url.split("/people/")[0]
    meetings, own = f"{root}/meetings/", f"{root}{planned}/"
    addresses = (
        f"{meetings}create/?host={host}",
        f"{meetings}templates/",
        own,
        *(
            f"{own}{part}/"
            for part in ("edit", "delete", "end", "shown", "invitation", "template", "history")
        ),
    )
    assert problems(page, addresses) == []
