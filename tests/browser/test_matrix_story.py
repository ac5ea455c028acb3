"""Two sub accounts that differ: compared, one made like the other after a preview, and alike."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, PHONE, is_wider_than_the_window, violations
from tests.browser.fields import field
from tests.browser.service import call
from tests.browser.session_tables import approve, open_page

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
CHAT, POLLS = "in_meeting.chat", "in_meeting.polling"


def _account(demo, name, **settings):
    """A sub account with these settings of meetings; the email of its owner."""
    email = f"{name}-{uuid.uuid4().hex[:8]}@north.example"
    person = {"first_name": name, "last_name": "Owner", "password": "correct horse 1"}
    made = call(demo, "POST", "/accounts", json={"email": email, **person})
    call(demo, "PATCH", f"/accounts/{made['id']}/settings", json={"in_meeting": settings})
    return email


def test_two_sub_accounts_are_made_alike(visit, demo):
    first = _account(demo, "alder", chat=True, polling=False)
    second = _account(demo, "birch", chat=False, polling=False)
    page = visit()
    open_page(page, "account/sub-accounts/")
    for email in (first, second):
        page.get_by_role("row").filter(has_text=email).get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare settings")
    expect(page.get_by_text("1 of", exact=False).first).to_be_visible()
    row = page.locator(f"tr[data-field='{CHAT}']")
    expect(row).to_contain_text("On")
    assert violations(page) == []

    # Found by half a word among all, and the address keeps it.
    page.locator("label[for=show-all]").click()
    page.get_by_label("Find a setting").fill("poll")
    expect(page.locator(f"tr[data-field='{POLLS}']")).to_be_visible()
    expect(row).to_be_hidden()
    page.reload()
    expect(page.locator(f"tr[data-field='{POLLS}']")).to_be_visible()
    expect(row).to_be_hidden()
    page.get_by_label("Find a setting").fill("")
    page.locator("label[for=show-differing]").click()
    expect(row).to_be_visible()
    compared = page.url

    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
    expect(row.get_by_role("checkbox")).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size(DESK)

    row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Copy settings").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Selected: Chat.")).to_be_visible()
    assert violations(page) == []
    source = field(dialog, "Copy from")
    source.select_option(label=next(_labels(dialog, first)))
    for box in dialog.get_by_role("group", name="To").get_by_role("checkbox").all():
        box.uncheck()
    dialog.get_by_role("checkbox", name=second).check()
    dialog.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("In meeting: Chat")).to_be_visible(timeout=60_000)
    approve(page, re.compile("^(Apply|Change|Copy|Make)"), 1)

    page.get_by_role("link", name="Compare settings").last.click()
    expect(page.get_by_role("heading", name="Nothing differs")).to_be_visible()
    assert sorted(page.url.split("?")[1].split("&")) == sorted(compared.split("?")[1].split("&"))
    assert violations(page) == []


def _labels(dialog, email):
    return (text for text in dialog.locator("option").all_text_contents() if email in text)
