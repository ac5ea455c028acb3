"""`make bench-tasks`: what it costs to schedule by keyboard. Keys of each task are counted beside
the texts that are typed, and the pages that are loaded.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from bench.command import Aim, Options, finish, say
from bench.demonstration import chromium, demonstration, sign_in

AIMS = (
    Aim("Keys for a usual meeting", "usual/keys", 10, at_most=True),
    Aim("Keys for a host in another zone", "zone/keys", 20, at_most=True),
    Aim("Keys for two alternative hosts", "alternatives/keys", 18, at_most=True),
    Aim("Pages loaded for each", "*/loads", 2, at_most=True),
)
_WAIT = 20_000  # ms
_OPTION = "[role=option][aria-selected=true]"


class Hand:
    """Types and presses, and counts keys and loads."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys, self.loads = page, 0, 0
        page.on("domcontentloaded", self._loaded)

    def _loaded(self, _page: Page) -> None:
        self.loads += 1

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def write(self, text: str) -> None:
        self.page.keyboard.type(text)

    def pick(self, name: str) -> None:
        """Searches for a person, and takes the one that is found."""
        self.write(name)
        self.page.wait_for_selector(f"[data-picker]:focus-within {_OPTION}", timeout=_WAIT)
        self.press("Enter")

    def tab_to(self, name: str) -> None:
        for _stop in range(60):
            if self.page.evaluate("() => document.activeElement.name") == name:
                return
            self.press("Tab")
        raise RuntimeError(f"Tab does not lead to {name}.")


def begin(hand: Hand, host: str, topic: str) -> None:
    """Opens the form from any page, and fills in who and what."""
    hand.press("Control+k")
    hand.write("schedule meeting")
    hand.page.wait_for_selector("#search [role=option][aria-selected=true]", timeout=_WAIT)
    hand.page.wait_for_function(
        "path => document.querySelector('#search [aria-selected=true]')?.href.endsWith(path)",
        arg="meetings/create/",
    )
    hand.press("Enter")
    hand.page.wait_for_selector("#plan", timeout=_WAIT)
    hand.page.wait_for_function("() => document.activeElement.id === 'id_host-search'")
    hand.pick(host)
    hand.press("Tab")
    hand.write(topic)


def usual(hand: Hand, people: list[str]) -> None:
    begin(hand, people[0], "Bench: usual")
    hand.press("Control+Enter")


def zone(hand: Hand, people: list[str]) -> None:
    begin(hand, people[1], "Bench: zone")
    hand.tab_to("start_time")
    hand.press("Control+Enter")


def alternatives(hand: Hand, people: list[str]) -> None:
    begin(hand, people[0], "Bench: alternatives")
    hand.tab_to("search:settings.alternative_hosts")
    for name in people[1:3]:
        hand.pick(name)
    hand.press("Control+Enter")


TASKS: dict[str, Callable[[Hand, list[str]], None]] = {
    "usual": usual,
    "zone": zone,
    "alternatives": alternatives,
}


def main() -> None:
    given = _arguments()
    figures: dict[str, Any] = {}
    with demonstration(given.data_dir) as data, chromium() as browser:
        page = browser.new_context(timezone_id="Europe/London", locale="en-GB").new_page()
        base = sign_in(page, data)
        page.goto(f"{base}people/?status=active")
        page.wait_for_selector("main .row-link", timeout=_WAIT)
        people = [row.inner_text() for row in page.locator("main .row-link").all()[:3]]
        for name in list(TASKS)[: given.tasks]:
            page.goto(base + "people/")
            hand, started = Hand(page), time.perf_counter()
            TASKS[name](hand, people)
            shown = ""
            for _warning in range(2):  # a clash is shown once, and confirmed
                page.wait_for_function(
                    "() => !location.pathname.endsWith('/create/') ||"
                    " document.querySelector('[data-summary]')",
                    timeout=_WAIT,
                )
                if "/create/" not in page.url:
                    break
                shown = page.locator("[data-summary]").inner_text()
                page.evaluate("() => document.querySelector('[data-summary]').remove()")
                page.locator("#id_topic").focus()
                hand.press("Control+Enter")
            if "/create/" in page.url:
                raise RuntimeError(shown)
            seconds = round(time.perf_counter() - started, 1)
            figures[name] = {"keys": hand.keys, "loads": hand.loads, "seconds": seconds}
            say(f"{name:<16}{hand.keys:>4} keys{hand.loads:>4} loads{seconds:>8} s")
    finish(figures, AIMS)


def _arguments() -> argparse.Namespace:
    parser = Options("tasks", __doc__, tasks=1)
    parser.add_argument("--tasks", type=int, default=len(TASKS), help="how many of them")
    parser.add_argument("--data-dir", type=Path, help="of a demonstration that runs")
    return parser.given()


if __name__ == "__main__":
    main()
