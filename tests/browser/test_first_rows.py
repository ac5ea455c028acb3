"""Lists begin high, little is cut, sizes are few, and the open page is in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from bench.design import LISTS, OTHERS, measured, wrong
from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def test_pages_keep_sizes_and_lists_begin_high(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    enter(page)
    base = page.url.split("people/")[0]
    found = []
    for path in (*LISTS, *OTHERS):
        page.goto(f"{base}{path}" if path else base.partition("/c/")[0])
        found += [f"{path}: {words}" for words in wrong(path, measured(page))]
    assert found == []


def test_home_is_one_screen_and_a_meeting_form_one_and_a_half(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    page.goto("/")
    page.locator("#home").wait_for()
    if not page.get_by_role("table", name="Accounts").count():
        assert measured(page)["high"] <= 900
    enter(page)
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/")
    page.get_by_role("heading", level=1).wait_for()
    assert measured(page)["high"] <= 1.5 * 900
