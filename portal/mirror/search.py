"""Whatever is called by some words: people, groups, pages, what can be begun, and what rooms
above this one add when they are ready."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

from portal.access.can import Can
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.contract.groups import Groups
from portal.contract.users import Users
from portal.mirror import groups, users
from portal.mirror.groups import GroupFilter
from portal.mirror.models import GroupKind
from portal.mirror.refresh import looked_at
from portal.mirror.users import UserFilter
from portal.mirror.values import words
from portal.ui.navigation import sections
from portal.ui.shortcuts import offered

AT_MOST = 6
_GROUP_PAGES = {GroupKind.GROUP: "groups:group", GroupKind.IM_GROUP: "im-groups:group"}


@dataclass(frozen=True)
class Hit:
    """A page that a search leads to."""

    title: str
    url: str
    icon: str
    detail: str = ""


@dataclass(frozen=True)
class Found:
    """What was found of one kind; `more` is the list with all of it, where there may be more."""

    title: str
    hits: list[Hit]
    more: str = ""


Search = Callable[[PortalRequest, str], Found]
_added: list[Search] = []


def register(one: Search) -> None:
    """Searches this too from now on; it finds nothing that the person's role does not allow."""
    _added.append(one)


def search(request: PortalRequest, text: str) -> list[Found]:
    """What these words find, as far as this person's role goes; without words, where to go from
    here. What is on the account is found in the mirror, so this works when the service does not."""
    wanted = words(text)
    connection = request.connection
    can = Can(request.user.role, connection)
    found = [_begun(request, wanted), _pages(request, wanted)]
    if wanted:
        found[:0] = [one(request, text) for one in _added]
    if wanted and can.call(Groups.list):
        looked_at(connection, groups.KIND)
        found.insert(0, _groups(connection, text))
    if wanted and can.call(Users.list):
        looked_at(connection, users.KIND)
        found.insert(0, _people(connection, text))
    return [one for one in found if one.hits]


def _people(connection: Connection, text: str) -> Found:
    rows = list(users.find(connection, UserFilter(search=text))[: AT_MOST + 1])
    hits = [
        Hit(row.name or row.email, url, "user", " · ".join(filter(None, (row.email, row.dept))))
        for row in rows[:AT_MOST]
        if (url := url_of("people:person", connection, row.user_id))
    ]
    everybody = f"{reverse('people:list', args=[connection.key])}?{urlencode({'q': text})}"
    return Found("People", hits, everybody if len(rows) > AT_MOST else "")


def _groups(connection: Connection, text: str) -> Found:
    rows = groups.find(connection, GroupFilter(search=text))[:AT_MOST]
    hits = [
        Hit(row.name, url, "boxes", GroupKind(row.kind).label)
        for row in rows
        if (url := url_of(_GROUP_PAGES[GroupKind(row.kind)], connection, row.group_id))
    ]
    return Found("Groups", hits)


def _pages(request: PortalRequest, wanted: list[str]) -> Found:
    links = (link for section in sections(request, request.connection) for link in section.links)
    hits = [Hit(link.title, link.url, link.icon) for link in links if _is_named(link.title, wanted)]
    return Found("Pages", hits if not wanted else hits[:AT_MOST])


def _begun(request: PortalRequest, wanted: list[str]) -> Found:
    shortcuts = offered(request.user.role, request.connection)
    hits = [
        Hit(one.title, one.url(request.connection), one.icon)
        for one in shortcuts
        if one.answers(wanted)
    ]
    return Found("Actions", hits[:AT_MOST])


def _is_named(title: str, wanted: list[str]) -> bool:
    own = title.casefold().split()
    return all(any(one.startswith(word) for one in own) for word in wanted)


def url_of(name: str, connection: Connection, key: str) -> str:
    """The page of one object; none where its id cannot stand in an address."""
    try:
        return reverse(name, args=[connection.key, key])
    except NoReverseMatch:
        return ""
