"""A recording found among all, held, not deleted; old ones moved by a rule, and brought back."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import open_people
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep, pytest.mark.alone]

Visit = Callable[..., Page]
_LONG = 90_000


def open_recordings(page):
    """The list, when it has been read; the address below which pages of recordings stand."""
    open_people(page)
    address = f"{page.url.split('/people/')[0]}/recordings/"
    page.goto(address)
    expect(page.locator("#freshness")).to_contain_text("Updated", timeout=_LONG)
    page.goto(address)
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible(timeout=_LONG)
    return address


def trashed(demo):
    """Returns the number of recordings in the trash of everybody on the account."""
    today = datetime.now(UTC).date()
    days = {"from": str(today - timedelta(days=200)), "to": str(today), "page_size": 300}
    people = call(demo, "GET", "/users", params={"page_size": 300})["users"]
    return sum(
        len(
            call(demo, "GET", f"/users/{one['id']}/recordings", params={**days, "trash": "true"})[
                "meetings"
            ]
        )
        for one in people
    )


def test_held_recording_outlives_deletion_and_retention_undone(visit, demo):
    page = visit()
    address = open_recordings(page)
    page.goto(f"{address}?status=available&sort=start_time")
    page.locator("a.row-link").first.click()
    page.get_by_role("link", name="Put on hold").click()
    dialog = page.get_by_role("dialog")
    assert violations(page) == []
    dialog.get_by_label("Reason").fill("Lawsuit 4711")
    dialog.get_by_role("button", name="Hold").click()
    expect(page.get_by_role("heading", name="On hold")).to_be_visible()
    expect(page.get_by_text("Lawsuit 4711").first).to_be_visible()
    assert violations(page) == []
    held = page.url

    page.get_by_role("link", name="Delete all permanently").first.click()
    dialog.get_by_label("Type “delete” to confirm").fill("delete")
    dialog.get_by_role("button", name="Delete permanently").click()
    expect(dialog).to_contain_text("On hold by")
    page.goto(held)
    files = page.get_by_role("region", name=re.compile("^Files"))
    expect(files.get_by_role("listitem").first).to_be_visible()

    before = trashed(demo)
    page.goto(f"{address}retention/new/")
    page.get_by_label("Older than (days)").fill("150")
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_text(re.compile(r"Would move [1-9]\d* recordings?, "))).to_be_visible()
    assert violations(page) == []
    rule = page.url
    page.get_by_role("link", name="Turn on").click()
    expect(dialog).to_contain_text("It runs now")
    dialog.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("The rule is on.")).to_be_visible()
    _until(page, rule, re.compile(r"Moved [1-9]\d* recordings? to the trash"))
    assert trashed(demo) > before
    page.get_by_role("link", name=re.compile("^Retention: move")).click()
    page.get_by_role("link", name="Undo").or_(page.get_by_role("button", name="Undo")).first.click()
    _approve(page)
    assert trashed(demo) == before
    page.goto(rule)
    expect(page.get_by_text("Turned off, since its last run was undone.")).to_be_visible()

    for path in ("", "storage/", "retention/"):
        page.goto(f"{address}{path}")
        assert violations(page) == []
        page.set_viewport_size(PHONE)
        assert not is_wider_than_the_window(page), path
        assert violations(page) == []
        page.set_viewport_size({"width": 1280, "height": 900})


def _until(page, address, words):
    """Opens the page again until it says so: it does not ask by itself."""
    for _ in range(60):
        page.goto(address)
        if page.get_by_text(words).count():
            return
        page.wait_for_timeout(1000)
    expect(page.get_by_text(words)).to_be_visible()


def _approve(page):
    page.get_by_role("button", name=re.compile("^(Apply|Recover)")).first.click()
    expect(page.locator("main")).to_contain_text("Done", timeout=60_000)
