"""Walks of a user over every route: the answer of each, and the requests that its page makes then.

A page is opened about each of the planted people, as a file of each kind too. Addresses on it with
a query (a search, a choice of people, data of a chart, a fragment that comes later) are requested
as the page would, once for each such address of a route; lists and choices are searched for what
all planted people have in common. If an answer had an ETag, later walks send it: an unchanged
answer counts as the stored one. Routes without a GET get an empty form.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from html import unescape
from http import HTTPStatus
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.http import HttpResponseBase
from django.urls import Resolver404, resolve

from portal.access.models import Connection, User
from tests.access.planted import COMMON, PlantedPerson, named_in, text_of_answer, urls_of
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone
from tests.support.sandbox import Sandbox

# A new route is walked unless it stands here with the reason.
UNWALKED = {
    "keep": "a signed link opens it, to whoever has the mail",
    "hook": "the service posts there, and is answered with a status alone",
    "openid_connect_login": "it leads to where people sign in, before anybody is known",
    "openid_connect_callback": "it is where people come back to, before anybody is known",
}
WALKED = [route for route in NAMED if route.name not in UNWALKED]
_TAG = re.compile(r"<[a-z][^<>]*>")
_ADDRESS = re.compile(r'(hx-get|href|action|src|data-[\w-]+)="([^"{} ]*)"')
_TARGET, _ID = re.compile(r'hx-target="#([\w-]+)"'), re.compile(r'\bid="([\w-]+)"')
_SEARCHED = 'name="q"'


@dataclass(frozen=True)
class Answer:
    """An answer of the walk, by the route's name and the address that was asked."""

    route: str
    url: str
    answer: HttpResponseBase
    about: PlantedPerson
    text: str

    @property
    def is_page(self) -> bool:
        is_html = "html" in self.answer.get("Content-Type", "")
        return is_html and self.answer.status_code == HTTPStatus.OK

    @property
    def is_sheet(self) -> bool:
        return "sheet" in self.answer.get("Content-Type", "")


@dataclass
class ScopeWalk:
    """Goes to the routes as a person; `known` are the ETags of answers, with what
    these said, by their addresses and the part of the page they are for."""

    user: User
    connection: Connection
    sandbox: Sandbox
    is_deep: bool = True
    known: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    figures: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._client = admin_client_for(self.user)
        self._cookies = {name: one.value for name, one in self._client.cookies.items()}
        self._led_to: set[tuple[str, str, frozenset[str]]] = set()

    def go(
        self, about: Collection[PlantedPerson], *, takes_forms: bool = False
    ) -> Iterator[Answer]:
        """Yields what is answered about each of these, once for an address about none of them."""
        self._led_to.clear()
        opened: set[str] = set()
        for route in WALKED:
            for one in about:
                with undone():
                    for url in urls_of(route, self.user, self.connection, self.sandbox, one):
                        if url in opened:
                            continue
                        opened.add(url)
                        for found in self._opened(route.name, url, one):
                            yield found
                            if takes_forms and found.answer.status_code == 405:
                                yield self._asked(route.name, url, one, method="post")

    def leaks(
        self,
        about: Collection[PlantedPerson],
        strangers: Collection[str],
        *,
        but: Collection[str] = (),
        takes_forms: bool = True,
    ) -> Iterator[tuple[str, list[str]]]:
        """Returns the routes that name a stranger, with an address about any of them."""
        for one in self.go(about, takes_forms=takes_forms):
            if one.route in but:
                continue
            if found := named_in(strangers, one.text, one.url):
                yield one.route, [one.url, *found[:2]]

    def _opened(self, name: str, url: str, one: PlantedPerson) -> Iterator[Answer]:
        page = self._asked(name, url, one)
        yield page
        if self.is_deep and page.is_page:
            for route, address, target in self._led(page.text, url):
                headers = {"HX-Request": "true", "HX-Target": target}
                if (address, target) in self.known:
                    etag, _text = self.known[address, target]
                    conditional = {**headers, "If-None-Match": etag}
                    yield self._asked(route, address, one, headers=conditional)
                yield self._asked(route, address, one, headers=headers)

    def _led(self, text: str, url: str) -> Iterator[tuple[str, str, str]]:
        """Yields addresses that a page leads to, unlike any before, with the fragment of the
        page that the answer is for."""
        here = url.partition("?")[0]
        for kind, at, target in _addresses(text):
            parts = urlsplit(urljoin(here, unescape(at)))
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            if parts.netloc or not (query or kind == "hx-get"):
                continue
            if "field" in query:  # the search of a picker
                query[f"search:{query['field']}"] = COMMON
            route = _route_at(parts.path)
            like = (route, target, frozenset(query))
            if route and route not in UNWALKED and like not in self._led_to:
                self._led_to.add(like)
                address = f"{parts.path}?{urlencode(query)}" if query else parts.path
                yield route, address, target

    def _asked(
        self,
        name: str,
        url: str,
        one: PlantedPerson,
        *,
        method: str = "get",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        self._client.cookies = SimpleCookie(self._cookies)
        answer = getattr(self._client, method)(url, headers=headers or {})
        self.figures[name] += 1
        text, part = text_of_answer(answer), (url, (headers or {}).get("HX-Target", ""))
        if answer.status_code == HTTPStatus.NOT_MODIFIED:
            text = self.known[part][1]
        elif method == "get" and answer.has_header("ETag"):
            self.known.setdefault(part, (answer["ETag"], text))
        return Answer(name, url, answer, one, text)


def _addresses(text: str) -> Iterator[tuple[str, str, str]]:
    """Returns each address in a page, how it stands there, and what of the page its answer is for;
    and that of the search, where there is one."""
    for tag in _TAG.findall(text):
        for kind, at in _ADDRESS.findall(tag):
            target = _TARGET.search(tag) or _ID.search(tag) if kind == "hx-get" else None
            yield kind, at, target[1] if target else ""
    if _SEARCHED in text:
        yield "hx-get", f"?q={COMMON}", ""


def _route_at(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""
