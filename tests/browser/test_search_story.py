"""From anywhere to anybody by the keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.keys import press
from tests.browser.people import open_people

Visit = Callable[..., Page]

pytestmark = pytest.mark.browser


def test_somebody_is_found_from_anywhere_by_the_keyboard_alone(visit):
    page = visit()
    open_people(page)
    somebody = page.locator("tbody a.row-link").first.inner_text()
    box = page.get_by_role("combobox", name="Search everything")
    option = page.get_by_role("dialog", name="Search").get_by_role("option")
    expect(box).to_be_hidden()
    page.get_by_role("link", name="Search").focus()
    press(page, "Control+k")
    expect(box).to_be_focused()
    expect(page.get_by_role("option", name="Add person")).to_be_visible()

    page.keyboard.type("a")
    expect(option.filter(has_text="All people matching “a”")).to_be_visible()
    expect(option.first).to_have_attribute("aria-selected", "true")
    first = box.get_attribute("aria-activedescendant")
    page.keyboard.press("ArrowDown")
    expect(option.nth(1)).to_have_attribute("aria-selected", "true")
    assert box.get_attribute("aria-activedescendant") != first
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(option.last).to_have_attribute("aria-selected", "true")
    assert violations(page) == []

    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.get_by_role("link", name="Search")).to_be_focused()

    press(page, "Control+k")
    box.fill("audit")
    expect(option).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Audit trail")

    press(page, "Control+k")
    box.fill(somebody)
    expect(option.first).to_contain_text(somebody)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(somebody)

    page.get_by_role("link", name="Search").click()
    box.fill("no such thing")
    expect(option).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="No results for")).to_have_count(1)

    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.locator("main h1").click()
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.get_by_role("heading", level=1)).to_have_text("Meetings")
    press(page, "Control+k")
    expect(page.get_by_role("group", name="Recent").get_by_role("option").first).to_contain_text(
        somebody
    )
    assert violations(page) == []
    assert violations(page) == []


@pytest.mark.deep
def test_actions_of_open_page_are_found_by_their_words(visit):
    page = visit()
    open_people(page)
    somebody = page.locator("tbody a.row-link").first.inner_text()
    page.locator("tbody a.row-link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(somebody)
    press(page, "Control+k")
    box = page.get_by_role("combobox", name="Search everything")
    here = page.get_by_role("group", name="On this page").get_by_role("option")
    expect(here.filter(has_text="Copy the email")).to_contain_text(somebody)
    box.fill("copy the em")
    expect(page.get_by_role("dialog", name="Search").get_by_role("option")).to_have_count(1)
    box.fill("licence")
    here.filter(has_text="Change licence").click()
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_contain_text(somebody)


@pytest.mark.deep
def test_the_search_works_without_scripts(visit):
    page = visit(java_script_enabled=False)
    page.goto("/audit/")
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Search")
    page.get_by_role("searchbox").fill("connections")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("main").get_by_role("link", name="Connections").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Connections")
