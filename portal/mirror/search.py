"""The search over everything: pages, what can be begun, and what domains let it find."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, searched
from portal.ui.navigation import OWN_PAGES, every_page

AT_MOST = 6


@dataclass(frozen=True)
class Shortcut:
    """The page where something begins, offered to those whose role allows the operation.

    `otherwise` are other words that find it.
    """

    title: str
    icon: str
    url_name: str
    needs: AnyOperation
    otherwise: str = ""

    def url(self, connection: Connection) -> str:
        return reverse(self.url_name, args=[connection.key])


_shortcuts: list[Shortcut] = []


def register_shortcuts(*shortcuts: Shortcut) -> None:
    """Offers these from now on."""
    _shortcuts.extend(shortcuts)


def offered(scope: Scope) -> list[Shortcut]:
    """Returns the shortcuts that this scope allows."""
    return [one for one in _shortcuts if scope.can_call(one.needs) and scope.shows(one.url_name)]


@dataclass(frozen=True)
class Hit:
    """A page that a search leads to."""

    title: str
    url: str
    icon: str
    detail: str = ""


@dataclass(frozen=True)
class SearchResult:
    """Hits of one kind; `more` is the list with all of them, if there may be more.

    `is_unread` says that there is no telling yet: the list was never read from the service.
    """

    title: str
    hits: list[Hit]
    more: str = ""
    is_unread: bool = False


Search = Callable[[PortalRequest, str], SearchResult]
_added: list[Search] = []


def register(one: Search) -> None:
    """Searches this too from now on; it finds nothing that the person's role does not allow."""
    _added.append(one)


def search(request: PortalRequest, text: str) -> list[SearchResult]:
    """Returns the hits of these words, as far as this person's role goes; without words, places to
    go to from here. The account is searched in the mirror, so this works when the service does not.
    """
    words, connection = searched(text), request.connection
    actions = [
        Hit(one.title, one.url(connection), one.icon)
        for one in offered(request.scope)
        if _is_named(f"{one.title} {one.otherwise}", words)
    ]
    pages = [
        Hit(one.title, one.url, one.icon)
        for one in every_page(request, connection)
        if _is_named(one.title, words)
    ]
    own = [
        Hit(str(one.title), one.url, one.icon)
        for one in OWN_PAGES
        if _is_named(f"{one.title} {one.otherwise}", words)
    ]
    results = [one(request, text) for one in _added] if words else []
    results += [
        SearchResult(_("Actions"), actions[:AT_MOST]),
        SearchResult(_("Pages"), pages[:AT_MOST] if words else pages),
        SearchResult(_("Your account"), own),
    ]
    return [one for one in results if one.hits or one.is_unread]


def _is_named(title: str, wanted: list[str]) -> bool:
    """Returns whether each word begins one of the title's."""
    own = searched(title)
    return all(any(one.startswith(word) for one in own) for word in wanted)


def url_of(name: str, connection: Connection, *ids: str) -> str:
    """Returns the address of a page; empty if an id is empty, or cannot be in an address."""
    try:
        return reverse(name, args=[connection.key, *ids]) if all(ids) else ""
    except NoReverseMatch:
        return ""
