"""Tabs that domains add to the page about a person: each declares its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from portal.access.can import Can
from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.contract.operation import Operation


@dataclass(frozen=True)
class PersonTab:
    """A tab, offered to those whose role allows the operation.

    `read` gives what `template`, which stands below the tabs, takes; its second argument is the
    person's id. Tabs stand in the order of their `place`.
    """

    name: str
    label: str
    place: int
    needs: Operation[Any, Any]
    template: str
    read: Callable[[PortalRequest, str], dict[str, Any]]


_known: dict[str, PersonTab] = {}


def register(*tabs: PersonTab) -> None:
    """Offers these from now on."""
    _known.update({tab.name: tab for tab in tabs})


def called(name: str) -> PersonTab | None:
    """The tab of this name, if there is one."""
    return _known.get(name)


def offered(scope: Scope) -> list[PersonTab]:
    """Those that somebody with this scope may see."""
    can = Can(scope)
    tabs = sorted(_known.values(), key=lambda tab: tab.place)
    return [tab for tab in tabs if can.call(tab.needs)]
