"""What the first page lists: lines that rooms and domains declare, about what needs somebody."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from portal.access.can import Can
from portal.access.models import Connection, User
from portal.contract.operation import Operation
from portal.ui.states import State

_RANK: dict[State, int] = {"bad": 0, "warning": 1, "running": 2, "neutral": 3, "good": 4}
_WORDS: dict[State, str] = {
    "bad": "Problem",
    "warning": "Needs attention",
    "running": "In progress",
    "neutral": "Information",
    "good": "Good",
}
_NEEDING: tuple[State, ...] = ("bad", "warning")
_log = structlog.get_logger(__name__)


class NothingKnown(Exception):
    """Raised by an item of which the portal has nothing to go by, or nothing that is new enough."""


@dataclass(frozen=True)
class HomeLine:
    """What needs somebody, or goes on, in `words` that lead to the page `url` where it is settled.

    `why` says more in a sentence, `since` for how long it has been so, and `as_of` how old the copy
    is that shows it.
    """

    state: State
    words: str
    url: str = ""
    why: str = ""
    since: datetime | None = None
    as_of: datetime | None = None

    @property
    def needs_somebody(self) -> bool:
        return self.state in _NEEDING

    @property
    def state_in_words(self) -> str:
        return _WORDS[self.state]


@dataclass(frozen=True)
class HomeItem:
    """A subject of the first page, for those whose role allows the operations that it `needs`.

    `read` yields its lines from what the portal keeps, with a few queries however much there is; it
    never calls the service. Where nothing is kept it raises `NothingKnown`. Lines of one state
    stand in the order of their `place`.
    """

    title: str
    place: int
    read: Callable[[User, Connection], Iterable[HomeLine]]
    needs: tuple[Operation[Any, Any], ...] = ()


@dataclass(frozen=True)
class HomeGroup:
    """The lines of one connection: what needs somebody first, then what goes on.

    `checked` and `unknown` are titles of items: those whose state is known, and the others.
    """

    connection: Connection
    lines: Sequence[HomeLine]
    checked: Sequence[str]
    unknown: Sequence[str]

    @property
    def needing(self) -> list[HomeLine]:
        return [line for line in self.lines if line.needs_somebody]


_items: list[HomeItem] = []


def register(*items: HomeItem) -> None:
    """Lists these from now on."""
    _items.extend(items)
    _items.sort(key=lambda item: item.place)


def items_for(user: User, connection: Connection) -> list[HomeItem]:
    """What this person may see over this connection."""
    can = Can(user.role, connection)
    return [item for item in _items if all(can.call(each) for each in item.needs)]


def group_of(user: User, connection: Connection) -> HomeGroup:
    lines: list[HomeLine] = []
    checked: list[str] = []
    unknown: list[str] = []
    for item in items_for(user, connection):
        try:
            lines += list(item.read(user, connection))
            checked.append(item.title)
        except NothingKnown:
            unknown.append(item.title)
        except Exception:
            _log.exception("home item failed", item=item.title, connection=connection.key)
            lines.append(HomeLine("warning", f"{item.title} could not be checked"))
            unknown.append(item.title)
    return HomeGroup(
        connection, sorted(lines, key=lambda line: _RANK[line.state]), checked, unknown
    )
