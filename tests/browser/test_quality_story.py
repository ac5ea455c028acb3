"""A user looks into a live meeting: who is in it, and for whom it goes badly since when."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.fields import field
from tests.browser.people import enter
from tests.support import plain_http

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_DAYS = {"from": "2020-01-01", "to": "2038-01-01", "page_size": "100"}


def largest(demo, which):
    headers = {"Authorization": f"Bearer {demo.sandbox_token}"}
    address = f"{demo.sandbox_url}/metrics/meetings"
    answer = plain_http.get(
        address, params={**_DAYS, "type": which}, headers=headers, timeout=30
    ).json()
    found: dict[str, Any] = max(answer["meetings"], key=lambda one: one["participants"])
    return found


def open_meeting(page, demo, which="live"):
    """Opens the largest meeting's page. Returns its address."""
    enter(page)
    meeting = largest(demo, which)
    number = quote(str(meeting["id"]))
    page.goto(re.sub(r"/people/.*", f"/dashboards/meetings/{number}/?type={which}", page.url))
    page.get_by_role("heading", level=1, name=meeting["topic"]).wait_for()
    return page.url


def open_quality(page):
    page.locator("#tab-quality").click()
    page.locator("#measured-title").wait_for()


def open_person(page):
    """From the page of a meeting to the first participant's charts."""
    open_quality(page)
    page.locator("#results .row-link").first.click()
    page.locator("canvas").first.wait_for()


def test_who_is_in_a_meeting_and_how_well_it_goes_for_them(visit, demo):
    page = visit(timezone_id="Europe/Berlin")
    open_meeting(page, demo)
    lanes = page.locator("svg.session-lane")
    expect(lanes.first).to_be_visible()
    rows = page.locator("tbody tr")
    everybody = rows.count()
    name = page.locator(".row-link").last.inner_text()
    page.get_by_label("Search participants").fill(name)
    expect(rows).not_to_have_count(everybody)
    expect(lanes.first).to_have_attribute("aria-label", re.compile(re.escape(name)))

    open_person(page)
    assert page.locator("canvas").count() >= 4
    chart = page.get_by_role("slider", name="Latency").first
    chart.scroll_into_view_if_needed()
    chart.focus()
    page.keyboard.press("Home")
    expect(chart).to_have_attribute(
        "aria-valuetext", re.compile(r"Received \d+ ms, (good|fair|poor)")
    )
    moment = page.locator("[data-chart-moment]")
    expect(moment.nth(1)).to_have_text(moment.first.inner_text())
    page.get_by_text("Table of Latency").first.click()
    expect(page.get_by_role("region", name="Latency as a table").first).to_contain_text(" ms")
    page.keyboard.press("Escape")

    chart.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=re.compile("^At ")).wait_for()
    expect(page.get_by_text("had fair or poor quality.")).to_be_visible()


@pytest.mark.alone
def test_what_is_poor_is_for_the_administrator_to_say(visit, demo):
    page = visit()
    open_meeting(page, demo)
    open_quality(page)
    page.get_by_role("link", name="Edit thresholds").click()
    field(page, "Latency, fair from (ms)").fill("2")
    field(page, "Latency, poor from (ms)").fill("1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Poor has to be higher than fair.")
    field(page, "Latency, fair from (ms)").fill("1")
    field(page, "Latency, poor from (ms)").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Quality thresholds saved.")).to_be_visible()
    expect(page.locator('[data-level="poor"]').first).to_be_visible()
    page.get_by_role("link", name="Edit thresholds").click()
    page.get_by_role("button", name="Reset to defaults").click()
    expect(page.get_by_text("Quality thresholds reset.")).to_be_visible()


def test_a_session_is_looked_into_with_the_keyboard_alone(visit, demo):
    page = visit()
    open_meeting(page, demo, "past")
    page.locator("#tab-quality").focus()
    page.keyboard.press("Enter")
    page.locator("#measured-title").wait_for()
    person = page.locator("#results .row-link").first
    for _ in range(20):
        page.keyboard.press("Tab")
        if person.evaluate("(link) => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.locator("canvas").first.wait_for()
    slider = page.get_by_role("slider", name="Latency").first
    for _ in range(60):
        page.keyboard.press("Tab")
        if slider.evaluate("(chart) => chart === document.activeElement"):
            break
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Received"))


def test_its_pages_are_accessible_and_fit_a_phone(visit, demo):
    page = visit()
    addresses = [open_meeting(page, demo, "past")]
    page.get_by_role("navigation", name="About this meeting").get_by_text("Sharing").click()
    page.wait_for_url(re.compile("/sharing/"))
    addresses.append(page.url)
    open_quality(page)
    addresses.append(page.url)
    page.locator("#results .row-link").first.click()
    page.locator("canvas").first.wait_for()
    addresses += [page.url, re.sub(r"/meetings/.*", "/thresholds/", page.url)]
    for address in addresses:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(address)
        if address == addresses[3]:
            page.locator("canvas").first.wait_for()
        assert violations(page) == [], address
        page.set_viewport_size(PHONE)
        assert not is_wider_than_the_window(page), address
