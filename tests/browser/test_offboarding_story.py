"""A person leaves: what they hold is looked at, handed over in one job, and receipted for print."""

from collections.abc import Callable
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.accessibility import problems
from tests.browser.people import (
    choose_more,
    create_group_in_service,
    create_in_service,
    find_in_list,
    in_service,
    members_in_service,
    new_email,
)
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def _meeting_of(demo, person):
    body = {"topic": "Handover", "type": 2, "start_time": "2038-03-01T09:00:00Z", "duration": 30}
    return str(call(demo, "POST", f"/users/{person}/meetings", json=body)["id"])


def _host(demo, meeting):
    return str(call(demo, "GET", f"/meetings/{meeting}")["host_id"])


def test_somebody_leaves_and_receipt_lists_everything(visit, demo):
    email, to = new_email("leaver"), new_email("recipient")
    leaver, heir = create_in_service(demo, email), create_in_service(demo, to)
    group = create_group_in_service(demo, "groups", [leaver])
    meeting = _meeting_of(demo, leaver)
    page = visit()
    find_in_list(page, to)
    find_in_list(page, email)
    page.locator("table.sb-table tbody tr a.row-link").click()
    choose_more(page, "Offboard")
    expect(page.get_by_role("heading", level=1)).to_have_text("Offboard Ada Byron")
    form_address = page.url
    expect(page.locator("#content")).to_contain_text("Handover")
    page.get_by_label("Delete permanently").check()
    recipient = page.get_by_role("group", name="Recipient")
    recipient.get_by_role("combobox").fill(to)
    recipient.get_by_role("option").filter(has_text=to).click()
    page.get_by_label("Type “delete” to confirm").fill("delete")
    page.get_by_role("button", name="Preview steps").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Offboard Ada Byron: delete permanently"
    )
    apply = page.locator('form[action$="/approve/"]').get_by_role("button")
    expect(apply).to_be_visible()
    assert in_service(demo, email)["id"] == leaver
    apply.click()
    page.get_by_role("link", name="Open receipt").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Offboarding receipt")
    receipt = page.locator(".receipt")
    for words in (email, to, "Leave group:", "Transfer:", "Deleted permanently"):
        expect(receipt).to_contain_text(words)
    assert in_service(demo, email)["code"]
    assert _host(demo, meeting) == heir
    assert email not in members_in_service(demo, "groups", group)
    printed = page.url
    page.emulate_media(media="print")
    expect(page.locator("#navigation")).to_be_hidden()
    expect(receipt).to_be_visible()
    sheets = PdfReader(BytesIO(page.pdf(format="A4"))).pages
    said = "".join("".join(sheet.extract_text().split()) for sheet in sheets)
    for words in ("Offboardingreceipt", email, to, "Leavegroup", f"({demo.email}),asof"):
        assert words in said
    page.emulate_media(media="screen")
    other = form_address.replace(leaver, heir)
    assert problems(page, [printed, other]) == []
