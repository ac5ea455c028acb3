"""Navigation: the portal's own pages, and those that domains add."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from django.urls import NoReverseMatch, ResolverMatch, reverse

from portal.access import availability
from portal.access.grants import scope_on
from portal.access.http import PortalRequest
from portal.access.models import Connection, User
from portal.access.roles import Role, may
from portal.access.scope import Scope
from portal.connections.scopes import missing_of
from portal.contract.operation import AnyOperation
from portal.translation import gettext_lazy

# Titles of sections, in their order; those without one stand first and last.
FIRST, FOOT = "", "foot"  # untranslated: never shown
PEOPLE, SESSIONS = gettext_lazy("People"), gettext_lazy("Sessions")
INSIGHTS, OVERSIGHT = gettext_lazy("Insights"), gettext_lazy("Oversight")
ACCOUNT, PORTAL, OWN = gettext_lazy("Account"), gettext_lazy("Switchboard"), gettext_lazy("You")
_SETTINGS = "settings"
DAILY, SETTINGS = (FIRST, PEOPLE, SESSIONS, INSIGHTS, OVERSIGHT), (ACCOUNT, PORTAL, OWN)


@dataclass(frozen=True)
class PageOfRole:
    """A page of the navigation, and whether a role sees it."""

    title: str
    is_visible: bool


@dataclass(frozen=True)
class NavigationEntry:
    """A page of the navigation, in a section, where entries are sorted by their `place`.

    It is a page of the connection with `of_connection`, and with `needs`, for those whose role
    allows these operations; with `owners_only` for administrators over a connection of theirs.
    `count` says how much there waits for a person, which the page lists with the query `counted`;
    `live` says how much runs just now; `news` is the id
    of the element in which an open page shows what happened there since. One `within`
    another, by its URL name, is not listed: that one's page leads to it, and says what it is
    `about`, as the overview of the settings does. `otherwise` are other words to find it by.
    """

    section: str
    place: int
    title: str
    icon: str
    url_name: str
    needs: tuple[AnyOperation, ...] = ()
    administrators_only: bool = False
    of_connection: bool = False
    owners_only: bool = False
    count: Callable[[User, Scope], int] | None = None
    counted: str = ""
    live: Callable[[Scope], int] | None = None
    news: str = ""
    within: str = ""
    about: str = ""
    otherwise: str = ""

    @property
    def url(self) -> str:
        """Returns the address of a page that is not of a connection."""
        return _address(self.url_name)


@dataclass(frozen=True)
class Link:
    title: str
    icon: str
    url: str
    is_current: bool = False
    count: int = 0
    live: int = 0
    news: str = ""
    about: str = ""
    is_muted: bool = False  # the service has lately refused it to the connection


@dataclass(frozen=True)
class NavigationSection:
    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Navigation:
    """Entries at the left: the pages of daily work, or those of the settings.

    `foot` are the pages below it, none within the settings.
    """

    sections: tuple[NavigationSection, ...]
    foot: tuple[Link, ...] = ()
    is_settings: bool = False

    @property
    def current(self) -> Link | None:
        """Returns the listed page that the open one belongs to."""
        links = [*(link for section in self.sections for link in section.links), *self.foot]
        return next((link for link in links if link.is_current), None)


# Pages of the viewer's own account, which their own menu lists.
OWN_PAGES = (
    NavigationEntry(
        OWN,
        0,
        gettext_lazy("Password"),
        "key-round",
        "account_change_password",
        about=gettext_lazy("The password you sign in with"),
    ),
    NavigationEntry(
        OWN,
        1,
        gettext_lazy("Two-factor authentication"),
        "shield-check",
        "mfa_index",
        about=gettext_lazy("Authenticator app, passkeys and recovery codes"),
        otherwise=gettext_lazy("2FA MFA TOTP passkeys security factor"),
    ),
    NavigationEntry(
        OWN,
        2,
        gettext_lazy("Email"),
        "mail",
        "account_email",
        about=gettext_lazy("The address you sign in with"),
    ),
    NavigationEntry(
        OWN,
        3,
        gettext_lazy("Sign-in sessions"),
        "monitor-smartphone",
        "sign_in:sessions",
        about=gettext_lazy("Browsers in which you are signed in"),
        otherwise=gettext_lazy("browsers devices signed in"),
    ),
    NavigationEntry(
        OWN,
        4,
        gettext_lazy("Sign-in history"),
        "log-in",
        "sign_in:sign-ins",
        about=gettext_lazy("When and from where you signed in"),
        otherwise=gettext_lazy("login history"),
    ),
    NavigationEntry(
        OWN,
        5,
        gettext_lazy("Language and time zone"),
        "globe",
        "ui:locale",
        about=gettext_lazy("How words, dates and times are shown"),
        otherwise=gettext_lazy("timezone locale"),
    ),
)

_entries: list[NavigationEntry] = [
    NavigationEntry(FIRST, 0, gettext_lazy("Home"), "house", "home"),
    NavigationEntry(OVERSIGHT, 40, gettext_lazy("Audit trail"), "scroll-text", "audit:trail"),
    NavigationEntry(
        FOOT,
        10,
        gettext_lazy("Jobs"),
        "list-checks",
        "jobs:list",
        of_connection=True,
        news="jobs-news",
    ),
    NavigationEntry(FOOT, 20, gettext_lazy("Settings"), "settings", _SETTINGS),
    NavigationEntry(
        PORTAL,
        30,
        gettext_lazy("Connections"),
        "plug",
        "connections:list",
        about=gettext_lazy("Accounts of the service, their tokens and who shares them"),
    ),
    NavigationEntry(
        PORTAL,
        40,
        gettext_lazy("Team"),
        "shield-user",
        "team:list",
        administrators_only=True,
        about=gettext_lazy("Who can sign in, and with which role"),
    ),
    NavigationEntry(
        PORTAL,
        41,
        gettext_lazy("Roles"),
        "key-square",
        "team:roles",
        administrators_only=True,
        about=gettext_lazy("What each role can see and do, and roles of your own"),
        otherwise=gettext_lazy("permissions rights"),
    ),
    *OWN_PAGES,
]


def register(*entries: NavigationEntry) -> None:
    """Lists these from now on."""
    _entries.extend(entries)
    _entries.sort(key=lambda entry: entry.place)


def navigation(request: PortalRequest, connection: Connection | None) -> Navigation:
    """Returns what this person may open, over this connection if there is one."""
    scope, links = _links(request, connection)
    # The entry of the page that is open: of those that its address begins with, the longest.
    path: str = getattr(request, "listed_under", "") or request.path
    over = [
        entry
        for entry, link in links.items()
        if (path == link.url if link.url == "/" else path.startswith(link.url))
    ]
    here = max(over, key=lambda entry: len(links[entry].url), default=None)
    marked = {here, *(parent for parent in links if here and parent.url_name == here.within)}

    def of(title: str) -> NavigationSection:
        """Returns a section, with what waits and what runs at its pages."""
        # To compare titles would look each of them up.
        listed = [entry for entry in links if entry.section is title and not entry.within]
        return NavigationSection(str(title), tuple(map(counted, listed)))

    def counted(entry: NavigationEntry) -> Link:
        user = scope.user if scope else None
        count = entry.count(user, scope) if entry.count and scope and user else 0
        return replace(
            links[entry],
            url=links[entry].url + (f"?{entry.counted}" if count and entry.counted else ""),
            is_current=entry in marked,
            count=count,
            live=entry.live(scope) if entry.live and scope else 0,
        )

    foot = of(FOOT)
    is_settings = here is not None and (here.section in SETTINGS or here.url_name == _SETTINGS)
    if is_settings:
        made = [NavigationSection("", foot.links[-1:]), *map(of, SETTINGS)]
        return Navigation(tuple(one for one in made if one.links), is_settings=True)
    return Navigation(tuple(one for one in map(of, DAILY) if one.links), foot.links)


def settings_of(request: PortalRequest, connection: Connection | None) -> list[NavigationSection]:
    """Returns the pages of the settings that this person may open."""
    _, links = _links(request, connection)
    made = [
        NavigationSection(
            str(title), tuple(link for entry, link in links.items() if entry.section is title)
        )
        for title in SETTINGS
    ]
    return [one for one in made if one.links]


def every_page(request: PortalRequest, connection: Connection | None) -> list[Link]:
    """Returns all pages that this person may open, in the order of the navigation."""
    _, links = _links(request, connection)
    order = [*DAILY, FOOT, ACCOUNT, PORTAL]
    return [link for title in order for entry, link in links.items() if entry.section is title]


def pages_within(request: PortalRequest, url_name: str) -> list[Link]:
    """Returns the pages to which the page of that name leads, and no entry of its own."""
    _, links = _links(request, request.connection)
    return [link for entry, link in links.items() if entry.within == url_name]


def pages_of_role(role: str) -> list[tuple[str, list[PageOfRole]]]:
    """Returns the pages of connections that not all roles see, by the titles of their sections, and
    whether this role sees them."""
    sections: dict[str, list[PageOfRole]] = {}
    for title in (PEOPLE, SESSIONS, INSIGHTS, FIRST, OVERSIGHT, FOOT, ACCOUNT):
        section = {FIRST: INSIGHTS, FOOT: OVERSIGHT}.get(title, title)
        for entry in _entries:
            if entry.section is title and entry.needs and not entry.within:
                is_visible = not entry.owners_only and all(may(role, one) for one in entry.needs)
                shown = PageOfRole(str(entry.title), is_visible)
                sections.setdefault(str(section), []).append(shown)
    return list(sections.items())


def first_page(request: PortalRequest, connection: Connection) -> str:
    """Returns the first page of the connection that this user may open, or else the portal's."""
    _, links = _links(request, connection)
    under = f"/c/{connection.key}/"
    subjects = [title for title in DAILY if title is not FIRST] + [FIRST, FOOT, ACCOUNT]
    of_it = (
        link.url
        for title in subjects
        for entry, link in links.items()
        if entry.section is title and link.url.startswith(under)
    )
    return next(of_it, _address("home"))


