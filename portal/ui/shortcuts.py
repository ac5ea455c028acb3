"""Actions that the search offers by name; each domain declares its own."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from portal.access.can import Can
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.contract.operation import Operation
from portal.translation.folding import searched


@dataclass(frozen=True)
class Shortcut:
    """The page where something begins, offered to those whose role allows the operation.

    `otherwise` are other words by which somebody may look for it.
    """

    title: str
    icon: str
    url_name: str
    needs: Operation[Any, Any]
    otherwise: str = ""

    def answers(self, words: list[str]) -> bool:
        """Returns whether each word, in lower case, begins one of the shortcut's own."""
        own = searched(f"{self.title} {self.otherwise}")
        return all(any(one.startswith(word) for one in own) for word in words)

    def url(self, connection: Connection) -> str:
        return reverse(self.url_name, args=[connection.key])


_known: list[Shortcut] = []


def register(*shortcuts: Shortcut) -> None:
    """Offers these from now on."""
    _known.extend(shortcuts)


def offered(scope: Scope) -> list[Shortcut]:
    """Those that somebody with this scope may begin."""
    can = Can(scope)
    return [one for one in _known if can.call(one.needs) and scope.shows(one.url_name)]
