"""Checks of a page by axe-core, for the eye, and for a finger.

axe-core takes a second a page. Two scripts take some hundredths for the rest: how text stands out
from its ground, and how large the targets of a finger are.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, TimeoutError, ViewportSize  # noqa: A004 - Playwright's

DESK: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
_HERE = Path(__file__).resolve().parent
_AXE = _HERE.parents[1] / "node_modules" / "axe-core" / "axe.min.js"
# Colours in the middle of a transition do not count; what turns for ever has none that end.
_SETTLED = """() => !document.getAnimations().some(
  (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity
)"""
# A function: the policy of the pages forbids to evaluate what is none at a second look.
_FITS = "() => document.documentElement.scrollWidth <= innerWidth"
_IS_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
_RUN = """async () => (await axe.run(document, {
  resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } },
})).violations"""


@cache
def _source() -> str:
    return _AXE.read_text()


@cache
def _script(name: str) -> str:
    return (_HERE / name).read_text()


def settle(page: Page) -> None:
    """Waits until nothing fades or moves any more, also in a page that `visit` did not open."""
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_function(_SETTLED, polling=20)


def violations(page: Page) -> list[str]:
    """Returns all that breaks WCAG 2 A and AA or good practice, each with the elements at fault;
    the colours in both themes, which is all that differs between them.

    `faint_text` reads the colours: axe-core takes seconds to find out what lies under each text,
    and leaves out what it cannot judge.
    """
    found = _violations(page)
    themes: list[Literal["light", "dark"]] = ["light", "dark"]  # the one in use last
    for theme in themes if page.evaluate(_IS_DARK) else reversed(themes):
        page.emulate_media(color_scheme=theme)
        found += [f"faint in the {theme} theme: {each}" for each in faint_text(page)]
    return found


def problems(page: Page, addresses: Iterable[str]) -> list[str]:
    """Returns the faults of these pages in both themes, and in a phone's window: there they are no
    wider than it is, and their targets are large enough."""
    found = []
    for address in addresses:
        page.set_viewport_size(DESK)
        page.goto(address)
        found += [f"{address}: {each}" for each in violations(page)]
        page.set_viewport_size(PHONE)
        found += [f"{address} on a phone is too small: {each}" for each in small_targets(page)]
        if is_wider_than_the_window(page):
            found.append(f"{address} is wider than a phone")
    return found


def _violations(page: Page) -> list[str]:
    settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    return [
        f"{rule['id']}: {rule['help']}: " + "; ".join(node["html"][:160] for node in rule["nodes"])
        for rule in page.evaluate(_RUN)
    ]


def faint_text(page: Page) -> list[str]:
    """The text that stands out too little, measured from the colours that the browser computed.

    Each piece of text is judged, and what is in fields, by what is drawn under it.
    """
    settle(page)
    return list(page.evaluate(f"() => ({_script('contrast.js')})()"))


def small_targets(page: Page) -> list[str]:
    """Returns the targets that are too small for a finger, and too near to others."""
    settle(page)
    return list(page.evaluate(f"() => ({_script('targets.js')})()"))


def is_wider_than_the_window(page: Page) -> bool:
    """Returns whether the page scrolls sideways, also once it has settled in another window's
    size."""
    try:
        page.wait_for_function(_FITS, polling=20, timeout=10_000)
    except TimeoutError:
        return True
    return False
