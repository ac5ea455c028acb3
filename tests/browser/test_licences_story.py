"""Unused licences found, some protected, the others reclaimed by a job and given back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, problems, violations
from tests.browser.people import create_in_service, find_in_list, in_service, new_email, open_people
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_LONG = 90_000


def _name(demo, email, last_name):
    call(demo, "PATCH", f"/users/{email}", json={"last_name": last_name})


def _open_settled(page, address):
    """Opens the page, and waits until all that it goes by has been read; it says so by itself."""
    page.goto(address)
    facts = page.get_by_role("region", name="Based on")
    expect(facts).not_to_contain_text(re.compile("Updating|is not known"), timeout=_LONG)
    expect(page.get_by_role("region", name="Seats")).to_be_visible()


def _apply(page):
    """Approves the job whose page is open, and waits for its end."""
    page.get_by_role("button", name=re.compile("^(Move|Restore) ")).click(timeout=_LONG)
    expect(page.locator("#job-standing .status")).to_have_text("Done", timeout=_LONG)


def test_unused_licences_are_protected_reclaimed_and_returned(visit, demo):
    page = visit()
    family = f"Idle{new_email().split('.')[1][:6]}"
    emails = [new_email("idle") for _ in range(3)]
    for email in emails:
        create_in_service(demo, email)
        _name(demo, email, family)
    open_people(page)
    people = page.url.split("?")[0]
    find_in_list(page, emails[0])

    page.goto(people)
    page.locator("#navigation").get_by_role("link", name=re.compile("^Licences")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Licences")
    # The service has known them since just now.
    listed = f"{people}licences/?newer=0&q={family}"
    _open_settled(page, listed)
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("Never signed in. Nothing hosted since")
    assert violations(page) == []

    rows.first.get_by_role("checkbox").check()
    page.get_by_role("button", name="Protect", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("On parental leave")
    assert violations(page) == []
    dialog.get_by_role("button", name="Protect").click()
    expect(page.get_by_text("Protected: 1 person.")).to_be_visible()
    protected = f"{people}licences/protected/"
    page.goto(protected)
    entry = page.get_by_role("listitem").filter(has_text=family)
    expect(entry).to_contain_text("On parental leave")
    assert problems(page, [protected]) == []
    page.set_viewport_size(DESK)

    page.goto(listed)
    expect(rows).to_have_count(2)
    rows.first.get_by_role("checkbox").check()
    page.get_by_label("All 2 matching").check()
    page.get_by_role("button", name=re.compile("^Move to Basic")).click()
    expect(dialog).to_contain_text("Skips protected people.")
    dialog.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 2 people to Basic")
    _apply(page)
    assert sorted(str(in_service(demo, email)["type"]) for email in emails) == ["1", "1", "2"]

    page.get_by_role("button", name="Undo", exact=True).click()
    _apply(page)
    assert {in_service(demo, email)["type"] for email in emails} == {2}

    page.goto(protected)
    entry.get_by_role("link", name=re.compile("^End")).click()
    dialog.get_by_role("button", name="End protection").click()
    expect(page.get_by_text("is no longer protected.")).to_be_visible()


def test_the_pages_of_licences_are_accessible(visit):
    page = visit()
    open_people(page)
    licences = f"{page.url.split('?')[0]}licences/"
    _open_settled(page, licences)
    parts = ("", "?use=all", "protected/", "protected/add/")
    assert problems(page, [f"{licences}{part}" for part in parts]) == []
