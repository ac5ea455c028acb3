"""Past sessions, ports and rooms, listed by days, by keyboard and on a phone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.keys import press
from tests.browser.people import open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def begin(visit):
    page = visit()
    open_people(page)
    return page, f"{page.url.split('/people/')[0]}/dashboards/"


def test_a_range_is_chosen_by_keyboard_and_taken_along_as_a_file(visit):
    page, dashboards = begin(visit)
    page.goto(f"{dashboards}past/?period=yesterday")
    period = page.get_by_role("combobox", name="Period")
    period.focus()
    expect(page.get_by_label("From", exact=True)).to_be_hidden()
    page.keyboard.type("Last 30")
    page.wait_for_url(re.compile("period=30-days"))
    expect(page.get_by_role("row").nth(30)).to_be_visible()

    period.focus()
    page.keyboard.press("End")
    first = page.get_by_label("From", exact=True)
    expect(first).to_be_visible()
    last = datetime.now(UTC).date() - timedelta(days=2)
    first.fill(str(last - timedelta(days=9)))
    page.get_by_label("To", exact=True).fill(str(last))
    page.wait_for_url(re.compile(f"to_date={last}"))
    expect(page.get_by_text(f"{last.day} {last:%B %Y}").first).to_be_visible()

    page.get_by_role("button", name="Refresh").focus()
    press(page, "/")
    expect(page.get_by_label("Search sessions")).to_be_focused()
    page.keyboard.type("stand-up")
    page.wait_for_url(re.compile("q=stand-up"))
    found = page.locator("td.cell-main")
    expect(found.first).to_contain_text(re.compile("stand-up", re.IGNORECASE))
    page.get_by_role("button", name="Export").focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="CSV, visible columns")
    with page.expect_download() as download:
        link.focus()
        page.keyboard.press("Enter")
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) > 1
    assert all("stand-up" in line.casefold() for line in lines[1:])
    page.get_by_role("link", name="Webinars", exact=True).last.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("type=webinars"))


def test_heat_map_of_ports_is_read_and_scrolled_in_its_own_box(visit):
    page, dashboards = begin(visit)
    page.goto(f"{dashboards}ports/?period=30-days")
    expect(page.get_by_text(re.compile("^At most .* in use at once, on "))).to_be_visible()
    table = page.get_by_role("table", name=re.compile("Peak call-routing ports"))
    expect(table.get_by_role("row")).to_have_count(31)
    box = page.get_by_role("region", name="Ports in use by day and hour")
    page.set_viewport_size({"width": 390, "height": 844})
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        """() => document.querySelector(
            '[aria-label="Ports in use by day and hour"]'
        ).scrollLeft > 0"""
    )


def test_a_room_leads_from_its_state_to_its_meetings(visit):
    page, dashboards = begin(visit)
    page.goto(f"{dashboards}rooms/")
    page.get_by_label("Search rooms").fill("berlin")
    page.wait_for_url(re.compile("q=berlin"))
    link = page.locator("td.cell-main a").first
    name = link.inner_text()
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.locator("#identity")).to_contain_text("Camera")
    expect(page.get_by_role("heading", name="Past meetings")).to_be_visible()
    expect(page.locator("td.cell-main").first).to_be_visible()


def test_the_pages_are_for_everybody(visit):
    page, dashboards = begin(visit)
    page.goto(f"{dashboards}rooms/")
    room = page.locator("td.cell-main a").first.get_attribute("href")
    pages = ("past/", "past/?type=webinars", "messages/", "ports/", "rooms/")
    addresses = [f"{dashboards}{each}" for each in pages]
    assert problems(page, [*addresses, str(room)]) == []
