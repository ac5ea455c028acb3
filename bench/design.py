"""Measures what pages look like: where data begins, what is cut, how high controls are, and what
sizes type has.

    python -m bench.design DATA_DIR [WIDTH HEIGHT [LANGUAGE]]      # of a demonstration that runs

It prints a line for each page, the sizes of all of them, and the lines of the style sheets. A path
that begins with a slash is one of the whole portal, any other of the first account.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

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
_MEASURE = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const rows = [...document.querySelectorAll("main tbody tr")].filter(shown);
  const cells = rows.flatMap((row) => [...row.cells]);
  const open = document.querySelector(".sb-nav .active")?.getBoundingClientRect();
  const sizes = {}, weights = {}, controls = {};
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1;
  const parts = (cell) => [cell, ...cell.querySelectorAll(".text-truncate")];
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
    columns: [...new Set(cut.map((cell) => cell.dataset.label || "first"))],
    open: !open || !open.height || (open.top >= 0 && open.bottom <= innerHeight),
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


def address(base: str, path: str) -> str:
    """Returns where a page is, of an account or of the whole portal."""
    portal = base.partition("/c/")[0]
    return f"{portal}{path or '/'}" if path[:1] in {"", "/"} else f"{base}{path}"


def main(data: Path, width: int, height: int, language: str) -> None:
    totals: dict[str, Counter[str]] = {
        "sizes": Counter(),
        "weights": Counter(),
        "controls": Counter(),
    }
    is_phone = width < 768
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": width, "height": height}, locale=language)
        base = _signed_in(page, data)
        say(f"{'page':28} first  rows  cut/cells  high  wrong")
        for path in ON_PHONE if is_phone else (*LISTS, *OTHERS):
            page.goto(address(base, path))
            found = measured(page)
            for name, total in totals.items():
                total.update(found[name])
            cells = f"{found['cut']}/{found['cells']}"
            said = "; ".join(wrong(path, found, HIGH_ON_PHONE if is_phone else HIGH))
            say(
                f"{path or 'home':28} {found['first']:5} {found['rows']:5} {cells:>10}"
                f" {found['high']:5}  {said}"
            )
        browser.close()
    for name, total in totals.items():
        say(f"{name}: {dict(total.most_common())}")
    sheets = (Path(__file__).parents[1] / "static/css").glob("*.css")
    say(f"lines of style: {sum(len(sheet.read_text().splitlines()) for sheet in sheets)}")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    folder, width, height, language, *_ = [
        *sys.argv[1:],
        *("", "1280", "800", "en-GB")[len(sys.argv) - 1 :],
    ]
    main(Path(folder), int(width), int(height), language)
