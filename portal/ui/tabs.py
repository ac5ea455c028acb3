"""Tabs of pages about one thing, and those that domains add to a person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from portal.access.http import PortalRequest, htmx_of
from portal.access.scope import Scope
from portal.contract.operation import AnyOperation

PANEL = "panel"  # the id of the element that holds the tabs and the one that is open


@dataclass(frozen=True)
class PersonTab:
    """A tab, offered to those whose role allows the operation.

    `read` gives what `template`, which stands below the tabs, takes; its second argument is the
    person's id. Tabs stand in the order of their `place`.
    """

    name: str
    label: str
    place: int
    needs: AnyOperation
    template: str
    read: Callable[[PortalRequest, str], dict[str, Any]]


_tabs: dict[str, PersonTab] = {}


def register(*tabs: PersonTab) -> None:
    """Offers these from now on."""
    _tabs.update({tab.name: tab for tab in tabs})


def called(name: str) -> PersonTab | None:
    return _tabs.get(name)


def offered(scope: Scope) -> list[PersonTab]:
    """Returns the tabs that this scope allows."""
    tabs = sorted(_tabs.values(), key=lambda tab: tab.place)
    return [tab for tab in tabs if scope.can_call(tab.needs)]


@dataclass(frozen=True)
class PageTab:
    """A tab of the page, under the name of its URL; `count` is the number that stands at it.

    Tabs of one subject are the `children` of a tab that leads to the first of them; they stand
    below it while one of them is open.
    """

    name: str
    label: str
    url: str
    is_current: bool
    children: tuple["PageTab", ...] = ()
    count: str = ""


def wants_panel(request: HttpRequest) -> bool:
    """Returns whether only the tab is asked for, as its object stands on the page already."""
    htmx = htmx_of(request)
    return bool(htmx) and htmx.target == PANEL
