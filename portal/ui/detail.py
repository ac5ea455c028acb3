"""The page about one thing: what it is at the left, and its parts in tabs that load when opened."""

from dataclasses import dataclass

from django.http import HttpRequest

PANEL = "panel"  # the id of the element that holds the tabs and the one that is open


@dataclass(frozen=True)
class PageTab:
    """A part of the page, under the name of its URL."""

    name: str
    label: str
    url: str
    is_current: bool


def wants_panel(request: HttpRequest) -> bool:
    """Returns whether only the tab is asked for, as its object stands on the page already."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and htmx.target == PANEL
