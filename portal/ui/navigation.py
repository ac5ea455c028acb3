"""Navigation: the portal's own pages, and those that domains add."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.urls import NoReverseMatch, ResolverMatch, reverse

from portal.access.grants import grant_of
from portal.access.http import PortalRequest
from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.contract.operation import Operation
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class Entry:
    """A page of the navigation, in a section, where entries are sorted by their `place`.

    It is a page of the connection with `of_connection`, and with `needs`, for those whose role
    allows these operations. `count` says how much there waits for a person.
    """

    section: str
    place: int
    title: str
    icon: str
    url_name: str
    needs: tuple[Operation[Any, Any], ...] = ()
    administrators_only: bool = False
    of_connection: bool = False
    count: Callable[[User, Connection], int] | None = None


@dataclass(frozen=True)
class Link:
    title: str
    icon: str
    url: str
    is_current: bool
    count: int = 0


@dataclass(frozen=True)
class Section:
    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class OwnPage:
    """A page of one's own account, which one's own menu lists.

    `otherwise` are other words by which somebody may look for it.
    """

    title: str
    icon: str
    url_name: str
    otherwise: str = ""

    @property
    def url(self) -> str:
        return _address(self.url_name)


OWN_PAGES = (
    OwnPage(gettext_lazy("Password"), "key-round", "account_change_password"),
    OwnPage(
        gettext_lazy("Two-factor authentication"),
        "shield-check",
        "mfa_index",
        gettext_lazy("2FA MFA TOTP passkeys security factor"),
    ),
    OwnPage(
        gettext_lazy("Sessions"),
        "monitor-smartphone",
        "access:sessions",
        gettext_lazy("browsers devices signed in"),
    ),
    OwnPage(gettext_lazy("Sign-ins"), "log-in", "access:sign-ins", gettext_lazy("login history")),
    OwnPage(
        gettext_lazy("Language and time zone"),
        "globe",
        "ui:locale",
        gettext_lazy("timezone locale"),
    ),
)
# Titles of sections, in their order.
PEOPLE, SESSIONS, RECORDINGS = "", gettext_lazy("Sessions"), gettext_lazy("Recordings")
DASHBOARDS, ACCOUNT, PORTAL = (
    gettext_lazy("Dashboards"),
    gettext_lazy("Account"),
    gettext_lazy("Portal"),
)
SECTIONS = (PEOPLE, SESSIONS, RECORDINGS, DASHBOARDS, ACCOUNT, PORTAL)

_entries: list[Entry] = [
    Entry(PEOPLE, 0, gettext_lazy("Home"), "house", "home"),
    Entry(PORTAL, 10, gettext_lazy("Jobs"), "list-checks", "jobs:list", of_connection=True),
    Entry(PORTAL, 20, gettext_lazy("Audit trail"), "scroll-text", "access:audit"),
    Entry(PORTAL, 30, gettext_lazy("Connections"), "plug", "access:connections"),
    Entry(PORTAL, 40, gettext_lazy("Team"), "shield-user", "access:team", administrators_only=True),
]


def register(*entries: Entry) -> None:
    """Lists these from now on."""
    _entries.extend(entries)
    _entries.sort(key=lambda entry: entry.place)


def sections(request: PortalRequest, connection: Connection | None) -> list[Section]:
    """Returns the sections that this person may open, over this connection if there is one."""
    scope = _scope(request, connection) if connection else None
    made = [Section(title, tuple(_links(request, scope, title))) for title in SECTIONS]
    return [_nearest(section) for section in made if section.links]


def _nearest(section: Section) -> Section:
    """The section with one current page: of those that the address begins with, the longest."""
    longest = max((len(link.url) for link in section.links if link.is_current), default=0)
    if not longest:
        return section
    links = (
        replace(link, is_current=link.is_current and len(link.url) == longest)
        for link in section.links
    )
    return Section(section.title, tuple(links))


def _scope(request: PortalRequest, connection: Connection) -> Scope | None:
    """The scope of the page, unless that is about no connection."""
    of_page: Scope | None = getattr(request, "scope", None)
    return of_page or grant_of(request.user, connection)


def _links(request: PortalRequest, scope: Scope | None, section: str) -> Iterator[Link]:
    here: str = getattr(request, "listed_under", "") or request.path
    for entry in _entries:
        if entry.section is not section:  # to compare titles would look each of them up
            continue
        if entry.administrators_only and not request.user.is_administrator:
            continue
        is_connected = entry.of_connection or bool(entry.needs)
        if is_connected and scope is None:
            continue
        if not all(scope and scope.may(operation) for operation in entry.needs):
            continue
        if is_connected and scope and not scope.shows(entry.url_name):
            continue
        arguments = [scope.connection.key] if is_connected and scope else []
        url = _address(entry.url_name, *arguments)
        is_current = here == url if url == "/" else here.startswith(url)
        count = entry.count(request.user, scope.connection) if entry.count and scope else 0
        yield Link(str(entry.title), entry.icon, url, is_current, count)


@lru_cache(maxsize=1024)
def _address(name: str, *arguments: str) -> str:
    """An address that stays the same, found once and not on each page."""
    return reverse(name, args=arguments)


def first_page(request: PortalRequest, connection: Connection) -> str:
    """The first page of the connection that this person may open; without any, the portal's."""
    links = (link for section in sections(request, connection) for link in section.links)
    under = f"/c/{connection.key}/"
    return next((link.url for link in links if link.url.startswith(under)), _address("home"))


def same_kind_of_page(request: PortalRequest, connection: Connection) -> str:
    """The page that is open, under another connection; of a single object, the list it is in."""
    match = request.resolver_match
    fallback = _address("people:list", connection.key)
    if match is None or "connection" not in match.kwargs:
        return fallback
    if _named_by(match) == {"connection"}:
        return reverse(match.view_name, args=[connection.key])
    try:
        return reverse(f"{match.namespace}:list", args=[connection.key])
    except NoReverseMatch:
        return fallback


def _named_by(match: ResolverMatch) -> set[str]:
    """Returns the names in a path, without the extra arguments that its URL is declared with."""
    extra: dict[str, Any] = match.extra_kwargs  # type: ignore[attr-defined]
    return set(match.kwargs) - set(extra)
