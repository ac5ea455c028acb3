"""No route fails at any request, signed in or not: over more requests of more kinds."""

from random import Random

import pytest
from django.test import Client

from tests.access.hostile_requests import ENDS_SESSIONS, SEED, Hostile, Names
from tests.support.chat_pages import open_archive
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone
from tests.support.samples import WORDS

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

PARTS = 4  # each of them a test


@pytest.mark.parametrize("part", range(PARTS))
def test_no_route_fails_at_hostile_requests(answering_all, failures, part):
    names = Names()
    routes = [route for route in NAMED if route.name not in ENDS_SESSIONS][part::PARTS]
    broken = [
        words
        for route in routes
        for words in _tried(route, answering_all.owner, answering_all, names, failures)
    ]
    assert broken == [], "\n\n".join(broken)


def _tried(route, user, connection, names, failures):
    """Returns what went wrong with a route, in words."""
    chance = Random(f"{SEED} {route.name}")  # noqa: S311 - to be drawn again
    hostile = Hostile(chance, names)
    with undone():
        given = {"user_id": WORDS, "session_id": "123456789", "room_id": WORDS}
        url = route.url_of(user, connection, None, **given)
        administrator = admin_client_for(user)
        if route.name.startswith("chat:"):
            open_archive(administrator, connection)
        for client, gets, posts in ((administrator, 2, 2), (Client(), 1, 1)):
            client.raise_request_exception = False
            plain = client.get(url)
            is_page = plain.get("Content-Type", "").startswith("text/html")
            own = names.learn(plain.content.decode()) if is_page else []
            for send in (*[hostile.get] * gets, *[hostile.post] * posts):
                failures.clear()
                with undone():
                    answer = send(client, url, own)
                if answer.status_code >= 500:
                    yield f"{answer.status_code} {url} {hostile.last}\n{''.join(failures)}"


def test_every_page_answers_whatever_htmx_is_said_to_ask(answering_all, failures):
    clients = (admin_client_for(answering_all.owner), Client())
    headers = {"HX-Request": "true", "HX-Target": "content", "HX-Current-URL": "http://["}
    given = {"user_id": WORDS, "session_id": "123456789", "room_id": WORDS}
    for route in NAMED:
        if route.name in ENDS_SESSIONS:
            continue
        url = route.url_of(answering_all.owner, answering_all, None, **given)
        for client in clients:
            client.raise_request_exception = False
            assert client.get(url, headers=headers).status_code < 500, f"{url} {failures}"
