"""A user undoes a change: from the notice that follows it, and later, from the history."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.fields import field
from tests.browser.people import create_in_service, in_service, new_email, open_person, open_profile
from tests.browser.service import call

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture
def email(demo):
    email = new_email("undo")
    create_in_service(demo, email)
    return email


@pytest.fixture
def page(visit, demo, email):
    page = visit()
    open_person(page, demo, email)
    return page


def change_elsewhere(demo, email, **values):
    call(demo, "PATCH", f"/users/{email}", json=values)


def rename(page):
    """Another first name, and a department."""
    open_profile(page)
    page.get_by_role("link", name="Edit name and department").click()
    field(page, "First name").fill("Augusta")
    field(page, "Department").fill("Analytical Engines")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Augusta Byron")


def test_a_licence_is_given_back_from_the_notice(page, demo, email):
    page.get_by_role("link", name="Change licence").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Basic").check()
    dialog.get_by_role("button", name="Change licence").click()
    expect(page.locator("#thing-facts")).to_contain_text("Basic")
    page.get_by_role("region", name="Notices").get_by_role("link", name="Undo", exact=True).click()
    expect(dialog).to_contain_text("Licence")
    expect(dialog.locator("del")).to_have_text("Basic")
    expect(dialog.locator("ins")).to_have_text("Pro")
    dialog.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#thing-facts")).to_contain_text("Pro")
    assert in_service(demo, email)["type"] == 2


@pytest.mark.deep
def test_the_history_undoes_what_nobody_has_changed_since(page, demo, email):
    rename(page)
    change_elsewhere(demo, email, dept="Difference Engines")
    page.locator("#content").get_by_role("link", name="History", exact=True).click()
    page.locator("#panel").get_by_role("link", name="Undo entry").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("ins")).to_have_text("Ada")
    stays = "Changed since to “Difference Engines”, outside of Switchboard. It is not undone."
    expect(dialog).to_contain_text(stays)
    dialog.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Byron")
    known = in_service(demo, email)
    assert (known["first_name"], known["dept"]) == ("Ada", "Difference Engines")
    history = page.locator("#panel")
    expect(history).to_contain_text("Undone by")
    expect(history.get_by_role("link", name="Undo entry")).to_have_count(1)


@pytest.mark.deep
def test_the_pages_are_accessible(page):
    rename(page)
    page.locator("#content").get_by_role("link", name="History", exact=True).click()
    undo = page.locator("#panel").get_by_role("link", name="Undo entry")
    expect(undo).to_be_visible()
    history, address = page.url, str(undo.get_attribute("href"))
    page.goto(address)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("is undone.")
    page.goto(history)
    latest = page.locator("#panel").get_by_role("link", name="Undo entry").get_attribute("href")
    assert problems(page, [history, str(latest), address]) == []
