"""A baseline: set from settings found by half a word, drifted from, found out and brought back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import (
    create_group_in_service,
    create_in_service,
    find_in_list,
    new_email,
)
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_LONG = 60_000


def has_chat(demo, person):
    return bool(call(demo, "GET", f"/users/{person}/settings")["in_meeting"]["chat"])


def test_what_somebody_else_changed_is_found_and_brought_back(visit, demo):
    email = new_email("drift")
    person = create_in_service(demo, email)
    group = create_group_in_service(demo, "groups", [person])
    name = call(demo, "GET", f"/groups/{group}")["name"]
    call(demo, "PATCH", f"/users/{person}/settings", json={"in_meeting": {"chat": True}})
    page = visit()
    find_in_list(page, email)
    above = page.url.split("/people/")[0]
    _have_groups_read(page, above, name)

    page.goto(f"{above}/account/baselines/")
    page.get_by_role("button", name="Add baseline").click()
    page.get_by_role("link", name="For people", exact=True).click()
    page.get_by_label("Name", exact=False).first.fill("Story baseline")
    page.get_by_label("Applies to").select_option(label=name)
    page.get_by_label("Find a setting").fill("private ch")
    expect(page.get_by_label("Private chat")).to_be_visible()
    expect(page.get_by_label("Polls")).to_be_hidden()
    page.get_by_label("Find a setting").fill("chat")
    page.get_by_label("Chat", exact=True).select_option(label="On")
    assert violations(page) == []
    page.get_by_role("button", name="Save baseline").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Story baseline")
    expect(page.locator("main")).to_contain_text("No drift", timeout=_LONG)
    baseline = page.url

    call(demo, "PATCH", f"/users/{person}/settings", json={"in_meeting": {"chat": False}})
    page.get_by_role("button", name="Check now").click()
    row = page.get_by_role("row").filter(has_text=email)
    expect(row).to_contain_text("Off", timeout=_LONG)
    expect(row).to_contain_text("Chat")
    expect(page.get_by_text("1 setting of 1 person differs.")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == [], scheme
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})

    row.get_by_role("button", name=re.compile("^Restore")).click()
    page.get_by_role("button", name=re.compile("^(Apply|Change)")).first.click()
    expect(page.locator("main")).to_contain_text("Done", timeout=_LONG)
    assert has_chat(demo, person)
    page.goto(baseline)
    expect(page.get_by_role("heading", name="No drift")).to_be_visible()

    _brought_back_by_its_rule(page, demo, person)
    _is_exported_and_imported(page, above)


def _have_groups_read(page, above, name):
    page.goto(f"{above}/groups/?q={name}")
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def _brought_back_by_its_rule(page, demo, person):
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Restore automatically").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("without approval")
    assert violations(page) == []
    call(demo, "PATCH", f"/users/{person}/settings", json={"in_meeting": {"chat": False}})
    dialog.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("Restores automatically")).to_be_visible()
    for _ in range(60):
        if has_chat(demo, person):
            return
        page.wait_for_timeout(500)
    assert has_chat(demo, person)


def _is_exported_and_imported(page, above):
    page.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export YAML").click()
    text = download.value.path().read_text()
    page.goto(f"{above}/account/baselines/import/")
    assert violations(page) == []
    page.get_by_label("YAML").fill(text.replace("chat: true", "chat: perhaps"))
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_text(re.compile(r"Line \d+: in_meeting.chat")).first).to_be_visible()
    page.get_by_label("YAML").fill(text.replace("Story baseline", "Story copy"))
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review Story copy")
    assert violations(page) == []
    page.get_by_role("button", name="Save baseline").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Story copy")
    page.goto(f"{above}/account/baselines/")
    expect(page.get_by_role("row")).to_have_count(3)
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
