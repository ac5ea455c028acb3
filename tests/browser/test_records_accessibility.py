"""axe-core on recordings, reports and the chat archive, in both themes, and as a phone shows
them."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import problems
from tests.browser.people import open_people
from tests.browser.recorded import in_path, open_archive, past_meeting

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


@pytest.fixture
def root(visit):
    page = visit()
    open_people(page)
    return page, page.url.partition("/people/")[0]


def test_every_page_of_recordings_is_accessible(root):
    page, home = root
    page.goto(f"{home}/recordings/")
    row = page.locator("tr[data-key]").first
    row.wait_for(timeout=60_000)
    uuid = row.get_attribute("data-key") or ""
    recording = f"{home}/recordings/of/{in_path(uuid)}/"
    chosen = urlencode({"chosen": uuid, "matching": ""})
    lists = ("recordings/", "recordings/?status=exposed", "recordings/?q=zzz")
    forms = ("trash", "recover", "delete", "sharing", "hold")
    addresses = [
        *(f"{home}/{each}" for each in (*lists, "recordings/storage/", "recordings/retention/")),
        *(f"{home}/recordings/chosen/{form}/?{chosen}" for form in forms),
        *(f"{recording}{each}" for each in ("", "hold/")),
    ]
    assert problems(page, addresses) == []


def test_every_page_of_reports_is_accessible(root, demo):
    page, home = root
    reports = f"{home}/reports"
    meeting = f"{reports}/meetings/{in_path(past_meeting(demo))}"
    days = "?period=7-days"
    addresses = [
        *(f"{reports}/{each}" for each in ("", "saved/", "people/")),
        *(f"{reports}/{each}/{days}" for each in ("daily", "hosts", "inactive", "telephone")),
        f"{reports}/storage/{days}",
        *(f"{meeting}/{each}" for each in ("", "participants/", "polls/")),
    ]
    assert problems(page, addresses) == []


def test_every_page_of_the_chat_archive_is_accessible(root):
    page, home = root
    assert problems(page, [f"{home}/chat/"]) == []
    open_archive(page, home)
    page.goto(f"{home}/chat/?period=30-days")
    session = page.locator("td.cell-main a").first.get_attribute("href")
    assert session
    archive = (f"{home}/chat/?period=30-days", f"{home}/chat/messages/?period=7-days", session)
    assert problems(page, archive) == []
