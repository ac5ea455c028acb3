"""Bytes of a list of 100 people over the wire."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page

from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]


@dataclass
class Traffic:
    """Bytes that came over the wire, headers included, and what was asked for."""

    bytes: int = 0
    stylesheets: set[str] = field(default_factory=set)
    scripts: set[str] = field(default_factory=set)


def _listen(page: Page) -> Traffic:
    traffic = Traffic()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def received(event: dict[str, float]) -> None:
        traffic.bytes += int(event["encodedDataLength"])

    def answered(event: dict[str, object]) -> None:
        kind, response = event["type"], event["response"]
        assert isinstance(response, dict)
        if kind == "Stylesheet":
            traffic.stylesheets.add(response["url"])
        elif kind == "Script":
            traffic.scripts.add(response["url"])

    session.on("Network.loadingFinished", received)
    session.on("Network.responseReceived", answered)
    return traffic


def test_list_of_100_people_is_light_and_then_lighter(
    visit: Callable[..., Page],
) -> None:
    page = visit()
    enter(page)
    listing = page.url.split("?")[0] + "?per_page=100"
    page.get_by_role("row").nth(20).wait_for()

    newcomer = page.context.browser.new_context(storage_state=page.context.storage_state())
    page = newcomer.new_page()
    first = _listen(page)
    page.goto(listing, wait_until="networkidle")
    assert page.locator("table tbody tr").count() == 100
    assert len(first.stylesheets) <= 2
    assert len(first.scripts) <= 3
    assert first.bytes < 200_000

    again = _listen(page)
    page.goto(listing, wait_until="networkidle")
    assert again.bytes < 25_000
    newcomer.close()
