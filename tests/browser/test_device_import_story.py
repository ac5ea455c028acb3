"""A thousand devices from a file, from the upload to the list, and the list's file in again."""

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.service import call
from tests.browser.session_tables import TIMEOUT, approve, open_page, paste

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_MANY = 1000


def _file(name, *lines):
    content = "\r\n".join(lines).encode("cp1252")
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def _begin(page, what):
    open_page(page, f"account/{what}/")
    page.get_by_role("link", name="Import", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Import")


def test_thousand_devices_are_imported_and_file_changes_nothing(visit, demo):
    mark = token_hex(3)
    lines = ["Gerätename;IP-Adresse;Protokoll;Verschlüsselung;Etage"]
    lines += [f"Süd {mark} x;192.0.2.1;ISDN;ja;1"]
    lines += [
        f"Süd {mark} {n};192.0.{n // 250}.{n % 250};{'SIP' if n % 2 else 'H323'};ja;{n % 9}"
        for n in range(_MANY)
    ]
    page = visit()
    _begin(page, "devices")
    assert violations(page) == []
    page.get_by_label("File").set_input_files(_file("geräte.csv", *lines))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text(f"geräte.csv: {_MANY + 1:,} rows")).to_be_visible()
    expect(page.get_by_label("Verschlüsselung")).to_have_value("encryption")
    page.get_by_label("Continue without them").check()
    assert violations(page) == []
    page.get_by_role("button", name="Preview changes").click()
    job = page.locator("#job")
    expect(job).to_contain_text("skip 1", timeout=TIMEOUT)
    expect(job).to_contain_text("“ISDN” is none of: H.323, SIP.")
    assert violations(page) == []
    done = f"{_MANY:,} devices created"
    page.get_by_role("button", name=f"Add {_MANY:,} devices").click()
    expect(page.locator("#job-status")).to_contain_text(done, timeout=TIMEOUT)
    known = call(demo, "GET", "/h323/devices")["devices"]
    assert sum(mark in one["name"] for one in known) == _MANY

    open_page(page, f"account/devices/?q={mark}")
    expect(page.get_by_text(f"of {_MANY:,}", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV, all columns").click()
    exported = Path(waiting.value.path())
    _begin(page, "devices")
    page.get_by_label("File").set_input_files(exported)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Preview changes").click()
    expect(page.locator("#job")).to_contain_text("Unchanged", timeout=TIMEOUT)


def test_tracking_fields_are_imported_and_undone_on_a_telephone(visit, demo):
    name = f"Project {token_hex(3)}"
    page = visit(viewport=PHONE)
    _begin(page, "tracking-fields")
    _is_whole(page)
    paste(page, "Field\tRequired\tRecommended values", f"{name}\tyes\tNorth; South")
    _is_whole(page)
    page.get_by_role("button", name="Preview changes").click()
    apply = page.get_by_role("button", name="Add 1 tracking field")
    expect(apply).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_text("North; South")).to_be_visible()
    _is_whole(page)
    approve(page, "Add 1 tracking field", 1)
    _is_whole(page)
    fields = call(demo, "GET", "/v2/tracking_fields")["tracking_fields"]
    added = [one["recommended_values"] for one in fields if one["field"] == name]
    assert added == [["North", "South"]]
    page.get_by_role("button", name="Undo").click()
    approve(page, "Delete 1 tracking field", 1)
    fields = call(demo, "GET", "/v2/tracking_fields")["tracking_fields"]
    assert name not in {one["field"] for one in fields}


def _is_whole(page):
    assert violations(page) == []
    assert not is_wider_than_the_window(page)
