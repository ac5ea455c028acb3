"""Pages on paper are documents: no navigation, the whole table, the account and the time."""

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.people import open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
ZONE = "Europe/Berlin"
PAPER = {"width": 703, "height": 1000}  # A4 without its margins
CUT = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).overflowX !== "visible")
  .filter((one) => !one.closest(".visually-hidden")).map((one) => one.outerHTML.slice(0, 120))"""
# What would be moved to the next page as a whole, and leave the first one empty.
TORN = """() => [...document.querySelectorAll("main *")]
  .filter((one) => getComputedStyle(one).breakInside === "avoid" && one.offsetHeight > 800)
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_printed_pages_are_documents(visit, demo):
    page = visit(timezone_id=ZONE)
    open_people(page)
    here = page.url.split("/people/")[0]
    person = page.locator("a.row-link").first
    name, its_page = str(person.text_content()).strip(), str(person.get_attribute("href"))
    page.goto(f"{here}/jobs/")
    job = page.locator("main tbody a").first
    title, its_job = str(job.text_content()).strip(), str(job.get_attribute("href"))
    for address, words in (
        (f"{here}/people/?status=active", ("People", "Filter: Status: Active", "Last sign-in")),
        (its_job, (title, "Started by", "Result")),
        (f"{its_page}profile/", (name, "Personal meeting ID", "Time zone")),
        (f"{here}/reports/daily/", ("Daily use", "Days are in GMT", "Participant minutes")),
        (f"{here}/dashboards/past/", ("Past sessions", "Participants")),
        ("/audit/", ("Audit trail", "Administrator", "Outcome")),
    ):
        page.emulate_media(media="screen")
        page.goto(address, wait_until="networkidle")
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        for shell in page.locator(".sb-top, .sb-nav, .sb-actions, main .btn").all():
            expect(shell).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"], address
        assert page.evaluate(CUT) == []
        assert page.evaluate(TORN) == []
        heads = page.locator("main thead:visible")
        _is_document(page.pdf(format="A4"), demo, words, heads.last if heads.count() else None)


def _is_document(pdf, demo, words, heads):
    """The text of each sheet: what it is, its account, by whom, when, in which zone; headings
    on each sheet that goes on with a table, and no time that is counted from now."""
    sheets = [" ".join(sheet.extract_text().split()) for sheet in PdfReader(BytesIO(pdf)).pages]
    first, whole = sheets[0], " ".join(sheets)
    assert [each for each in words if each not in whole] == []
    assert f"({demo.email}), as of" in first
    assert f"({ZONE})" in first
    assert not re.search(r"\b(minutes?|hours?|days?) ago\b|just now", whole)
    assert not re.search(r"Skip to|Sign out|Save view", whole)
    if heads is None:
        return
    said = [" ".join(one.split()) for one in heads.locator("th").all_inner_texts()]
    repeated = [one for one in said if one and one in first]
    assert len(repeated) >= 3
    for sheet in sheets[1:-1]:
        assert [one for one in repeated if one not in sheet[:200]] == []
