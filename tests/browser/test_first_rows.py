"""Lists begin high, few cells are cut, and the open page is in sight in the navigation."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]

HIGH = 260  # pixels above the first row
LISTS = (
    "people/",
    "meetings/",
    "webinars/",
    "recordings/",
    "account/devices/",
    "dashboards/rooms/",
)
ELSEWHERE = ("jobs/", "approvals/", "account/webhooks/", "dashboards/messages/", "chat/")
MEASURE = """() => {
  const rows = [...document.querySelectorAll("main tbody tr")];
  const cells = rows.flatMap((row) => [...row.cells]);
  const open = document.querySelector(".sb-nav .active").getBoundingClientRect();
  return {
    first: Math.round(rows[0]?.getBoundingClientRect().top ?? 0),
    inSight: rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    cells: cells.length,
    cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length,
    open: open.top >= 0 && open.bottom <= innerHeight,
  };
}"""


def test_lists_begin_high_and_open_page_is_in_sight(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    enter(page)
    base = page.url.split("/people/")[0]
    wrong = []
    for path in (*LISTS, *ELSEWHERE):
        page.goto(f"{base}/{path}")
        found = page.evaluate(MEASURE)
        if not found["open"] or (
            path in LISTS and (found["first"] > HIGH or found["cut"] * 10 > found["cells"])
        ):
            wrong.append((path, found))
    assert wrong == []


def test_meeting_form_is_one_and_a_half_screens(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    enter(page)
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/")
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= 1.5 * 900
