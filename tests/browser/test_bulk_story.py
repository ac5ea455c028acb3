"""Many people changed together, with the mouse and with the keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.conftest import sign_in
from tests.browser.keys import press
from tests.browser.people import create_in_service, in_service, new_email, open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def make(demo, count):
    """People whom one search finds, and no others."""
    mark = new_email("bulk").partition("@")[0]
    emails = [f"{mark}.{number}@brightwater.example" for number in range(count)]
    for email in emails:
        create_in_service(demo, email)
    return emails


def find(page, emails):
    """Refreshes the list and searches for these people."""
    open_people(page)
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_text("Updated just now")).to_be_visible()
    mark = emails[0].rpartition(".0@")[0]
    page.get_by_label("Search people").fill(mark)
    expect(page.get_by_text(f"{len(emails)} people found")).to_be_visible()


def test_all_that_match_get_another_department(visit, demo):
    page = visit()
    emails = make(demo, 3)
    find(page, emails)
    page.get_by_role("checkbox", name=re.compile("^Select Ada")).first.check()
    expect(page.get_by_text("1 person selected")).to_be_visible()
    expect(page.get_by_label("Search people")).to_be_hidden()
    page.get_by_label("All 3 matching").check()
    expect(page.get_by_role("button", name="Deactivate 3 people")).to_be_visible()
    assert violations(page) == []

    page.get_by_role("button", name="Change department").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Change the department of 3 people")).to_be_visible()
    assert violations(page) == []
    dialog.get_by_label("Department").fill("Observatory")
    dialog.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 3 people to Observatory")
    assert in_service(demo, emails[0]).get("dept", "") == ""
    page.get_by_role("button", name="Move 3 people to Observatory").click()
    expect(page.locator("main")).to_contain_text("Done", timeout=60_000)
    assert {in_service(demo, email)["dept"] for email in emails} == {"Observatory"}

    open_people(page)
    expect(page.get_by_label("Search people")).to_be_visible()
    page.goto(f"{page.url.split('?')[0]}?dept=Observatory")
    expect(page.locator("table.sb-table tbody tr")).to_have_count(3)


@pytest.mark.alone
def test_rows_are_chosen_with_keyboard_across_pages(visit):
    page = visit()
    open_people(page)
    press(page, "/")
    page.keyboard.press("ArrowDown")
    press(page, "x")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+X")
    expect(page.get_by_text("3 people selected")).to_be_visible()
    page.get_by_role("link", name="Next page").click()
    page.wait_for_url(re.compile("page=2"))
    expect(page.get_by_text("3 people selected")).to_be_visible()
    page.get_by_role("checkbox", name="Select this page").check()
    expect(page.get_by_text("53 people selected")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("checkbox", name=re.compile("^Select ")).nth(1)).to_be_checked()
    page.locator("td.cell-main a").first.focus()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Search people")).to_be_visible()
    expect(page.locator("input[name=chosen]:checked")).to_have_count(0)


def test_other_filters_are_another_choice(visit):
    page = visit()
    open_people(page)
    page.get_by_role("checkbox", name=re.compile("^Select ")).nth(1).check()
    expect(page.get_by_text("1 person selected")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Active")).click()
    page.wait_for_url(re.compile("status=active"))
    expect(page.get_by_label("Search people")).to_be_visible()


def test_settings_of_many_are_chosen_on_a_page_of_their_own(visit):
    page = visit(viewport=PHONE)
    open_people(page)
    page.get_by_role("checkbox", name=re.compile("^Select ")).nth(1).check()
    assert not is_wider_than_the_window(page)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Change settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change settings of 1 person")
    assert violations(page) == []
    assert not is_wider_than_the_window(page)
    page.get_by_label("Find a setting").fill("waiting room")
    page.get_by_label("Waiting room", exact=True).select_option(label="On")
    expect(page.get_by_text("1 change", exact=True)).to_be_visible()


def test_people_are_chosen_and_a_view_is_kept_without_javascript(visit, demo):
    page = visit(signed_in=False, java_script_enabled=False)
    sign_in(page, demo)
    open_people(page)
    page.get_by_role("checkbox", name=re.compile("^Select ")).first.check()
    page.get_by_role("button", name="Change licence").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change the licence of 1 person")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("button", name="Save view").first.click()
    page.get_by_label("Save these filters").fill("Mine")
    page.locator("#list-views").get_by_role("button", name="Save view").click()
    expect(page.get_by_role("link", name="Mine")).to_have_attribute("aria-current", "page")