def _links(
    request: PortalRequest, connection: Connection | None
) -> tuple[Scope | None, dict[NavigationEntry, Link]]:
    """Returns the scope over the connection, and what may be opened with it."""
    scope = scope_on(request, connection) if connection else None
    lacking: set[str] = set()
    if scope:
        lacking.update(availability.out_of_reach(scope.connection.key))
        lacking.update(missing_of(scope.connection))
    results: dict[NavigationEntry, Link] = {}
    owns = scope is not None and scope.is_owner and scope.role == Role.ADMINISTRATOR
    for entry in _entries:
        arguments: list[str] = []
        if entry.administrators_only and not request.user.is_administrator:
            continue
        if entry.of_connection or entry.needs:
            if scope is None or (entry.owners_only and not owns):
                continue
            if not (all(map(scope.may, entry.needs)) and scope.shows(entry.url_name)):
                continue
            arguments = [scope.connection.key]
        results[entry] = Link(
            str(entry.title),
            entry.icon,
            _address(entry.url_name, *arguments),
            news=entry.news,
            about=str(entry.about),
            is_muted=any(operation.name in lacking for operation in entry.needs),
        )
    return scope, results


@lru_cache(maxsize=1024)
def _address(name: str, *arguments: str) -> str:
    """Returns an address, which stays the same: it is reversed once and not on each page."""
    return reverse(name, args=arguments)


def same_kind_of_page(match: ResolverMatch | None, connection: Connection) -> str:
    """Returns the open page under another connection; of a single object, the list it is in."""
    fallback = _address("people:list", connection.key)
    if match is None or "connection" not in match.kwargs:
        return fallback
    extra = getattr(match, "extra_kwargs", ())  # those that the URL is declared with
    if set(match.kwargs) - set(extra) == {"connection"}:
        return reverse(match.view_name, args=[connection.key])
    try:
        return reverse(f"{match.namespace}:list", args=[connection.key])
    except NoReverseMatch:
        return fallback
