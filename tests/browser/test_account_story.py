"""The account: a device that comes and goes, tracking fields, and the version of webhooks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, violations
from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def begin(visit, name):
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}/account/{name}/")
    return page


@pytest.mark.deep
def test_a_device_is_added_changed_and_deleted(visit):
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


@pytest.mark.deep
def test_tracking_fields_and_telephony_are_found_in_navigation(visit):
    page = begin(visit, "telephony")
    expect(page.get_by_role("heading", level=1)).to_have_text("Telephony")
    assert violations(page) == []
    page.get_by_role("link", name="Tracking fields").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_role("link", name="Version", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Choose the webhook version")
    assert violations(page) == []


@pytest.mark.deep
def test_a_sub_account_from_creation_to_plans_to_disassociation(visit):
    page = begin(visit, "sub-accounts")
    assert violations(page) == []
    page.get_by_role("link", name="Add sub account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Owner's email").fill("story-owner@north.example")
    dialog.get_by_label("Owner's first name").fill("Olive")
    dialog.get_by_label("Owner's last name").fill("Owner")
    dialog.locator("input[name=password]").fill("correct horse 1")
    dialog.get_by_role("button", name="Add sub account").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("story-owner@north.example")
    assert violations(page) == []

    page.get_by_role("link", name="Subscribe", exact=True).click()
    contact = {
        "First name": "Olive",
        "Last name": "Owner",
        "Email": "billing@north.example",
        "Telephone": "+44 20 7946 0000",
        "Address": "1 High Street",
        "City": "London",
        "Country": "GB",
    }
    group = page.get_by_role("group", name="Billing contact")
    for label, value in contact.items():
        group.get_by_label(label, exact=False).first.fill(value)
    base = page.get_by_role("group", name="Base plan")
    base.get_by_label("Plan").fill("Pro")
    base.get_by_label("Hosts").fill("5")
    page.get_by_role("button", name="Subscribe").click()
    expect(page.get_by_text("5 seats")).to_be_visible()

    page.get_by_role("link", name="Change base plan").click()
    dialog.get_by_label("Hosts").fill("8")
    dialog.get_by_role("button", name="Review change").click()
    expect(dialog.get_by_text("8 seats then: 3 more.")).to_be_visible()
    dialog.get_by_role("button", name="Change base plan").click()
    expect(page.get_by_text("8 seats", exact=True)).to_be_visible()

    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("link", name="Disassociate").click()
    dialog.get_by_role("button", name="Disassociate sub account").click()
    expect(heading).to_have_text("Sub accounts")
    expect(page.get_by_role("link", name="story-owner@north.example")).to_have_count(0)
