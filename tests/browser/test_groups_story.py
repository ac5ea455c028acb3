"""A group from its making to its end, at a desk and on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.fields import field
from tests.browser.people import create_in_service, members_in_service, new_email, open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


@pytest.mark.alone
def test_a_group_is_made_filled_thinned_out_and_deleted(visit, demo):
    page = visit()
    emails = [new_email("member") for _ in range(3)]
    for email in emails:
        create_in_service(demo, email)
    open_people(page)
    colleague = page.locator("td.cell-main").first.inner_text()
    page.get_by_role("link", name="Groups", exact=True).click()
    page.get_by_role("link", name="IM groups", exact=True).click()
    page.get_by_role("link", name="Add IM group").click()
    name = f"Launch {new_email().split('.')[1][:8]}"
    field(page.get_by_role("dialog"), "Name").fill(name)
    page.get_by_role("dialog").get_by_text("Restricted", exact=True).click()
    page.get_by_role("button", name="Add group").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("No members yet")).to_be_visible()
    group = page.url.rstrip("/").rpartition("/")[2]

    page.get_by_role("link", name="Add members").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Find by name, email or department").press_sequentially(colleague)
    dialog.get_by_role("option", name=re.compile(re.escape(colleague))).first.click()
    field(dialog, "Or by email address").fill("\n".join([*emails, "nobody@example.com"]))
    dialog.get_by_role("button", name="Add members").click()
    expect(dialog.get_by_text("4 people were added, 1 was not")).to_be_visible()
    expect(dialog.get_by_role("alert")).to_be_focused()
    expect(field(dialog, "Or by email address")).to_have_value("nobody@example.com")
    assert violations(page) == []
    dialog.get_by_role("link", name="Back").click()
    expect(page.get_by_text("4 members", exact=True).first).to_be_visible()
    assert len(members_in_service(demo, "im/groups", group)) == 4

    _look_at_settings_of_all(page, name)
    row = page.locator("tbody tr", has_text=emails[0])
    row.get_by_role("checkbox").check()
    page.get_by_role("button", name=re.compile("^Remove 1")).click()
    dialog.get_by_role("button", name="Remove Ada Byron").click()
    expect(page.get_by_text(f"Ada Byron removed from {name}.")).to_be_visible()
    assert emails[0] not in members_in_service(demo, "im/groups", group)

    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Change", exact=True).click()
    field(dialog, "Name").fill(f"{name} II")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{name} II")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Delete", exact=True).click()
    expect(dialog.get_by_text("Its 3 members stay on the account")).to_be_visible()
    dialog.get_by_role("button", name="Delete IM group").click()
    expect(page.get_by_text(f"{name} II is deleted.")).to_be_visible()
    expect(page.locator("td.cell-main", has_text=name)).to_have_count(0)


def _look_at_settings_of_all(page, name):
    """From the page of the group to the form for all of its members, and back."""
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Change settings of all members").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change settings of 1 person")
    expect(page.get_by_text("the list of people here knows 1 of them")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name=name, exact=True).click()


def test_on_phone_person_joins_group_without_side_scroll(visit, demo):
    page = visit(viewport=PHONE)
    open_people(page)
    people = page.url.split("?")[0]
    page.goto(people.replace("/people/", "/groups/"))
    first = page.locator("td.cell-main a").first
    expect(first).to_be_visible()
    name = first.inner_text()
    person = create_in_service(demo, new_email("joiner"))
    page.goto(f"{people}{person}/groups/")
    page.get_by_role("link", name="Add to a group").click()
    page.get_by_role("dialog").get_by_role("option", name=re.compile(re.escape(name))).click()
    page.get_by_role("button", name="Add to groups").click()
    expect(page.get_by_text(f"Ada Byron is in {name} now.")).to_be_visible()
    assert not is_wider_than_the_window(page)
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    group = page.url
    for part in ("", "members/add/", "history/"):
        page.goto(f"{group}{part}")
        assert not is_wider_than_the_window(page)
