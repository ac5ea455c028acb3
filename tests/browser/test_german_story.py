"""Pages in German: said in German, nothing cut off and nothing wider than the window."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, PHONE, is_wider_than_the_window, violations
from tests.browser.people import enter

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

# Forms, beside the pages that the navigation leads to.
FORMS = ("people/create/", "people/import/", "meetings/create/", "calendar/?view=week")
# What shows words in one line: wider inside than outside, some of them are cut off.
CUT_OFF = """() => [...document.querySelectorAll(
  "main :is(button, .btn, .nav-link, h1, h2, h3, label, th, dt, legend, .badge, .status)"
)].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || !box.height || one.closest(".visually-hidden, [popover]")) return false;
  const hides = one.matches("button, .btn") || getComputedStyle(one).overflowX !== "visible";
  return hides && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent.trim().slice(0, 60))"""


@pytest.mark.deep
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_in_german_are_neither_cut_off_nor_too_wide(visit, size):
    page = visit(viewport=size, locale="de-DE")
    enter(page)
    base = page.url.split("/people/")[0]
    linked = []
    for start in (page.url, "/settings/"):
        page.goto(start)
        links = page.locator("#navigation a")
        linked += links.evaluate_all("links => links.map(link => link.href)")
    wrong = []
    for address in [*linked, *(f"{base}/{form}" for form in FORMS)]:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == "de"
        wrong += [f"{address}: cut off: {words}" for words in page.evaluate(CUT_OFF)]
        if is_wider_than_the_window(page):
            wrong.append(f"{address} is wider than the window")
    assert wrong == []


@pytest.mark.alone
def test_somebody_chooses_german_and_own_zone_and_keeps_them(visit):
    page = visit(locale="en-GB", timezone_id="UTC")
    enter(page)
    people = page.url
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("link", name=re.compile("^Language and time zone")).click()
    page.get_by_label("Language").select_option("Deutsch")
    page.get_by_label("Time zone").fill("Europe/Vienna")
    page.get_by_role("button", name="Save").click()
    try:
        expect(
            page.get_by_text("Gespeichert. Zeiten werden so gezeigt: Europe/Vienna.")
        ).to_be_visible()
        page.goto(people)
        expect(page.get_by_role("heading", level=1)).to_have_text("Personen")
        expect(page.get_by_role("columnheader", name="Abteilung")).to_be_visible()
        expect(page.locator("#freshness")).to_contain_text("ktualisiert")
        assert violations(page) == []
    finally:
        page.goto("/preferences/locale/")
        page.get_by_label("Sprache").select_option("")
        page.get_by_label("Zeitzone").fill("")
        page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Saved. Times are shown in")).to_be_visible()
