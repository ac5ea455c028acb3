"""Users who open the routes of the portal, and whether `connected` lets them in.

Who gets in is decided by `connected` before anything is rendered. It says so by a signal, at which
the requests of a walk are answered: the decision is the page's own, and the page is not made. What
is decided by no operation, and all that is refused, is answered as ever.
"""

import logging
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from django.http import HttpResponse, HttpResponseBase
from django.test import Client
from django.urls import reverse

from portal.access.models import Connection, User
from portal.connections.connected import NoOperation, admitted
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, Route, undone
from tests.support.sandbox import Sandbox

IN, REFUSED, SIGN_IN = "in", "refused", "sign in"
NOT_FOUND, NOT_OFFERED = "not found", "not offered"
_TURNED_AWAY = {SIGN_IN, NOT_FOUND}
LET_IN = {IN, NOT_FOUND}  # the samples of addresses name much that is not there
# What an address names that is each visitor's own.
_OWN = {"pk", "sequence", "template_id", "request_key"}
Rule = Callable[[Route, str], Collection[str]]
Seen = Callable[["Visitor", Route, str, HttpResponseBase], Iterable[str]]


@dataclass
class Visitor:
    """A user who opens the routes of a connection, or `routes` alone.

    `rule` says how a route may answer a method; `client` is a browser that has not signed in where
    `is_signed_in` is not true. Who is turned away by one method is not asked for the others, unless
    it is `every_method`: `connected` turns away before it looks at the method.
    """

    name: str
    user: User
    connection: Connection
    rule: Rule
    is_signed_in: bool = True
    routes: Collection[Route] = field(default_factory=lambda: NAMED)
    methods: Collection[str] = ("get", "post")
    with_csrf_checks: bool = False
    every_method: bool = True

    def __post_init__(self) -> None:
        self.client = admin_client_for(self.user) if self.is_signed_in else Client()
        if self.is_signed_in:  # the session knows the connection from then on
            self.client.get(reverse("jobs:running", args=[self.connection.key]))
        self.client.handler.enforce_csrf_checks = self.with_csrf_checks
        self._cookies = {name: cookie.value for name, cookie in self.client.cookies.items()}

    def ask(self, method: str, url: str) -> HttpResponseBase:
        self.client.cookies = SimpleCookie(self._cookies)
        answer: HttpResponseBase = getattr(self.client, method)(url)
        return answer


def wrong_answers(
    visitors: Collection[Visitor],
    sandbox: Sandbox,
    *,
    whole: bool = False,
    seen: Seen | None = None,
) -> Iterator[str]:
    """Returns what every visitor gets who goes to every route, where their rule says otherwise.

    With `whole`, a visitor who is let in gets the whole page; `seen` finds more wrong with it. How
    far the visitors went is printed (`pytest -n 0 -rP`).
    """
    visits = 0
    with undone(), _unlogged():
        for route in NAMED:
            urls: dict[Any, str] = {}
            with undone():
                for visitor in visitors:
                    if route in visitor.routes:
                        url = _url(route, visitor, sandbox, urls)
                        visits += 1
                        yield from _visited(visitor, route, url, whole=whole, seen=seen)
    names = ", ".join(visitor.name for visitor in visitors)
    sys.stdout.write(f"{visits} visits of {len(NAMED)} routes: {names}\n")


@contextmanager
def _unlogged() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _url(route: Route, visitor: Visitor, sandbox: Sandbox, known: dict[Any, str]) -> str:
    """The address for a visitor: that of the connection, unless it names what is theirs."""
    is_own = bool(_OWN.intersection(route.arguments))
    key = (visitor.connection.pk, visitor.user.pk if is_own else None)
    if key not in known:
        known[key] = route.url_of(visitor.user, visitor.connection, sandbox)
    return known[key]


def _visited(
    visitor: Visitor, route: Route, url: str, *, whole: bool, seen: Seen | None
) -> Iterator[str]:
    for method in visitor.methods:
        ought = visitor.rule(route, method)
        with undone(), _answered_at_the_door(is_on=not whole and IN in ought):
            answer = visitor.ask(method, url)
            more = list(seen(visitor, route, method, answer)) if seen else []
        if (had := outcome(answer)) not in ought:
            yield f"{visitor.name}: {method} {url}: {had}, not {' or '.join(sorted(ought))}"
        yield from (f"{visitor.name}: {method} {url}: {words}" for words in more)
        if had in _TURNED_AWAY and not visitor.every_method:
            return


@contextmanager
def _answered_at_the_door(*, is_on: bool) -> Iterator[None]:
    """Answers a request as soon as an operation lets it in."""

    def answer(needs: Any, **_: Any) -> None:
        if is_on and not isinstance(needs, NoOperation):
            raise ImmediateHttpResponse(HttpResponse(status=HTTPStatus.NO_CONTENT))

    admitted.connect(answer)
    try:
        yield
    finally:
        admitted.disconnect(answer)


def outcome(answer: HttpResponseBase) -> str:
    match answer.status_code:
        case HTTPStatus.FORBIDDEN:
            return REFUSED
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return NOT_OFFERED
        case HTTPStatus.NOT_FOUND:
            return NOT_FOUND
        case status if status < 500:
            sign_in = answer.get("Location", "").startswith(f"{reverse('account_login')}?next=")
            return SIGN_IN if sign_in else IN
        case status:
            return f"HTTP {status}"
