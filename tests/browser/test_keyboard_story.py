"""One whole story without a pointer, and the dialog that lists the keys of a page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.keys import press
from tests.browser.people import create_in_service, in_service, new_email, open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
_MOST_TABS = 150
_HAS_FOCUS = "element => element === document.activeElement"


def make(demo, count):
    """People whom one search finds, and no others."""
    mark = new_email("keys").partition("@")[0]
    emails = [f"{mark}.{number}@brightwater.example" for number in range(count)]
    for email in emails:
        create_in_service(demo, email)
    return emails


def tab_to(page, wanted, key="Tab"):
    """Goes on from where the focus is until it is there, as a user without a pointer does."""
    expect(wanted).to_be_visible()
    for _ in range(_MOST_TABS):
        if wanted.evaluate(_HAS_FOCUS):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {wanted}")


def read_anew(page):
    open_people(page)
    tab_to(page, page.get_by_role("button", name="Refresh"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Updated just now")).to_be_visible()


def find(page, emails):
    mark = emails[0].rpartition(".0@")[0]
    press(page, "/")
    page.keyboard.type(mark)
    # A part of it finds as many, and what is chosen there is not chosen among those of the whole.
    expect(page).to_have_url(re.compile(rf"[?&]q={mark}$"))
    expect(page.get_by_text(f"{len(emails)} people found")).to_be_visible()


def rows(page):
    return page.locator("main .row-link")


def test_people_are_found_and_changed_by_keys_alone(visit, demo):
    page = visit(reduced_motion="no-preference")  # as most people see dialogs and menus
    emails = make(demo, 3)
    read_anew(page)
    find(page, emails)

    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Byron")
    tab_to(page, page.locator("#tab-profile"))
    page.keyboard.press("Enter")
    edit = page.get_by_role("link", name="Edit name and department")
    expect(edit).to_be_visible()
    tab_to(page, edit)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Department", exact=True))
    page.keyboard.type("Engines")
    tab_to(page, page.get_by_role("button", name="Save", exact=True))
    page.keyboard.press("Enter")
    expect(edit).to_be_visible()
    assert "Engines" in {in_service(demo, email).get("dept") for email in emails}

    open_people(page)
    find(page, emails)
    page.keyboard.press("ArrowDown")
    press(page, "x")
    page.keyboard.press("ArrowDown")
    press(page, "x")
    expect(page.get_by_text("2 people selected")).to_be_visible()
    page.keyboard.press("a")
    action = page.get_by_role("button", name="Change department")
    tab_to(page, action)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Change the department of 2 people")).to_be_visible()
    tab_to(page, dialog.get_by_label("Department"))
    page.keyboard.type("Planetarium")
    tab_to(page, dialog.get_by_role("button", name="Preview changes"))
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Move 2 people to Planetarium")
    apply = page.get_by_role("button", name="Move 2 people to Planetarium")
    expect(apply).to_be_visible()
    tab_to(page, apply)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Done", timeout=60_000)
    departments = [in_service(demo, email).get("dept", "") for email in emails]
    assert departments.count("Planetarium") == 2

    tab_to(page, page.locator("#navigation").get_by_role("link", name="People", exact=True))
    page.keyboard.press("Enter")
    expect(heading).to_have_text("People")
    find(page, emails)


def test_the_question_mark_lists_the_keys_of_the_page(visit):
    page = visit()
    page.goto("/connections/")
    press(page, "?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog.get_by_text("Search everything")).to_be_visible()
    expect(dialog.get_by_text("Select or deselect the row")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    open_people(page)
    link = rows(page).nth(2)
    link.focus()
    press(page, "?")
    expect(dialog.get_by_text("Select or deselect the row")).to_be_visible()
    expect(dialog.get_by_text("Go to the search of this page")).to_be_visible()
    expect(dialog.get_by_text("Move along a chart")).to_have_count(0)
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(link).to_be_focused()


@pytest.mark.deep
def test_what_is_typed_is_no_shortcut(visit):
    page = visit()
    open_people(page)
    press(page, "/")
    page.keyboard.type("?/xa")
    expect(page.get_by_label("Search people")).to_have_value("?/xa")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.deep
def test_keys_of_one_character_can_be_turned_off(visit):
    page = visit()
    open_people(page)
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.get_by_label("Use shortcuts of one character").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.locator("#main").focus()
    press(page, "/")
    press(page, "?")
    expect(page.get_by_label("Search people")).not_to_be_focused()
    expect(dialog).to_be_hidden()


@pytest.mark.deep
def test_arrows_home_and_end_go_through_the_rows(visit):
    page = visit()
    open_people(page)
    page.locator("#main").focus()
    page.keyboard.press("ArrowDown")
    expect(rows(page).first).to_be_focused()
    page.keyboard.press("End")
    expect(rows(page).last).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    expect(rows(page).first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Search people")).to_be_focused()


@pytest.mark.deep
def test_a_list_that_is_read_anew_keeps_the_focus_on_its_row(visit):
    page = visit()
    open_people(page)
    row = rows(page).nth(3)
    address = row.get_attribute("href")
    row.focus()
    row.evaluate("row => { row.dataset.old = 'true' }")
    page.evaluate("htmx.trigger(document.body, 'mirror-refreshed')")
    expect(page.locator("main .row-link[data-old]")).to_have_count(0)
    expect(page.locator(f"main .row-link[href='{address}']")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(f"main .row-link[href='{address}']")).to_be_focused()


@pytest.mark.deep
def test_list_that_is_read_anew_under_dialog_gets_focus_back(visit):
    page = visit()
    open_people(page)
    row = rows(page).nth(3)
    address = row.get_attribute("href")
    row.focus()
    row.evaluate("row => { row.dataset.old = 'true' }")
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.evaluate("htmx.trigger(document.body, 'mirror-refreshed')")
    expect(page.locator("main .row-link[data-old]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(f"main .row-link[href='{address}']")).to_be_focused()


@pytest.mark.deep
def test_the_arrows_of_a_menu_in_a_row_move_in_the_menu(visit):
    page = visit()
    open_people(page)
    rows(page).nth(1).focus()
    press(page, "x")
    more = page.get_by_role("button", name=re.compile("^More")).last
    more.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".dropdown-menu:popover-open")).to_be_visible()
