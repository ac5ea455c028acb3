"""The page about one thing: what it is at the left, and its parts in tabs that load when opened."""

from dataclasses import dataclass

from django.http import HttpRequest

PANEL = "panel"  # the id of the element that holds the tabs and the one that is open


@dataclass(frozen=True)
class PageTab:
    """A tab of the page, under the name of its URL.

    Tabs of one subject are the `children` of a tab that leads to the first of them; they stand
    below it while one of them is open.
    """

    name: str
    label: str
    url: str
    is_current: bool
    children: tuple["PageTab", ...] = ()


def wants_panel(request: HttpRequest) -> bool:
    """Returns whether only the tab is asked for, as its object stands on the page already."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and htmx.target == PANEL
