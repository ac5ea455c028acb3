"""Keys that a page's script listens for."""

from playwright.sync_api import Page


def press(page: Page, key: str) -> None:
    """Presses it once the script is there: a heading is seen before the page has loaded."""
    page.wait_for_load_state()
    page.keyboard.press(key)
