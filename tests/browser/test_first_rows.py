"""Lists begin high, little is cut, sizes are few, and the open page is in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from bench.demonstration import address
from bench.design import HIGH_ON_PHONE, LISTS, ON_PHONE, OTHERS, measured, wrong
from tests.browser.accessibility import PHONE
from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]
Visit = Callable[..., Page]

# Facts of a list that is being updated and limited to departments of long names.
CROWD = """() => {
  const facts = document.querySelector(".sb-facts"), head = document.querySelector(".page-header");
  const before = head.offsetHeight;
  for (const one of facts.querySelectorAll("span"))
    if (!one.children.length) one.textContent = "is being updated from the service ".repeat(5);
  for (let more = 0; more < 3; more++) {
    const words = { textContent: "limited to departments ".repeat(3) };
    facts.append(Object.assign(document.createElement("span"), words));
  }
  return [before, head.offsetHeight];
}"""


def walk(page, paths):
    """Opens one of the pages after the other."""
    enter(page)
    base = page.url.split("people/")[0]
    for path in paths:
        page.goto(address(base, path))
        yield path


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_pages_keep_sizes_and_lists_begin_high(visit, language):
    page = visit(viewport={"width": 1280, "height": 800}, locale=language)
    found = []
    for path in walk(page, (*LISTS, *OTHERS)):
        found += [f"{path}: {words}" for words in wrong(path, measured(page))]
    assert found == []


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)], ids=["wide", "low"])
def test_open_entry_of_navigation_is_in_sight(visit, size):
    page = visit(viewport={"width": size[0], "height": size[1]})
    enter(page)
    found = []
    for start in (page.url, "/settings/"):
        page.goto(start)
        links = page.locator("#navigation a").evaluate_all("links => links.map(one => one.href)")
        for link in links:
            page.goto(link)
            known = measured(page)
            found += [] if known["open"] and known["marked"] else [link]
    assert found == []


def test_lists_begin_high_on_a_phone(visit):
    page = visit(viewport=PHONE)
    found = []
    for path in walk(page, ON_PHONE):
        found += [f"{path}: {words}" for words in wrong(path, measured(page), HIGH_ON_PHONE)]
    assert found == []


def test_head_of_a_list_is_as_high_whatever_its_facts_say(visit):
    page = visit(viewport={"width": 1280, "height": 800}, locale="de-DE")
    found = {path: page.evaluate(CROWD) for path in walk(page, LISTS)}
    assert {path: each for path, each in found.items() if each[0] != each[1]} == {}


def test_home_is_one_screen_and_a_meeting_form_one_and_a_half(visit):
    page = visit(viewport={"width": 1280, "height": 900})
    page.goto("/")
    page.locator("#home").wait_for()
    if not page.get_by_role("table", name="Accounts").count():
        assert measured(page)["high"] <= 900
    enter(page)
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/")
    page.get_by_role("heading", level=1).wait_for()
    assert measured(page)["high"] <= 1.5 * 900
