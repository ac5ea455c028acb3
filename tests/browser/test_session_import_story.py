"""Scheduling and changing meetings from a table, from the upload to the report."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import choose_more, create_in_service, new_email
from tests.browser.session_tables import (
    TIMEOUT,
    approve,
    open_import,
    open_page,
    paste,
    run,
    scheduled,
)

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
HEADINGS = "Efni;Gestgjafi;Start;Time zone;Repeats;Vikudagur;Times;Cost centre;Litur"
MEANT = {"Efni": "Topic", "Gestgjafi": "Host", "Vikudagur": "Week of the month"}


def _file(*lines):
    content = "\r\n".join(lines).encode("cp1252")
    return {"name": "termine.csv", "mimeType": "text/csv", "buffer": content}


def test_table_of_other_product_is_scheduled_and_corrected(visit, demo):
    email = new_email("host")
    host = create_in_service(demo, email)
    page = visit()
    open_page(page, "meetings/")
    choose_more(page, "Import")
    page.get_by_label("File").set_input_files(
        _file(
            HEADINGS,
            f"Prüfung;{email};2038-03-01 09:00;Europe/Berlin;;;;4711;red",
            f"Board;{email};2038-03-01 11:00;Europe/Berlin;monthly;second Monday;3;4711;",
            f"Close;{email};2038-03-01 11:00;Mars;monthly;last Fri;3;4711;",
        )
    )
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_text("termine.csv: 3 rows")).to_be_visible()
    expect(page.get_by_text("Prüfung")).to_be_visible()
    expect(page.get_by_label("Cost centre")).to_have_value("tracking:Cost centre")
    expect(page.get_by_text("Map a column to “Host”")).to_be_visible()
    for heading, meaning in MEANT.items():
        page.get_by_label(heading, exact=True).select_option(label=meaning)
    page.get_by_label("Continue without them").check()
    page.get_by_role("button", name="Preview changes").click()

    job = page.locator("#job")
    expect(job).to_contain_text("skip 1", timeout=TIMEOUT)
    expect(job).to_contain_text("Columns that are not imported: Litur.")
    expect(job).to_contain_text("The first occurrence is Monday, 8 March 2038")
    expect(page.get_by_text("Time zone: “Mars” is not a time zone")).to_be_visible()
    assert scheduled(demo, host) == {}
    assert violations(page) == []
    approve(page, "Schedule 2 meetings", 2)
    board = scheduled(demo, host)["Board"]["occurrences"]
    assert [one["start_time"][:10] for one in board] == ["2038-03-08", "2038-04-12", "2038-05-10"]

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
        page.get_by_role("link", name="Rows with errors (CSV)").click()
    wrong = Path(waiting.value.path()).read_text("utf-8-sig")
    open_import(page)
    paste(page, *wrong.replace("Mars", "Europe/Berlin").splitlines())
    run(page, "Schedule 1 meeting", 1)
    close = scheduled(demo, host)["Close"]["occurrences"]
    assert [one["start_time"][:10] for one in close] == ["2038-03-26", "2038-04-30", "2038-05-28"]


@pytest.mark.parametrize("family", ["meetings", "webinars"])
def test_pages_of_import_fit_telephone_and_are_accessible(visit, family):
    page = visit(viewport=PHONE)
    open_import(page, family)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="File")).to_be_visible()
    _is_whole(page)
    page.get_by_label("File").set_input_files(
        _file("topic;host;Müller;a rather long heading that nobody knows", "Prüfung;;ü;x")
    )
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("does not state its text encoding")).to_be_visible()
    _is_whole(page)
    page.get_by_label("Müller").select_option("Topic")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("Several columns are mapped to “Topic”")).to_be_visible()
    _is_whole(page)
    page.get_by_label("Müller").select_option("Agenda")
    page.get_by_label("Continue without them").check()
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("This field is required").first).to_be_visible(timeout=TIMEOUT)
    _is_whole(page)


def _is_whole(page):
    assert violations(page) == []
    assert not is_wider_than_the_window(page)
