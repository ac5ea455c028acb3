"""Removing people, with what they own going to a colleague."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fields import field
from tests.browser.people import choose_more, create_in_service, in_service, new_email, open_person
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def _recordings_of(demo, person):
    """Returns the number of meetings with recordings that the service lists for a person."""
    listed = call(demo, "GET", f"/users/{person}/meetings", params={"type": "scheduled"})
    return int(listed["total_records"])


def _somebody_with_meetings(demo):
    people = call(demo, "GET", "/users", params={"page_size": 300})["users"]
    for person in people[60:]:
        if count := _recordings_of(demo, person["id"]):
            return str(person["email"]), count
    pytest.fail("the sample account has nobody with a scheduled meeting")


def test_somebody_is_deleted_and_their_meetings_go_to_colleague(visit, demo):
    email, count = _somebody_with_meetings(demo)
    colleague = new_email("heir")
    heir = create_in_service(demo, colleague)
    page = visit()
    open_person(page, demo, email)
    choose_more(page, "Remove")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Remove")).to_be_disabled()
    dialog.get_by_label("Delete permanently").check()
    field(dialog, "Transfer to").fill(colleague)
    field(dialog, "Transfer to").press("Tab")
    expect(dialog).to_contain_text(f"{colleague} gets")
    expect(dialog).to_contain_text("This cannot be undone")
    dialog.locator("input[name=confirmation]").fill(email)
    dialog.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    assert in_service(demo, email)["code"]
    assert _recordings_of(demo, heir) == count


def test_transfer_to_nobody_is_refused_at_its_field(visit, demo):
    email, _count = _somebody_with_meetings(demo)
    page = visit()
    open_person(page, demo, email)
    choose_more(page, "Remove")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=re.compile("^Disassociate")).check()
    entry = field(dialog, "Transfer to")
    entry.fill("nobody.at.all@brightwater.example")
    entry.press("Tab")
    expect(dialog).to_contain_text("nobody.at.all@brightwater.example gets")
    dialog.get_by_role("button", name="Disassociate").click()
    expect(entry).to_have_attribute("aria-invalid", "true")
    expect(entry).to_have_value("nobody.at.all@brightwater.example")
    assert in_service(demo, email)["email"] == email
