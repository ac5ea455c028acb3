"""The chat archive: a reason, a session, a search, a file, and the trail of it all."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
REASON = "Request of the works council, case 2026-114"


@pytest.mark.deep
def test_the_archive_is_read_with_a_reason_and_leaves_a_trail(visit):
    page = visit()
    open_people(page)
    home = page.url.split("/people/")[0]
    page.goto(f"{home}/chat/?period=30-days")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Why do you need to read the chat archive?")
    page.get_by_label("Reason").fill("because")
    page.get_by_role("button", name="Open chat archive").click()
    expect(page.get_by_role("alert")).to_be_focused()  # a new page, and not yet the script's mark
    expect(page.get_by_label("Reason")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Reason")).to_have_value("because")
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Open chat archive").click()

    expect(heading).to_have_text("Chat archive")
    assert "period=30-days" in page.url
    expect(page.get_by_text(f"Reason: {REASON}")).to_be_visible()
    first = page.locator("td.cell-main a").first
    name = first.inner_text()
    first.click()
    expect(heading).to_have_text(name)
    expect(page.locator("tbody tr").first).to_be_visible()

    page.goto(f"{home}/chat/messages/?period=30-days")
    page.get_by_role("searchbox", name="Search messages").fill("draft")
    page.wait_for_url(re.compile("q=draft"))
    expect(page.locator("tbody tr").first).to_contain_text("draft")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV, visible columns").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) > 1
    assert all("draft" in line for line in lines[1:])

    page.get_by_role("button", name="Close archive").click()
    page.goto(f"{home}/chat/")
    expect(heading).to_have_text("Why do you need to read the chat archive?")
    page.goto(f"{home.split('/c/')[0]}/audit/")
    rows = page.get_by_role("row", name=re.compile("Read the chat archive"))
    expect(rows.filter(has_text="draft").first).to_contain_text(REASON)
