"""Recordings of a session: watched, put into the trash, taken out again, shared."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.fields import field
from tests.browser.people import open_people
from tests.browser.recorded import files, recorded_session, watching

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.mark.deep
def test_recordings_go_into_the_trash_come_back_and_are_shared(visit, demo):
    session = recorded_session(demo)
    recorded = {one["id"] for one in files(demo, session)}
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('/people/')[0]}{session}/")
    page.get_by_role("link", name="Past instances", exact=True).click()
    page.get_by_role("region", name="Past instances").get_by_role("link").first.click()
    expect(page.get_by_role("region", name="Recorded")).to_contain_text("Shared screen")
    expect(page.get_by_role("table", name="Participants")).to_be_visible()
    page.get_by_role("link", name="Past instances").click()
    page.locator("#tab-recordings").click()

    kept = page.get_by_role("region", name="Cloud recordings")
    expect(kept.get_by_role("listitem")).to_have_count(len(recorded))
    watch = kept.get_by_role("link", name=re.compile("^Watch .*in a new tab"))
    expect(watch.first).to_have_attribute("href", re.compile("^https://"))
    kept.get_by_role("button", name="More for Audio only").click()
    kept.get_by_role("link", name=re.compile("^Move to trash.*Audio only")).click()
    _confirm(page, "Move to trash", "You can recover")
    expect(page.get_by_text("Audio only was moved to the trash.")).to_be_visible()
    assert len(files(demo, session)) == len(recorded) - 1
    trash = page.get_by_role("region", name="In the trash")
    expect(trash.get_by_role("listitem")).to_have_count(1)
    assert violations(page) == []
    trash.get_by_role("button", name=re.compile("^Recover.*Audio only")).click()
    expect(page.get_by_text("The file was recovered.")).to_be_visible()
    expect(trash).to_have_count(0)

    kept.get_by_role("link", name="Move all to trash").click()
    _confirm(page, "Move to trash", "No one can watch these files until recovered")
    expect(kept.get_by_text("No cloud recordings")).to_be_visible()
    assert files(demo, session) == []
    trash.get_by_role("button", name=re.compile("^Recover all")).click()
    expect(kept.get_by_role("listitem")).to_have_count(len(recorded))
    assert {one["id"] for one in files(demo, session)} == recorded

    _share(page)
    assert watching(demo, session)["share_recording"] == "internally"


def _confirm(page, verb, text):
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(text)
    dialog.get_by_role("button", name=verb).click()


def _share(page):
    who = page.locator("#watching")
    who.get_by_role("link", name="Edit sharing settings").click()
    field(who, "Sharing").select_option("People on the account")
    field(who, "Password").fill("sesame-81725")
    who.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Sharing settings saved.")).to_be_visible()
    expect(who).not_to_contain_text("sesame-81725")
    who.get_by_role("link", name="Show the password").click()
    expect(who).to_contain_text("sesame-81725")
