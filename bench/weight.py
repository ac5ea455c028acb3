"""Bytes of a page over the wire, headers included, for a browser that has nothing of it yet."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

BYTES, REQUESTS, DOCUMENT = 130_000, 7, 59_000  # of a first load
_SETTLED = 400  # milliseconds after it is loaded


@dataclass
class Traffic:
    """What came over the wire since the page's first request."""

    bytes: int = 0
    document: int = 0  # bytes of the document as the browser reads it
    addresses: dict[str, str] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        return len(self.addresses)


def listen(page: Page, *, cached: bool = True) -> Traffic:
    """Counts from now on what a page asks for; without `cached`, as if for the first time."""
    traffic = Traffic()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": not cached})

    def answered(event: dict[str, Any]) -> None:
        url = event["response"]["url"]
        if not url.startswith("data:"):
            traffic.addresses[event["requestId"]] = url

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in traffic.addresses:
            traffic.bytes += int(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    return traffic


def weighed(page: Page, url: str) -> Traffic:
    """Opens a page as a user does on the first visit."""
    traffic = listen(page, cached=False)
    answer = page.goto(url)
    page.wait_for_timeout(_SETTLED)
    traffic.document = len(answer.body()) if answer else 0
    return traffic


def heavy(traffic: Traffic) -> str:
    """Returns what of it is more than promised."""
    over = []
    if traffic.requests > REQUESTS:
        over.append(f"{traffic.requests} requests")
    if traffic.bytes > BYTES:
        over.append(f"{traffic.bytes / 1000:.1f} kB")
    if traffic.document > DOCUMENT:
        over.append(f"a document of {traffic.document / 1000:.0f} kB")
    return ", ".join(over)
