"""A meeting planned for another host, found again in the lists and in the calendar."""

import csv
import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, PHONE, is_wider_than_the_window, problems
from tests.browser.fields import field
from tests.browser.people import create_in_service, find_in_list, new_email, open_people
from tests.browser.recorded import ended_session, recorded_session
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_meeting_is_planned_for_somebody_and_found_by_them(visit, demo, size):
    page = visit(viewport=size, timezone_id="UTC", accept_downloads=True)
    email = new_email("chair")
    planner, chair = create_in_service(demo, new_email("planner")), create_in_service(demo, email)
    find_in_list(page, email)
    base, topic = page.url.split("/people/")[0], f"Board {uuid.uuid4().hex[:8]}"

    page.goto(f"{base}/meetings/create/?host={planner}")
    field(page, "Topic").fill(topic)
    field(page, "Start").fill("2031-05-14T09:00")
    field(page, "Time zone").fill("UTC")
    page.get_by_text("Tracking fields").click()
    page.get_by_label("Cost centre").fill("4711")
    _choose_host(page, email)
    page.get_by_role("button", name="Schedule meeting").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(topic)
    number = page.url.rstrip("/").rpartition("/")[2]
    assert call(demo, "GET", f"/meetings/{number}")["host_id"] == chair

    page.get_by_role("link", name="Meetings", exact=True).last.click()
    if size == DESK:
        _find_in_list_of_meetings(page, topic)
        _take_along(page, number)
    page.locator(".sb-actions").get_by_role("link", name="Calendar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Calendar")
    _find_in_calendar(page, base, topic, email)
    page.get_by_role("link", name=topic).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(topic)


def _choose_host(page, email):
    page.get_by_text("Host and licence").click()
    chosen = page.get_by_role("group", name="Schedule for")
    chosen.get_by_role("combobox").fill(email)
    chosen.get_by_role("option", name=re.compile("^Ada Byron")).click()


def _find_in_list_of_meetings(page, topic):
    page.get_by_role("searchbox", name="Search meetings").fill(topic)
    expect(page.get_by_text("1 meeting found")).to_be_visible()
    expect(page.get_by_role("link", name=topic, exact=True)).to_be_visible()
    page.get_by_role("link", name="Past", exact=True).click()
    expect(page.get_by_text("0 meetings found")).to_be_visible()
    page.get_by_role("link", name="All", exact=True).click()
    page.get_by_role("combobox", name="Type").select_option("Recurring at fixed times")
    expect(page.get_by_text("0 meetings found")).to_be_visible()
    page.get_by_role("link", name="Remove Type: Recurring at fixed times").click()
    expect(page.get_by_text("1 meeting found")).to_be_visible()


def _take_along(page, number):
    """Keeps the list as a view, takes it along as a file, and drops the view again."""
    page.get_by_role("button", name="Save view").first.click()
    page.locator("#list-views").get_by_role("textbox").fill("The board")
    page.locator("#list-views").get_by_role("button", name="Save view").click()
    expect(page.get_by_role("link", name="The board")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.locator("#list-export").get_by_role("link", name="CSV, visible columns").click()
    with Path(download.value.path()).open(encoding="utf-8-sig", newline="") as file:
        assert [row["ID"] for row in csv.DictReader(file)] == [number]
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("button", name="Delete view").click()
    expect(page.get_by_role("link", name="The board")).to_have_count(0)


def _find_in_calendar(page, base, topic, email):
    """From the month before to the day, its week and back: the filters go along."""
    page.goto(f"{base}/calendar/?day=2031-04-10")
    title = page.locator(".cal-title")
    expect(title).to_have_text("April 2031")
    page.get_by_role("link", name="Later").click()
    expect(title).to_have_text("May 2031")
    filters = page.locator("summary").filter(has_text="Filters")
    if filters.is_visible():  # on a phone
        filters.click()
    page.get_by_label("Hosts").fill(f"{email}, nobody-at-all")
    expect(page.get_by_text("No active user matches nobody-at-all.")).to_be_visible()
    expect(page.get_by_text("Hosted by Ada Byron.")).to_be_visible()
    expect(page.get_by_text("1 session found")).to_be_visible()
    page.get_by_role("combobox", name="Show").select_option("Webinars")
    expect(page.get_by_text("0 sessions found")).to_be_visible()
    page.get_by_role("link", name="Remove Show: Webinars").click()
    expect(page.get_by_text("1 session found")).to_be_visible()
    assert not is_wider_than_the_window(page)

    page.get_by_role("link", name="14 May, 1 session").click()
    expect(title).to_have_text("Wed 14 May 2031")
    expect(page.get_by_role("listitem").filter(has_text=topic)).to_contain_text("09:00 to 10:00")
    page.get_by_role("link", name="Week", exact=True).click()
    expect(title).to_have_text("12 to 18 May 2031")
    expect(page.get_by_role("region", name="Wed 14 May")).to_contain_text(topic)
    assert not is_wider_than_the_window(page)
    page.go_back()
    expect(title).to_have_text("Wed 14 May 2031")


def test_calendar_and_lists_are_accessible_and_fit_a_phone(visit, demo):
    page = visit()
    open_people(page)
    base, own = page.url.split("/people/")[0], recorded_session(demo)
    page.goto(f"{base}/calendar/")
    expect(page.get_by_text(re.compile("^Updated"))).to_be_visible()
    addresses = (
        "/calendar/",
        "/calendar/?view=week",
        "/calendar/?view=list&days=2",
        "/calendar/?view=week&q=zzz&hosts=zzz",
        "/meetings/?per_page=25",
        "/meetings/?q=zzz&when=past",
        "/webinars/?when=live",
        f"{own}/held/",
        f"{own}/recordings/",
        f"{ended_session(demo)}/",
    )
    assert problems(page, [f"{base}{address}" for address in addresses]) == []
