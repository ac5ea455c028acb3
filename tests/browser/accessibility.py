"""axe-core's verdict on a page."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@cache
def _source() -> str:
    return _AXE.read_text()


def violations(page: Page) -> list[str]:
    """What breaks WCAG 2 A and AA or good practice, each with the elements at fault."""
    page.evaluate(_source())
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [
        f"{rule['id']}: {rule['help']}: " + "; ".join(node["html"][:160] for node in rule["nodes"])
        for rule in found
    ]


def is_wider_than_the_window(page: Page) -> bool:
    """Whether the page scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
