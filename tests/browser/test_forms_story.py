"""Long forms by keyboard: people are picked, menus walked through, and nothing typed is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.fields import field
from tests.browser.people import create_in_service, find_in_list, new_email, open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def open_form(page):
    """The form of a new meeting, with the viewer's account as it is."""
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Schedule meeting")


def active(combobox):
    """Returns the text of the option that a screen reader announces."""
    return str(
        combobox.evaluate(
            "field => document.getElementById(field.getAttribute('aria-activedescendant'))"
            "?.innerText.trim().replace(/\\s+/g, ' ') ?? ''"
        )
    )


def test_people_are_picked_with_the_keyboard_alone(visit, demo):
    page = visit()
    email = new_email("picked")
    create_in_service(demo, email)
    find_in_list(page, email)
    open_form(page)
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    hosts = page.get_by_role("group", name=re.compile(r"^Host\b"))
    host = hosts.get_by_role("combobox")
    expect(host).to_have_attribute("aria-expanded", "false")
    host.press("Enter")
    host.fill(email)
    expect(host).to_have_attribute("aria-expanded", "true")
    expect(hosts.get_by_role("option")).to_have_count(1)
    expect(page.locator("#announce")).to_have_text(re.compile("^1 found"))
    assert email in active(host)
    host.press("Escape")
    expect(hosts.get_by_role("option")).to_have_count(0)
    expect(host).to_have_value(email)
    host.press("ArrowDown")
    assert email in active(host)
    host.press("Enter")
    expect(hosts.get_by_role("radio", name=re.compile("^Ada Byron"))).to_be_checked()
    expect(host).to_have_value("")
    expect(page.locator("#announce")).to_have_text("Ada Byron selected")

    others = page.get_by_role("group", name="Alternative hosts")
    several = others.get_by_role("combobox")
    several.press_sequentially("an")
    expect(others.get_by_role("option").nth(2)).to_be_visible()
    first, last = (others.get_by_role("option").nth(at).inner_text() for at in (0, -1))
    assert violations(page) == []
    several.press("End")
    assert active(several) == " ".join(last.split())
    several.press("Home")
    assert active(several) == " ".join(first.split())
    several.press("Enter")
    expect(others.get_by_role("checkbox")).to_have_count(1)
    expect(others.get_by_role("checkbox")).to_be_checked()
    several.press_sequentially("an")
    expect(others.get_by_role("option").first).to_be_visible()
    several.press("Tab")
    expect(others.get_by_role("option")).to_have_count(0)
    expect(others).to_contain_text("Choose one of the search results, or clear this field.")

    field(page, "Topic").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Schedule meeting")
    assert not [url for url in sent if url.rstrip("/").endswith("/meetings/create")]


@pytest.mark.deep
def test_a_dialog_of_one_field_is_sent_with_enter(visit, demo):
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}{create_in_service(demo, new_email('enter'))}/profile/")
    page.get_by_role("link", name="Change the email").click()
    typed = field(page.get_by_role("dialog"), "New email address")
    typed.fill("no address")
    typed.press("Enter")
    expect(typed).to_have_attribute("aria-invalid", "true")


def test_menus_heed_the_arrow_keys(visit):
    page = visit()
    open_people(page)
    button = page.get_by_role("button", name="Account menu")
    menu = page.locator("#own-menu")
    first, last = menu.get_by_role("link").first, menu.get_by_role("button").last
    button.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("link").nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(last).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    connections = page.get_by_role("button", name=re.compile("^Connection:"))
    connections.press("ArrowUp")
    expect(page.get_by_role("link", name="Add connection")).to_be_focused()


def test_what_was_typed_into_a_meeting_is_not_lost_by_leaving(visit, demo):
    page = visit()
    email = new_email("draft")
    create_in_service(demo, email)
    find_in_list(page, email)
    open_form(page)
    hosts = page.get_by_role("group", name=re.compile(r"^Host\b"))
    hosts.get_by_role("combobox").fill(email)
    hosts.get_by_role("option").click()
    field(page, "Topic").fill("Kept as a draft")
    field(page, "Password").fill("hidden1")
    page.get_by_label("Recurring at fixed times").check()
    field(page, "Every").fill("2")
    field(page, "Occurrences").fill("7")

    warnings: list[str] = []

    def leave(dialog):
        warnings.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Groups").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Groups")
    assert warnings == ["beforeunload"]
    page.go_back()
    expect(page.locator("#content").get_by_text("Your unsaved entries")).to_be_visible()
    expect(field(page, "Topic")).to_have_value("Kept as a draft")
    expect(hosts.get_by_role("radio", name=re.compile("^Ada Byron"))).to_be_checked()
    expect(field(page, "Every")).to_have_value("2")
    expect(field(page, "Occurrences")).to_have_value("7")
    expect(field(page, "Password")).to_have_value("")
    assert "hidden1" not in page.evaluate("JSON.stringify(sessionStorage)")

    # What a refused form hid comes back with the rest.
    page.get_by_role("radio", name=re.compile("^Once")).check()
    field(page, "Start").fill("")
    page.get_by_role("button", name="Schedule meeting").click()
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_label("Recurring at fixed times").check()
    expect(field(page, "Every")).to_have_value("2")
    expect(field(page, "Occurrences")).to_have_value("7")

    page.reload()
    expect(field(page, "Topic")).to_have_value("Kept as a draft")
    page.get_by_role("button", name="Discard draft").click()
    expect(page.locator("#content").get_by_text("Your unsaved entries")).to_have_count(0)
    expect(field(page, "Topic")).to_have_value("")
    warnings.clear()
    page.goto("/audit/")
    assert warnings == []


@pytest.mark.deep
def test_draft_of_a_closed_tab_is_given_back_until_signing_out(visit):
    page = visit()
    open_people(page)
    open_form(page)
    field(page, "Topic").fill("Typed before the tab was closed")
    field(page, "Password").fill("hidden1")
    address, tabs = page.url, page.context
    beside = tabs.new_page()
    beside.goto(address)
    expect(beside.get_by_text("Your unsaved entries")).to_have_count(0)
    for each in (page, beside):
        each.close(run_before_unload=False)

    after = tabs.new_page()
    after.goto(address)
    expect(field(after, "Topic")).to_have_value("Typed before the tab was closed")
    expect(after.locator("#content").get_by_text("Your unsaved entries")).to_be_visible()
    stored = after.evaluate("JSON.stringify(localStorage)")
    assert "closed" in stored
    assert "hidden1" not in stored
    after.evaluate(
        "() => Object.keys(localStorage).forEach(key => localStorage.setItem(key,"
        'localStorage.getItem(key).replace(/^."at":\\d+/, \'{"at":1\')))'
    )
    after.close(run_before_unload=False)
    late = tabs.new_page()
    late.goto(address)
    expect(field(late, "Topic")).to_have_value("")
    field(late, "Topic").fill("Another")
    late.evaluate(
        "() => document.querySelector('form[action$=\"/account/logout/\"]')"
        ".addEventListener('submit', event => event.preventDefault())"
    )
    late.get_by_role("button", name="Account menu").click()
    late.get_by_role("button", name="Sign out").click()
    assert "switchboard.draft" not in late.evaluate("JSON.stringify(localStorage)")
