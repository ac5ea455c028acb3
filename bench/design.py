"""`make bench-design`: what pages look like and weigh. A line for each says where its first row is,
how many rows are in sight, how many cells are cut, how high the page is, how far it moved while it
came, what its first load asked for, and which of that is not as promised.

A path that begins with a slash is one of the whole portal, any other of the first account.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from bench.command import Aim, Options, finish, say
from bench.demonstration import address, chromium, demonstration, sign_in
from bench.weight import heavy, weighed

AIMS = (Aim("Things that are not as promised", "wrong_count", 0, at_most=True),)
SIZES_OF_WINDOWS = ((1440, 900), (1280, 800), (390, 844))
HIGH, HIGH_ON_PHONE = 260, 240  # pixels above the first row of a list
CUT = 35  # of as many cells, one may be cut: 10 of 350
SIZES = {"12px", "13px", "14px", "16px", "18px", "24px"}  # of type
FIGURES = {"28px"}  # of figures that stand alone
WEIGHTS = {"400", "550", "650"}
CONTROLS = {28, 32, 36}
LISTS = (
    "people/",
    "meetings/",
    "meetings/?when=past",
    "webinars/",
    "recordings/",
    "account/devices/",
    "account/sub-accounts/",
    "account/tracking-fields/",
    "account/baselines/",
    "account/webhooks/",
    "calendar/",
    "dashboards/messages/",
    "dashboards/past/",
    "dashboards/ports/",
    "dashboards/rooms/",
    "groups/",
    "groups/im/",
    "jobs/",
    "policy/",
    "reports/people/",
    "approvals/",
    "chat/",
    "/audit/",
    "/connections/",
    "/team/",
    "/account/sessions/",
    "/account/sign-ins/",
)
OTHERS = (
    "",
    "calendar/?view=week",
    "people/licences/",
    "people/import/",
    "people/create/",
    "meetings/create/",
    "recordings/storage/",
    "recordings/retention/",
    "dashboards/",
    "dashboards/quality/",
    "dashboards/alerts/",
    "dashboards/thresholds/",
    "reports/",
    "reports/daily/",
    "reports/saved/",
    "account/compare/",
    "account/telephony/",
    "approvals/rules/",
    "/settings/",
    "/account/password/change/",
    "/account/2fa/",
    "/account/email/",
    "/preferences/locale/",
)
ON_PHONE = ("people/", "meetings/", "recordings/", "dashboards/", "/audit/")
PHONE_TOO = ("", "calendar/", "jobs/", "reports/daily/", "/settings/")
# How far what is there moves while more comes.
_MOVED = """window.moved = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) moved += one.value;
}).observe({ type: "layout-shift", buffered: true })"""
_MEASURE = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const rows = [...document.querySelectorAll("main tbody tr")].filter(shown);
  const cells = rows.flatMap((row) => [...row.cells]);
  const open = document.querySelector(".sb-nav .active")?.getBoundingClientRect();
  const sizes = {}, weights = {}, controls = {};
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1;
  const parts = (cell) => [cell, ...cell.querySelectorAll(".text-truncate")];
  const titled = (cell) =>
    cell.closest("table").tHead?.rows[0].cells[cell.cellIndex]?.innerText.trim() || "first";
  const cut = cells.filter((cell) => parts(cell).some(isCut));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    const beside = "script, style, template, code, kbd, option, .visually-hidden, .sb-skip";
    if (!walk.currentNode.data.trim() || parent.closest(beside) || !shown(parent)) continue;
    const { fontSize, fontWeight } = getComputedStyle(parent);
    sizes[fontSize] = (sizes[fontSize] ?? 0) + 1;
    weights[fontWeight] = (weights[fontWeight] ?? 0) + 1;
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
    cut: cut.length,
    columns: [...new Set(cut.map(titled))],
    open: !open || !open.height || (open.top >= 0 && open.bottom < innerHeight + 1),
    marked: !!open,
    high: document.documentElement.scrollHeight,
    sizes, weights, controls,
  };
}"""


