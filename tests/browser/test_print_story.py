"""Pages on paper are documents: no navigation, the whole table, of which account and when."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo
from tests.browser.people import open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
PAPER = {"width": 703, "height": 1000}  # A4 without its margins
CUT = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).overflowX !== "visible")
  .filter((one) => !one.closest(".visually-hidden")).map((one) => one.outerHTML.slice(0, 120))"""
# What would be moved to the next page as a whole, and leave the first one empty.
TORN = """() => [...document.querySelectorAll("main *")]
  .filter((one) => getComputedStyle(one).breakInside === "avoid" && one.offsetHeight > 800)
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_printed_pages_are_documents(visit: Visit, demo: Demo) -> None:
    page = visit()
    open_people(page)
    here = page.url.split("/people/")[0]
    person = page.locator("a.row-link").first.get_attribute("href")
    for address in (
        f"{here}/people/?status=active",
        f"{here}/jobs/",
        str(person),
        f"{here}/reports/daily/",
        f"{here}/dashboards/past/",
        "/audit/",
    ):
        page.emulate_media(media="screen")
        page.goto(address, wait_until="networkidle")
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        for shell in (".sb-top", ".sb-nav", ".sb-actions", "main .btn >> nth=0"):
            if page.locator(shell).count():
                expect(page.locator(shell)).to_be_hidden()
        expect(page.get_by_text("Printed by")).to_contain_text(demo.email)
        heading = page.locator("thead")
        if heading.count():
            shown = heading.first.evaluate("one => getComputedStyle(one).display")
            assert shown == "table-header-group"
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"], address
        assert page.evaluate(CUT) == []
        assert page.evaluate(TORN) == []
        if "status=active" in address:
            expect(page.get_by_text("Filter: Status: Active")).to_be_visible()
        assert len(page.pdf()) > 10_000
