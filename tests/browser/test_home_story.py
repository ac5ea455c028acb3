"""Home: what waits is named, followed, settled by keyboard, and gone; then all is well."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.people import create_in_service, find_in_list, new_email

pytestmark = [pytest.mark.browser, pytest.mark.deep, pytest.mark.alone]

Visit = Callable[..., Page]


def test_what_waits_is_followed_settled_and_gone(visit, demo):
    email = new_email("home")
    create_in_service(demo, email)
    page = visit()
    find_in_list(page, email)
    page.get_by_role("checkbox", name=re.compile("^Select Ada")).first.check()
    page.get_by_role("button", name="Change department").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Department").fill("Front desk")
    dialog.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 person to Front desk")
    expect(page.get_by_role("button", name="Move 1 person to Front desk")).to_be_visible()

    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    for folded in page.locator("#home details > summary").all():
        folded.click()
    line = page.locator("#home a").filter(has_text=re.compile("^The previews? of"))
    expect(line).to_be_visible()
    is_alone = "Front desk" in line.inner_text()  # others may wait too, and stand in one line
    assert problems(page, ["/"]) == []

    line.focus()
    page.keyboard.press("Enter")
    if not is_alone:
        page.get_by_role("link", name="Move 1 person to Front desk").first.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 person to Front desk")
    page.get_by_role("link", name="Discard").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard changes").click()
    expect(page.locator("main")).to_contain_text("Cancelled")

    page.goto("/")
    expect(page.locator("#home")).to_contain_text("as of")
    needs = page.locator("#home .home-need")
    expect(needs.filter(has_text="Front desk")).to_have_count(0)
    assert problems(page, ["/"]) == []
