"""Every operation of the interface is reached from a page, without any exemption.

There is no table of pages and their calls, since a table could lie. Every page is opened, and every
form on it is filled in and sent, over a service that answers everything and records its requests.
These are compared with the interface's document. A page counts only if a link, a button or a form
of another leads to it.

The walk is in German, so that no page may say something in English.
"""

import csv
import re
from pathlib import Path

import pytest

from portal.contract import operations
from portal.contract.today import ASKED as SCOPES
from portal.ui.lacking import _changing_paths
from tests.support.filled_forms import ASKED, ELSEWHERE, LED_BY, STANDS_ON, TYPED
from tests.support.routes import NAMED
from tests.support.walk import through
from tests.translation.german_walk import GermanWalk

pytestmark = pytest.mark.django_db

_DOCUMENT = Path(__file__).parents[1] / "contract" / "operations.csv"
# A stream is started before the walk, and its call counted at the first page.
SENDS_FOR_OTHERS = {"account:baseline"}
_REFUSED = {403, 404, 422, 500, 502}


def unreached(reached):
    """The calls of the document that are not among these operations."""
    names = {*reached}
    with _DOCUMENT.open() as file:
        documented = [f"{row['method']} {row['path']}" for row in csv.DictReader(file)]
    named = {f"{one.method} {one.path}": one.name for one in operations()}
    return [call for call in documented if named.get(call) not in names]


def unmuted(walk):
    """Yields the writes that no page mutes where their scope is missing, and who sends them."""
    pages = [(name, re.compile(path)) for path, name in _changing_paths()]
    routes = {route.name: route for route in NAMED}
    for operation in sorted(walk.writes & SCOPES.keys()):
        for name in walk.reached[operation] - SENDS_FOR_OTHERS:
            path = walk.address(routes[name]).removeprefix(f"/c/{walk.connection.key}/")
            if not any(one == operation and known.fullmatch(path) for one, known in pages):
                yield f"{operation} by {name}"


def test_every_operation_is_reached_from_a_page_in_german(faulty, fault_server):
    faulty.owner.language = "de"
    faulty.owner.save()
    walk = through(faulty, fault_server, GermanWalk)
    walk.go()
    missing = unreached(name for name, routes in walk.reached.items() if routes & walk.offered)
    assert not missing, f"No page leads to these calls: {', '.join(missing)}"
    refused = {name: walk.answers[name] for name in TYPED if walk.answers[name] & _REFUSED}
    assert not refused, f"These forms were not taken: {refused}"
    assert [*unmuted(walk)] == []
    found = (f"{words!r}: {sorted(routes)[:3]}" for words, routes in sorted(walk.english.items()))
    assert not walk.english, "\n".join(found)


def test_a_call_that_no_page_makes_is_named():
    names = {one.name for one in operations()}
    assert unreached(names) == []
    assert unreached(names - {"users.token"}) == ["GET /users/{userId}/token"]


def test_the_forms_that_are_filled_in_are_routes():
    names = {route.name for route in NAMED}
    assert {*TYPED, *ASKED, *ELSEWHERE, *LED_BY, *STANDS_ON, *STANDS_ON.values()} <= names
