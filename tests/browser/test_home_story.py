"""Home: what waits is named, followed, settled by keyboard, and gone; then all is well."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.conftest import Demo
from tests.browser.jobs import jobs_in_each_state
from tests.browser.people import create_in_service, find_in_list, new_email

pytestmark = [pytest.mark.browser, pytest.mark.deep, pytest.mark.alone]

Visit = Callable[..., Page]


def test_what_waits_is_followed_settled_and_gone(visit: Visit, demo: Demo) -> None:
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
    expect(page.get_by_role("button", name="Change 1 person")).to_be_visible()

    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    line = page.locator("#home a").filter(has_text=re.compile("^The previews? of"))
    expect(line).to_be_visible()
    is_alone = "Front desk" in line.inner_text()  # others may wait too, and stand in one line
    assert problems(page, ["/"]) == []

    line.focus()
    page.keyboard.press("Enter")
    if not is_alone:
        page.get_by_role("link", name="Move 1 person to Front desk").first.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 person to Front desk")
    page.get_by_role("link", name="Discard changes").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard changes").click()
    expect(page.locator("main")).to_contain_text("Cancelled")

    page.goto("/")
    expect(page.locator("#home")).to_contain_text("as of")
    needs = page.locator("#home .home-need")
    expect(needs.filter(has_text="Front desk")).to_have_count(0)
    assert problems(page, ["/"]) == []


@pytest.fixture
def done(demo: Demo) -> Iterator[str]:
    with jobs_in_each_state(demo) as paths:
        yield paths["done"]


def test_failed_rows_are_dismissed_in_place_and_shown_again(visit: Visit, done: str) -> None:
    page = visit()
    page.goto("/")
    home = page.locator("#home")
    button = home.get_by_role("button", name=re.compile("^Dismiss .* ended with failed rows"))
    expect(button).to_have_count(1)
    shape = button.bounding_box()
    assert shape
    assert shape["height"] >= 24
    button.click()
    expect(home).not_to_contain_text("ended with failed rows")
    toast = page.locator("[data-toast]").filter(has_text="dismissed")
    toast.get_by_role("link", name="Undo").click()
    page.get_by_role("dialog").get_by_role("button", name="Show on Home again").click()
    expect(home).to_contain_text("ended with failed rows")

    button.press("Enter")
    expect(button).to_have_count(0)
    has_lines = home.locator("a.row-link").count() > 0
    assert page.evaluate("document.activeElement.matches('#home a.row-link')") == has_lines
    page.goto(done)
    assert problems(page, [done]) == []
    again = page.get_by_role("button", name="Show on Home again")
    again.click()
    expect(again).to_have_count(0)
    page.goto("/")
    expect(button).to_have_count(1)
