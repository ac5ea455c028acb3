"""Importing people from a file, from the upload to the report."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import create_in_service, in_service, new_email, open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
_TIMEOUT = 60_000


def _open_import(page):
    open_people(page)
    page.get_by_role("link", name="Import", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Import people")


def _table(lines):
    content = "\r\n".join(lines).encode("cp1252")
    return {"name": "people.csv", "mimeType": "text/csv", "buffer": content}


def _standing(page):
    return page.locator("#job-status")


def _make_plan(page, button):
    expect(page.get_by_role("heading", level=1)).to_have_text("Map columns")
    page.get_by_role("button", name="Preview changes").click()
    run = page.get_by_role("button", name=button)
    expect(run).to_be_visible(timeout=_TIMEOUT)
    return run


def _downloaded(page, link):
    with page.expect_download() as waiting:
        page.get_by_role("link", name=link).click()
    return Path(waiting.value.path()).read_text("utf-8-sig")


@pytest.mark.deep
def test_file_is_imported_though_tab_is_closed_and_corrected(visit, demo):
    leaver, known = new_email("leaver"), new_email("known")
    for email in (leaver, known):
        create_in_service(demo, email)
    emails = [new_email("imported") for _ in range(60)]
    lines = ["E-Mail;Vorname;Last name;User type;Host key;Link;Status;Favourite colour"]
    lines += [f"{email};Jürgen;Weiß;Basic;012345;;Active;red" for email in emails]
    refused, invalid = new_email("refused"), "nobody"
    lines += [f"{refused};Jürgen;Weiß;Pro;123456;no;;", f"{invalid};;;Gold;;;;"]
    lines += [f"{leaver};;;;;;suspended;", f"{known};Ada;Byron;Pro;;;active;"]

    page = visit()
    _open_import(page)
    page.get_by_label("File").set_input_files(_table(lines))
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_text("people.csv: 64 rows")).to_be_visible()
    expect(page.get_by_text("does not state its text encoding")).to_be_visible()
    expect(page.get_by_text("Jürgen").first).to_be_visible()
    expect(page.get_by_label("User type")).to_have_value("type")
    page.get_by_label("Vorname").select_option("First name")
    page.get_by_label("Link", exact=True).select_option("Personal link name")
    expect(page.get_by_label("Favourite colour")).to_have_value("")
    page.get_by_label("Continue without them").check()
    page.get_by_label("Create without sign-in").check()
    assert violations(page) == []

    run = _make_plan(page, "Apply")
    expect(_standing(page)).to_contain_text("61")
    expect(page.get_by_text("Errors 1").first).to_be_visible()
    expect(page.get_by_text("Unchanged 1").first).to_be_visible()
    run.click()
    expect(run).to_be_hidden()
    address = page.url
    page.close()

    page = visit()
    page.goto(address)
    expect(_standing(page)).to_contain_text("1 failed", timeout=_TIMEOUT)
    assert in_service(demo, emails[-1])["first_name"] == "Jürgen"
    assert in_service(demo, emails[0])["host_key"] == "012345"
    assert violations(page) == []

    failed = _downloaded(page, "Download 2 rows to correct")
    assert failed.count(refused) == 1
    link = refused.replace("@", "-").replace(".", "-")[:30]
    corrected = re.sub(r',("?)no\1,', f",{link},", failed)
    _open_import(page)
    page.get_by_text("Paste rows instead").click()
    page.get_by_role("textbox", name="Rows").fill(corrected)
    page.get_by_role("button", name="Continue").click()
    _make_plan(page, "Change 1 person").click()
    expect(_standing(page)).to_contain_text("1 person changed", timeout=_TIMEOUT)
    assert "refused-" in str(in_service(demo, refused)["vanity_url"])


@pytest.mark.deep
def test_pages_of_import_fit_telephone_and_are_accessible(visit):
    page = visit(viewport=PHONE)
    _open_import(page)
    pages = [page.url]
    assert violations(page) == []
    page.get_by_label("File").set_input_files(
        _table(["email;host key;Müller", "a@example.com;12345;ü", "b@example.com;1;;x"])
    )
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Zeros may be missing")).to_be_visible()
    assert violations(page) == []
    pages.append(page.url)
    pages.append(f"{pages[0]}licences/")
    for address in pages:
        page.goto(address)
        assert not is_wider_than_the_window(page)
    assert violations(page) == []


def test_dropped_file_is_taken_and_one_too_large_is_not_sent(visit):
    page = visit()
    _open_import(page)
    drop = """([name, size]) => {
        const files = new DataTransfer();
        files.items.add(new File([`email\\na@example.com\\n${' '.repeat(size)}`], name));
        const zone = document.querySelector('[data-drop-zone]');
        for (const type of ['dragover', 'drop']) {
            const more = { bubbles: true, cancelable: true, dataTransfer: files };
            zone.dispatchEvent(new DragEvent(type, more));
        }
    }"""
    page.evaluate(drop, ["huge.csv", 10_000_001])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("The file is larger than 10 MB")).to_be_visible()
    expect(page.get_by_label("File")).to_be_focused()
    page.evaluate(drop, ["dropped.csv", 0])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("dropped.csv: 1 row.")).to_be_visible()


@pytest.mark.deep
def test_row_is_left_out_of_plan_and_put_back_by_keyboard(visit):
    first, second = new_email("first"), new_email("second")
    page = visit()
    _open_import(page)
    page.get_by_label("File").set_input_files(_table(["E-Mail", first, second]))
    page.get_by_role("button", name="Continue").click()
    _make_plan(page, "Create 2 people")
    page.get_by_role("button", name=f"Exclude {first}").press("Enter")
    expect(page.get_by_role("button", name="Create 1 person")).to_be_visible()
    expect(page.get_by_role("button", name=f"Include {first}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Create 2 people")).to_be_visible()
    expect(page.get_by_role("button", name=f"Exclude {first}")).to_be_focused()
    assert violations(page) == []
