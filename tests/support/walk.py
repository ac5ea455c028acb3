"""A walk through every page of the portal on which every form is filled in and sent."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from portal.access.models import Connection
from portal.contract import operations
from portal.contract.operation import Effect
from portal.contract.users import LicenceType
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from tests.support.chat_pages import open_archive
from tests.support.fault_server import Behaviour, FaultServer, Seen, answer, depending
from tests.support.filled_forms import ASKED, ELSEWHERE, LED_BY, NO_PLANS, STANDS_ON, typed_into
from tests.support.html import Form, forms
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, Route, undone
from tests.support.sample_service import asked, document, identity_in
from tests.support.samples import WORDS

# What a test client returns: a response with more attributes than Django's.
Response = Any
_SESSION, _UUID, _PANELIST = "123456789", "a/b==", "42"
_ADDRESS = re.compile(r'[\w-]+="(/c/[^"]+)"')
# What the samples have for ids, for which all but these are words.
_IDS = {
    "session_id": _SESSION,
    "uuid": _UUID,
    "instance": _UUID,
    "panelist_id": _PANELIST,
    "file_id": _SESSION,
    "occurrence_id": "1648194360000",
    "section": "room",
}
# What the service calls by numbers, by the family of its operations.
_NUMBERS = {
    **dict.fromkeys(("meetings", "webinars", "recordings"), _SESSION),
    "panelists": _PANELIST,
}
# An address that is taken could not be given to anyone.
_OWN = {"users.email_exists": {"existed_email": False}}
_NAMED_BY_WORDS = (
    *("user_id", "room_id", "resource_id", "account_id", "group_id", "delegate_id", "tsp_id"),
    *("poll_id", "registrant_id", "participant", "person", "chat_id", "person_id"),
)
_GIVEN = {**dict.fromkeys(_NAMED_BY_WORDS, WORDS), **_IDS}
_WRITING = {one.name for one in operations() if one.effect is not Effect.READ}
_OF_A_CONNECTION = [
    route for route in NAMED if "connection" in route.arguments and "job_key" not in route.arguments
]


@dataclass
class Walk:
    """Goes through the portal as an administrator.

    `reached` are the routes that had an operation called, by its name; `offered` those to which
    other pages lead; `answers` the statuses by route.
    """

    client: Client
    connection: Connection
    server: FaultServer
    reached: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    answers: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    offered: set[str] = field(default_factory=set)

    def go(self, *names: str) -> None:
        """To all of the routes, or to these."""
        for route in _OF_A_CONNECTION:
            if names and route.name not in names:
                continue
            with undone():
                found = [self._open(route, query) for query in ASKED.get(route.name, [""])]
                self._send(route, found[0])
                if route.name in ELSEWHERE:
                    self._open(route, "", **ELSEWHERE[route.name])

    @property
    def writes(self) -> set[str]:
        """The operations that were called and are no reading."""
        return {name for name in self.reached if name in _WRITING}

    def _open(self, route: Route, query: str, **given: str) -> Response:
        address = f"{self.address(route, **given)}?{query}"
        return self._noted(route, self.client.get(address, follow=True))

    def _send(self, route: Route, page: Response) -> None:
        """Sends the form of the page, or only presses its button."""
        address = self.address(route)
        other = STANDS_ON.get(route.name, route.name)
        if other != route.name:
            (on,) = (each for each in NAMED if each.name == other)
            page = self._open(on, "")
            form = _form_to(page, self.address(on))
        else:
            form = _form_to(page, address)
        typed = typed_into(route.name, form.values if form else {})
        target = f"{address}?{LED_BY.get(route.name, '')}"
        if typed.pop("said", None):
            said = self.client.post(target, typed)
            if said.status_code != 422:  # what asks to be read first is no refusal
                self._noted(route, said)
            again = _form_to(said, address)
            typed = again.values if again else typed
        self._noted(route, self.client.post(target, typed, follow=True))
        if route.name.endswith(":refresh"):
            self._work(route)

    def _work(self, route: Route) -> None:
        """Does the worker's task after that: reads the list that was asked for."""
        for state in MirrorState.objects.filter(connection=self.connection):
            refresh(state.pk)
            self._noted(route, HttpResponse())

    def address(self, route: Route, **given: str) -> str:
        return route.url_of(self.connection.owner, self.connection, None, **_GIVEN | given)

    def _noted(self, route: Route, answer: Response) -> Response:
        if "html" in answer.get("Content-Type", ""):
            self.offered |= {*_routes_in(answer.getvalue().decode())} - {route.name}
        for seen in self.server.requests:
            operation = asked(seen)
            if operation:
                self.reached[operation.name].add(route.name)
        self.server.requests.clear()
        self.answers[route.name].add(answer.status_code)
        return answer


def _routes_in(html: str) -> Iterator[str]:
    """The routes to which a page's links, buttons and forms lead."""
    for address in {unescape(found) for found in _ADDRESS.findall(html)}:
        if name := _route_at(urlsplit(address).path):
            yield name


@cache
def _route_at(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def _form_to(page: Response, address: str) -> Form | None:
    if "html" not in page.get("Content-Type", ""):
        return None
    sent_to = address.partition("?")[0]
    for form in forms(page.getvalue().decode()):
        if form.method == "post" and form.action.partition("?")[0].partition("#")[0] == sent_to:
            return form
    return None


def _respond(seen: Seen) -> Behaviour:
    operation = asked(seen)
    if operation is None:
        return answer(404, {"message": "No such operation."})
    if operation.returns is None:
        return answer(operation.status)
    if operation.name == "billing.plans" and NO_PLANS in seen.path:
        return answer(200, {})
    number = _NUMBERS.get(operation.family)
    found = document(operation, lambda name, text: number if number and name == "id" else text)
    named = identity_in(seen.path, operation)
    return answer(operation.status, found | named | _OWN.get(operation.name, {}))


W = TypeVar("W", bound=Walk)


def through(connection: Connection, server: FaultServer, kind: type[W]) -> W:
    """A walk as the owner of this connection, over a service that answers everything."""
    client = admin_client_for(connection.owner)
    server.always(depending(_respond))
    refresh(USERS.request(connection).pk)
    MirroredUser.objects.update(type=LicenceType.PRO)  # others hold no webinars
    open_archive(client, connection)
    # A stream is started once the portal has set where it goes.
    place = reverse("meetings:livestream-place", args=[connection.key, _SESSION])
    client.post(place, typed_into("meetings:livestream-place", {}))
    server.requests.clear()
    return kind(client, connection, server)
