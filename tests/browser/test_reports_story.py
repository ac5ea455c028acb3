"""Reports: a long range that a job reads, in both themes and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def test_half_a_year_is_read_by_a_job_and_shown(visit: Visit) -> None:
    page = visit()
    open_people(page)
    reports = f"{page.url.split('/people/')[0]}/reports/"
    page.goto(reports)
    assert violations(page) == []
    page.get_by_role("link", name="Active hosts", exact=True).click()
    page.goto(f"{reports}hosts/?period=6-months")
    expect(page.get_by_text("Participant time")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("being read from the service")).to_be_hidden(timeout=60_000)
    expect(page.locator("tbody tr").first).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == []
