"""A user finds out for whom meetings went badly: days are read, grouped, followed to a person."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.people import open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_READ = 120_000  # milliseconds, in which some days are read


def open_board(visit):
    """The board of the last days, which begin to load as soon as a user looks at them."""
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}/dashboards/quality/")
    expect(page.get_by_role("button", name="Load these days")).to_have_count(0)
    expect(page.get_by_role("button", name="Refresh")).to_be_visible(timeout=_READ)
    return page


def test_days_are_read_grouped_and_followed_to_a_person(visit):
    page = open_board(visit)
    groups = page.locator("td.cell-main a")
    expect(groups.first).to_be_visible()
    page.get_by_role("link", name="Location", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("by=location"))
    expect(groups.first).to_contain_text("(")
    share = page.locator("td:has(.quality-share)").first
    expect(share).to_contain_text("%")
    page.get_by_label("Stream", exact=True).select_option(label="Audio")
    page.wait_for_url(re.compile("stream=audio"))
    place = groups.first.inner_text()

    groups.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/quality/participants/\?"))
    expect(page.locator(".sb-chip").filter(has_text=f"Location: {place}")).to_be_visible()
    expect(page.locator(".sb-chip").filter(has_text="Stream: Audio")).to_be_visible()
    person = page.locator("td.cell-main a").first
    name = person.inner_text()
    figures = re.compile("latency|loss|jitter", re.IGNORECASE)
    expect(page.locator("td.cell-wide").first).to_contain_text(figures)
    person.click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_role("region", name="Summary")).to_contain_text("Poor streams in")
    page.get_by_role("region", name="Sessions").get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/(meetings|webinars)/.*/quality/"))


def test_the_person_has_the_same_on_their_own_page(visit):
    page = open_board(visit)
    page.goto(f"{page.url.split('/quality/')[0]}/quality/participants/?of=all")
    for link in page.locator("td.cell-main a").all()[:20]:
        address = str(link.get_attribute("href"))
        page.goto(address)
        profile = page.get_by_role("link", name="Profile")
        if profile.count():
            break
        page.go_back()
    said = page.get_by_role("region", name="Summary").inner_text()
    profile.click()
    page.get_by_role("navigation", name="About this person").get_by_text("Sessions").click()
    page.locator("#tab-quality").click()
    page.wait_for_url(re.compile("/tabs/quality/"))
    expect(page.get_by_role("region", name="Summary")).to_have_text(
        re.compile(re.escape(said.split(".")[0]))
    )


def test_the_pages_are_for_everybody(visit):
    page = open_board(visit)
    board = page.url
    participants = f"{board.split('/quality/')[0]}/quality/participants/"
    page.goto(participants)
    person = str(page.locator("td.cell-main a").first.get_attribute("href"))
    addresses = [board, f"{board}?by=department&period=yesterday", participants, person]
    assert problems(page, addresses) == []
