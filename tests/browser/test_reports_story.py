"""Reports: a long range that a job reads, and one that is mailed on a schedule."""

import time
from collections.abc import Callable
from email import message_from_bytes
from io import BytesIO

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.mark.deep
def test_half_a_year_is_read_by_a_job_and_shown(visit):
    page = visit()
    open_people(page)
    reports = f"{page.url.split('/people/')[0]}/reports/"
    page.goto(reports)
    page.get_by_role("link", name="Active hosts", exact=True).click()
    page.goto(f"{reports}hosts/?period=6-months")
    expect(page.get_by_text("Participant time")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("days are being loaded")).to_be_hidden(timeout=60_000)
    expect(page.locator("tbody tr").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.deep
def test_a_report_on_a_schedule_is_mailed_with_its_file(visit, demo):
    page = visit()
    open_people(page)
    reports = f"{page.url.split('/people/')[0]}/reports/"
    page.goto(f"{reports}daily/?period=7-days")
    page.get_by_role("link", name="Send on a schedule").click()
    page.get_by_label("Name").fill("Use of the week")
    expect(page.get_by_label("Weekday")).to_be_visible()
    expect(page.get_by_label("Day of the month")).to_be_hidden()
    page.get_by_label("How often").select_option("monthly")
    expect(page.get_by_label("Weekday")).to_be_hidden()
    expect(page.get_by_label("Day of the month")).to_be_visible()
    page.get_by_label("How often").select_option("daily")
    assert violations(page) == []
    page.get_by_role("button", name="Save report").click()
    page.get_by_role("link", name="Send now").click()
    page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(page.get_by_text("is being created and emailed")).to_be_visible()

    until = time.monotonic() + 60
    sent = page.get_by_text("Sent", exact=True)
    while not sent.count() and time.monotonic() < until:
        page.reload(wait_until="networkidle")
    expect(sent).to_have_count(1)
    assert violations(page) == []
    [mail] = [
        mail
        for path in (demo.data_dir / "mail").iterdir()
        if "Use of the week" in (mail := message_from_bytes(path.read_bytes()))["Subject"]
    ]
    assert mail["To"] == demo.email
    [file] = [part for part in mail.walk() if part.get_filename()]
    book = load_workbook(BytesIO(file.get_payload(decode=True)))
    assert book.active is not None
    assert book.active.max_row == 2
