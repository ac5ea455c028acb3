"""No text is cut without a way to read it, none lies over another, at three widths, and nothing
moves while a page comes."""

from pathlib import Path

import pytest

from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]

WIDTHS = (1024, 1280, 1440)
FORMS = (
    "people/create/",
    "people/import/",
    "meetings/create/",
    "webinars/create/",
    "calendar/?view=week",
    "dashboards/alerts/",
    "dashboards/thresholds/",
)
SCRIPT = (Path(__file__).parent / "cut_text.js").read_text()
# The pointer over each of them: what is not shown is in a title by then.
POINT = """() => document.querySelectorAll("td, .text-truncate, .sb-facts span, .home-what > *")
  .forEach(
  (one) => one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }))
)"""
# What moved although no key or button was pressed.
WATCH = """window.moved = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    if (!one.hadRecentInput && one.value > 0) moved.push(`moved by ${one.value.toFixed(4)}`);
}).observe({ type: "layout-shift", buffered: true })"""


def addresses(page):
    """Pages of the navigation, the tabs of each and the first row of its list, and forms."""
    enter(page)
    base = page.url.split("/people/")[0]
    linked: list[str] = []
    for start in (page.url, "/settings/"):
        page.goto(start)
        links = page.locator("#navigation a")
        linked += links.evaluate_all("links => links.map(link => link.href)")
    for address in linked:
        yield address
        rows = page.locator("tbody tr:first-child a.row-link, main .nav-underline a")
        yield from rows.evaluate_all("links => links.slice(0, 6).map(link => link.href)")
    yield from (f"{base}/{form}" for form in FORMS)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_no_text_is_cut_or_lies_over_another(visit, language):
    page = visit(locale=language)
    page.add_init_script(WATCH)
    wrong, seen = [], set()
    for address in addresses(page):
        if address in seen:
            continue
        seen.add(address)
        page.goto(address)
        wrong += [f"{address}: {each}" for each in page.evaluate("moved")]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(POINT)
            wrong += [f"{address} at {width}: {each}" for each in page.evaluate(SCRIPT)]
    assert wrong == []
    assert len(seen) > 60
