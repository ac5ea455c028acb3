"""Measures what pages look like: where data begins, what is cut, how high controls are, and what
sizes type has.

    python -m bench.design DATA_DIR [WIDTH HEIGHT]      # of a demonstration that runs

It prints a line for each page, and the sizes of all of them.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

HIGH = 260  # pixels above the first row of a list
CUT = 35  # of as many cells, one may be cut: 10 of 350
SIZES = {"12px", "13px", "14px", "16px", "18px", "24px"}  # of type
FIGURES = {"28px"}  # of figures that stand alone
CONTROLS = {28, 32, 36}
LISTS = (
    "people/",
    "meetings/",
    "webinars/",
    "recordings/",
    "account/devices/",
    "account/sub-accounts/",
    "account/tracking-fields/",
    "calendar/",
    "dashboards/messages/",
    "dashboards/past/",
    "dashboards/rooms/",
    "groups/",
    "groups/im/",
    "jobs/",
    "policy/",
    "reports/people/",
)
OTHERS = (
    "",
    "calendar/?view=week",
    "people/licences/",
    "people/import/",
    "meetings/create/",
    "recordings/storage/",
    "dashboards/",
    "dashboards/quality/",
    "reports/",
    "reports/daily/",
    "approvals/",
    "chat/",
    "account/webhooks/",
)
_MEASURE = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const rows = [...document.querySelectorAll("main tbody tr")].filter(shown);
  const cells = rows.flatMap((row) => [...row.cells]);
  const open = document.querySelector(".sb-nav .active")?.getBoundingClientRect();
  const sizes = {}, controls = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    const beside = "script, style, template, code, kbd, option, .visually-hidden, .sb-skip";
    if (!walk.currentNode.data.trim() || parent.closest(beside) || !shown(parent)) continue;
    const size = getComputedStyle(parent).fontSize;
    sizes[size] = (sizes[size] ?? 0) + 1;
  }
  const boxes = "main :is(.btn, .form-control:not(textarea), .form-select)";
  for (const one of [...document.querySelectorAll(boxes)].filter(shown)) {
    const height = Math.round(one.getBoundingClientRect().height);
    if (height) controls[height] = (controls[height] ?? 0) + 1;
  }
  return {
    first: Math.round(rows[0]?.getBoundingClientRect().top ?? 0),
    rows: rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    cells: cells.length,
    cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length,
    open: !open || (open.top >= 0 && open.bottom <= innerHeight),
    high: document.documentElement.scrollHeight,
    sizes, controls,
  };
}"""


def measured(page: Page) -> dict[str, Any]:
    """Returns the figures of a page that is open."""
    found: dict[str, Any] = page.evaluate(_MEASURE)
    return found


def wrong(path: str, found: dict[str, Any]) -> Iterator[str]:
    """Yields what of a page is not as it is promised."""
    if not found["open"]:
        yield "the open entry of the navigation is out of sight"
    if path in LISTS and found["first"] > HIGH:
        yield f"the first row is at {found['first']}"
    if path in LISTS and found["cut"] > max(found["cells"] / CUT, 2):
        yield f"{found['cut']} of {found['cells']} cells are cut"
    if others := found["sizes"].keys() - SIZES - FIGURES:
        yield f"type of {', '.join(sorted(others))}"
    if others := {int(each) for each in found["controls"]} - CONTROLS:
        yield f"controls of {', '.join(map(str, sorted(others)))} pixels"


def _signed_in(page: Page, data: Path) -> str:
    """Signs in and returns the address of the pages of the account."""
    known = json.loads((data / "demo-credentials.json").read_text())
    page.goto(f"{known['url']}/account/login/")
    page.fill("[name=login]", known["email"])
    page.fill("[name=password]", known["password"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"{known['url']}/")
    people = page.locator(".sb-nav a[href$='/people/']").get_attribute("href") or ""
    return f"{known['url']}{people.removesuffix('people/')}"


def main(data: Path, width: int, height: int) -> None:
    sizes: Counter[str] = Counter()
    controls: Counter[str] = Counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": width, "height": height})
        base = _signed_in(page, data)
        say(f"{'page':28} first  rows  cut/cells  high  wrong")
        for path in (*LISTS, *OTHERS):
            page.goto(f"{base}{path}" if path else base.partition("/c/")[0])
            found = measured(page)
            sizes.update(found["sizes"])
            controls.update(found["controls"])
            cells = f"{found['cut']}/{found['cells']}"
            said = "; ".join(wrong(path, found))
            say(
                f"{path or 'home':28} {found['first']:5} {found['rows']:5} {cells:>10}"
                f" {found['high']:5}  {said}"
            )
        browser.close()
    say(f"type: {dict(sizes.most_common())}")
    say(f"controls: {dict(controls.most_common())}")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(int(each) for each in (sys.argv[2:4] or ("1280", "800"))))
