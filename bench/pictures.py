"""`make pictures`: pages in light and dark, at three widths, in two languages, to compare trees.

A picture is called by its page, width, theme and language, so that two folders can be laid side by
side. `--only` takes the pages whose name begins so.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page

from bench.command import say
from bench.demonstration import address, chromium, demonstration, sign_in
from bench.servers import ROOT

SIZES = ((1440, 900), (1280, 800), (390, 844))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en-GB", "de-DE")
ROW = "main tbody tr a.row-link"
# A page by its path, and what is clicked there, or the key that is pressed.
PAGES: dict[str, tuple[str, ...]] = {
    "home": ("",),
    "search": ("", "key:Control+k"),
    "people": ("people/",),
    "keys": ("people/", "key:?"),
    "selection": ("people/", "[data-select-page]"),
    "person": ("people/", ROW),
    "person-settings": ("people/", ROW, ".nav-underline a[href*=settings]"),
    "person-create": ("people/create/",),
    "import": ("people/import/",),
    "licences": ("people/licences/",),
    "groups": ("groups/",),
    "meetings": ("meetings/",),
    "meeting": ("meetings/", ROW),
    "meeting-create": ("meetings/create/",),
    "calendar": ("calendar/",),
    "calendar-week": ("calendar/?view=week",),
    "recordings": ("recordings/",),
    "recording": ("recordings/", ROW),
    "storage": ("recordings/storage/",),
    "live": ("dashboards/",),
    "past": ("dashboards/past/",),
    "session": ("dashboards/past/", ROW),
    "quality": ("dashboards/quality/",),
    "reports": ("reports/",),
    "daily": ("reports/daily/",),
    "compliance": ("policy/",),
    "jobs": ("jobs/",),
    "job": ("jobs/", ROW),
    "audit": ("/audit/",),
    "undo": ("/audit/", "main a[href*=undo]"),
    "connections": ("/connections/",),
    "team": ("/team/",),
    "rules": ("approvals/rules/",),
    "two-factor": ("/account/2fa/",),
    "settings": ("/settings/",),
}


def opened(page: Page, base: str, start: str, *steps: str) -> bool:
    """Opens a page; returns whether all that is to be clicked on the way is there."""
    page.goto(address(base, start), wait_until="networkidle" if steps else "load")
    for step in steps:
        if step.startswith("key:"):
            page.keyboard.press(step.removeprefix("key:"))
            continue
        found = page.locator(step).first
        if not found.count():
            return False
        if (href := found.get_attribute("href")) and found.get_attribute("data-dialog") is None:
            page.goto(urljoin(page.url, href))
        else:
            found.dispatch_event("click")  # on a phone it may be behind the bar
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(700 if steps else 150)  # what is read once the page is there
    return True


def taken(browser: Browser, data: Path, folder: Path, only: tuple[str, ...]) -> Iterator[str]:
    """Takes each picture and yields what it is called by; where there is none, why."""
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        once = browser.new_context(locale=language)
        base = sign_in(once.new_page(), data)
        for theme, (width, height) in itertools.product(THEMES, SIZES):
            context = browser.new_context(
                storage_state=once.storage_state(),
                locale=language,
                color_scheme=theme,
                reduced_motion="reduce",
                viewport={"width": width, "height": height},
            )
            page = context.new_page()
            for name, steps in PAGES.items():
                if only and not name.startswith(only):
                    continue
                called = f"{name}-{width}-{theme}-{language[:2]}"
                if opened(page, base, *steps):
                    page.screenshot(path=folder / f"{called}.png")
                    yield called
                else:
                    yield f"{called}: nothing to open"
            context.close()
        once.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    parser.add_argument("--data", type=Path, help="of a demonstration that runs")
    parser.add_argument("--to", type=Path, default=ROOT / "pictures", help="a folder")
    parser.add_argument("--only", default="", help="names of pages, between commas")
    given = parser.parse_args()
    only = tuple(filter(None, given.only.split(",")))
    with demonstration(given.data) as data, chromium() as browser:
        for said in taken(browser, data, given.to, only):
            say(said)


if __name__ == "__main__":
    main()
