"""Panels of the first page about one account: figures with their curves, and what stands below.

All of it is drawn by the server, from what is stored. Domains declare them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog

from portal.access.can import Can
from portal.access.scope import Scope
from portal.contract.operation import Operation
from portal.translation import gettext as _
from portal.translation import number

_WIDTH, _HEIGHT = 240, 36  # of a curve, in its own units
_FEWEST = 5  # points of a curve: fewer say nothing
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class HomeFigure:
    """A figure and the page that lists what it counts; without a `value` nothing was read yet, and
    `about` says what would.

    `unit` stands beside it, `about` below. `share` is drawn as a bar, in per cent. `as_of` is set
    where the figure is older than it should be.
    """

    url: str
    value: str = ""
    unit: str = ""
    about: str = ""
    curve: Sequence[float] = ()
    share: float | None = None
    as_of: datetime | None = None

    @property
    def line(self) -> str:
        """The curve as the points of an SVG line; empty where there are too few."""
        if len(self.curve) < _FEWEST:
            return ""
        low, high = min(self.curve), max(self.curve)
        step, scale = _WIDTH / (len(self.curve) - 1), (_HEIGHT - 4) / ((high - low) or 1)
        return " ".join(
            f"{number * step:.1f},{_HEIGHT - 2 - (value - low) * scale:.1f}"
            for number, value in enumerate(self.curve)
        )

    @property
    def area(self) -> str:
        """Returns the area below the curve, as the points of an SVG polygon."""
        return f"0,{_HEIGHT} {self.line} {_WIDTH},{_HEIGHT}"


@dataclass(frozen=True)
class _Shown:
    """A subject for those whose role allows the operations that it `needs`; of whoever is limited
    to a part of the people those that are `of_part` alone."""

    title: str
    place: int
    needs: tuple[Operation[Any, Any], ...] = field(default=(), kw_only=True)
    of_part: bool = field(default=False, kw_only=True)

    def is_for(self, scope: Scope) -> bool:
        can = Can(scope)
        return (self.of_part or not scope.is_narrow) and all(can.call(each) for each in self.needs)


@dataclass(frozen=True)
class HomeTile(_Shown):
    """One figure. `read` never calls the service."""

    read: Callable[[Scope], HomeFigure]


@dataclass(frozen=True)
class HomePanel(_Shown):
    """A card, which `template` draws from what `read` returns. `more` names the page behind it, by
    its URL name, and what that is called; a `wide` one takes two thirds of the row."""

    read: Callable[[Scope], Mapping[str, Any]]
    template: str
    more: tuple[str, str]
    wide: bool = False


@dataclass(frozen=True)
class HomeColumn(_Shown):
    """A column of the table of several accounts. `read` returns its cells by the primary key of the
    connection, with as many queries for ten as for one."""

    read: Callable[[Sequence[Scope]], Mapping[int, str]]


@dataclass(frozen=True)
class ShownPanel:
    """A tile or panel with what was read for it; `fault` where that failed."""

    subject: HomeTile | HomePanel
    content: Any = None
    fault: str = ""


_tiles: list[HomeTile] = []
_panels: list[HomePanel] = []
_columns: list[HomeColumn] = []


def register(
    tiles: Iterable[HomeTile] = (),
    panels: Iterable[HomePanel] = (),
    columns: Iterable[HomeColumn] = (),
) -> None:
    """Shows these from now on."""
    _tiles.extend(tiles)
    _panels.extend(panels)
    _columns.extend(columns)
    _tiles.sort(key=lambda one: one.place)
    _panels.sort(key=lambda one: one.place)
    _columns.sort(key=lambda one: one.place)


def columns_of(scopes: Sequence[Scope]) -> list[tuple[str, Mapping[int, str]]]:
    """Returns title and cells of each column, without cells that a scope does not allow."""
    found = []
    for one in _columns:
        allowed = [scope for scope in scopes if one.is_for(scope)]
        if allowed:
            found.append((one.title, one.read(allowed)))
    return found


def tiles_of(scope: Scope) -> list[ShownPanel]:
    return [_read(one, scope) for one in _tiles if one.is_for(scope)]


def panels_of(scope: Scope) -> list[ShownPanel]:
    return [_read(one, scope) for one in _panels if one.is_for(scope)]


def _read(one: HomeTile | HomePanel, scope: Scope) -> ShownPanel:
    """One that fails does not take the others with it."""
    try:
        return ShownPanel(one, one.read(scope))
    except Exception:
        _log.exception("home card failed", card=str(one.title), connection=scope.connection.key)
        return ShownPanel(one, fault=_("This could not be loaded."))


def short(count: int) -> str:
    """A number as a figure shows it: "52.4k" from ten thousand on."""
    return number(count) if count < 10_000 else f"{number(count / 1000, 1)}k"
