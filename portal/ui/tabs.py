"""Pages about one thing: their tabs, and the tabs and figures that domains add to a person."""

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


@dataclass(frozen=True)
class FigureLine:
    """One of the few things that the overview names: when it is or was, what, and its page."""

    time: str
    text: str
    about: str = ""
    url: str = ""


@dataclass(frozen=True)
class ShownFigure:
    """A figure about a person, a line below it, and the page that lists what it counts.

    Its `lines` stand in a card below all figures, under their `heading`.
    """

    value: str
    about: str = ""
    url: str = ""
    heading: str = ""
    lines: tuple[FigureLine, ...] = ()


@dataclass(frozen=True)
class PersonFigure:
    """A figure of the overview, offered to those whose role allows the operation.

    `read` takes the person's id, calls no service, and returns None if what is stored does not
    tell it.
    """

    title: str
    place: int
    needs: AnyOperation
    read: Callable[[Scope, str], ShownFigure | None]


_tabs: dict[str, PersonTab] = {}
_figures: list[PersonFigure] = []


def register(*tabs: PersonTab) -> None:
    """Offers these from now on."""
    _tabs.update({tab.name: tab for tab in tabs})


def called(name: str) -> PersonTab | None:
    return _tabs.get(name)


def offered(scope: Scope) -> list[PersonTab]:
    """Returns the tabs that this scope allows."""
    tabs = sorted(_tabs.values(), key=lambda tab: tab.place)
    return [tab for tab in tabs if scope.can_call(tab.needs)]


def register_figures(*figures: PersonFigure) -> None:
    """Shows these on each person's overview from now on."""
    _figures.extend(figures)


def figures_of(scope: Scope, user_id: str) -> list[tuple[str, ShownFigure]]:
    """Returns the figures about a person that this scope may see, each with its title."""
    figures = sorted(_figures, key=lambda figure: figure.place)
    read = [(one.title, one.read(scope, user_id)) for one in figures if scope.can_call(one.needs)]
    return [(title, figure) for title, figure in read if figure]


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
    htmx = htmx_of(request)
    return bool(htmx) and htmx.target == PANEL
