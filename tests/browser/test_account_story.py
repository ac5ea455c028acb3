"""The account: a device that comes and goes, tracking fields, and the version of webhooks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, violations
from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def begin(visit: Visit, name: str) -> Page:
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}/account/{name}/")
    return page


def test_a_device_is_added_changed_and_deleted(visit: Visit) -> None:
    page = begin(visit, "devices")
    assert violations(page) == []
    page.get_by_role("link", name="Add device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Story room")
    dialog.get_by_label("IP address").fill("192.0.2.44")
    dialog.get_by_label("Protocol").select_option(label="SIP")
    dialog.get_by_label("Always").check()
    assert violations(page) == []
    dialog.get_by_role("button", name="Add device").click()
    expect(page.get_by_text("Story room was added.")).to_be_visible()

    page.get_by_role("link", name="Story room", exact=True).click()
    dialog.get_by_label("IP address").fill("192.0.2.45")
    dialog.get_by_role("button", name="Save").click()
    row = page.get_by_role("row").filter(has_text="Story room")
    expect(row).to_contain_text("192.0.2.45")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    row.get_by_role("link", name="Delete").click()
    dialog.get_by_role("button", name="Delete device").click()
    expect(page.get_by_text("Story room was deleted.")).to_be_visible()
    expect(row).to_have_count(0)


def test_tracking_fields_and_telephony_are_found_in_the_navigation(visit: Visit) -> None:
    page = begin(visit, "telephony")
    expect(page.get_by_role("heading", level=1)).to_have_text("Telephony")
    assert violations(page) == []
    page.get_by_role("link", name="Tracking fields").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_role("link", name="Choose version").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Choose the webhook version")
    assert violations(page) == []