def measured(page: Page) -> dict[str, Any]:
    """Returns the figures of a page that is open."""
    found: dict[str, Any] = page.evaluate(_MEASURE)
    return found


def wrong(path: str, found: dict[str, Any], high: int = HIGH) -> Iterator[str]:
    """Yields what of a page is not as it is promised."""
    if not found["marked"]:
        yield "no entry of the navigation is open"
    if not found["open"]:
        yield "the open entry of the navigation is out of sight"
    starts_high = ON_PHONE if high == HIGH_ON_PHONE else LISTS
    if path in starts_high and found["first"] > high:
        yield f"the first row is at {found['first']}"
    if path in LISTS and found["cut"] > max(found["cells"] / CUT, 2):
        yield f"{found['cut']} of {found['cells']} cells are cut: {', '.join(found['columns'])}"
    if others := found["sizes"].keys() - SIZES - FIGURES:
        yield f"type of {', '.join(sorted(others))}"
    if others := found["weights"].keys() - WEIGHTS:
        yield f"type of weight {', '.join(sorted(others))}"
    if high == HIGH and (others := {int(each) for each in found["controls"]} - CONTROLS):
        yield f"controls of {', '.join(map(str, sorted(others)))} pixels"


def table(
    browser: Browser,
    data: Path,
    size: tuple[int, int],
    given: argparse.Namespace,
    wrongs: list[str],
) -> Iterator[str]:
    """Yields a line for each page, and what is in use on all of them; adds to `wrongs`."""
    language = given.language
    width, height = size
    totals = {name: Counter[str]() for name in ("sizes", "weights", "controls")}
    is_phone = width < 768
    context = browser.new_context(viewport={"width": width, "height": height}, locale=language)
    context.add_init_script(_MOVED)
    page = context.new_page()
    base = sign_in(page, data)
    heads = "first  rows  cut/cells  high  moved  asked     kB   doc  wrong"
    yield f"{f'{width} x {height}, {language}':28} {heads}"
    kinds = (ON_PHONE, PHONE_TOO) if is_phone else (LISTS, OTHERS)
    for path in (path for kind in kinds for path in kind[: given.pages]):
        own = context.new_page()
        traffic = weighed(own, address(base, path))
        found = measured(own)
        moved = own.evaluate("moved")
        own.close()
        for name, total in totals.items():
            total.update(found[name])
        faults = [*wrong(path, found, HIGH_ON_PHONE if is_phone else HIGH), heavy(traffic)]
        faults += [f"moved by {moved:.4f}"] if moved else []
        wrongs += [f"{width}, {path or 'home'}: {fault}" for fault in faults if fault]
        yield (
            f"{path or 'home':28} {found['first']:5} {found['rows']:5}"
            f" {found['cut']:5}/{found['cells']:<4} {found['high']:5} {moved:6.3f}"
            f" {traffic.requests:6} {traffic.bytes / 1000:6.1f} {traffic.document / 1000:5.1f}"
            f"  {'; '.join(filter(None, faults))}"
        )
    context.close()
    for name, total in totals.items():
        yield f"{name}: {dict(total.most_common())}"


def main() -> None:
    parser = Options("design", __doc__, width=1280, pages=2)
    parser.add_argument("--data", type=Path, help="of a demonstration that runs")
    parser.add_argument("--language", default="en-GB")
    parser.add_argument("--width", type=int, help="one of 1440, 1280 and 390 alone")
    parser.add_argument("--pages", type=int, help="so many of each kind alone")
    given = parser.given()
    faults: list[str] = []
    with demonstration(given.data) as data, chromium() as browser:
        for size in SIZES_OF_WINDOWS:
            if given.width in (None, size[0]):
                for line in table(browser, data, size, given, faults):
                    say(line)
    sheets = (Path(__file__).parents[1] / "static/css").glob("*.css")
    lines = sum(len(sheet.read_text().splitlines()) for sheet in sheets)
    say(f"lines of style: {lines}")
    finish({"lines_of_style": lines, "wrong": faults, "wrong_count": len(faults)}, AIMS)


if __name__ == "__main__":
    main()
