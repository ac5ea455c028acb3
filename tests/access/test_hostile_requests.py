"""No route fails at what somebody sends: it refuses, or makes the best of it."""

import logging
import traceback
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core.signals import got_request_exception
from django.test import Client
from django.urls import reverse

from portal.access.audit import Act, record
from portal.access.models import Connection, User
from portal.access.origin import Origin
from tests.access.hostile_requests import Hostile, Names
from tests.access.routes import NAMED, Route, undone
from tests.chat.pages import open_archive
from tests.contract.samples import WORDS
from tests.plugins.fault_server import FaultServer
from tests.plugins.portal import admin_client_for
from tests.plugins.sample_service import answering

pytestmark = pytest.mark.django_db

SEED = "Switchboard"
PARTS = 4  # of which each is a test
ENDS_SESSIONS = {"account_logout"}


@pytest.fixture
def answering_all(faulty: Connection, fault_server: FaultServer) -> Connection:
    """A connection to a service at which all that is asked for is there."""
    fault_server.always(answering(lambda _name, text: text))
    record(Origin(faulty.owner), Act.SIGN_IN)
    return faulty


@pytest.fixture
def failures() -> Iterator[list[str]]:
    """Where views broke off."""
    seen: list[str] = []

    def note(**_: Any) -> None:
        seen.append(traceback.format_exc(limit=-4))

    got_request_exception.connect(note)
    logging.disable(logging.CRITICAL)
    yield seen
    logging.disable(logging.NOTSET)
    got_request_exception.disconnect(note)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_route_fails_at_hostile_requests(
    answering_all: Connection, failures: list[str], part: int
):
    names = Names()
    routes = [route for route in NAMED if route.name not in ENDS_SESSIONS][part::PARTS]
    broken = [
        words
        for route in routes
        for words in _tried(route, answering_all.owner, answering_all, names, failures)
    ]
    assert broken == [], "\n\n".join(broken)


def _tried(
    route: Route, user: User, connection: Connection, names: Names, failures: list[str]
) -> Iterator[str]:
    """What went wrong with a route, in words."""
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


def test_every_page_answers_whatever_htmx_is_said_to_ask(
    answering_all: Connection, failures: list[str]
):
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


@pytest.mark.parametrize(
    "number", ["\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT TWO}", "9" * 5_000]
)
def test_what_only_looks_like_a_number_is_none(
    answering_all: Connection, failures: list[str], number: str
):
    client = admin_client_for(answering_all.owner)
    client.raise_request_exception = False
    columns = reverse("lists:columns", args=[answering_all.key, "people"])
    assert client.post(columns, {"view": number}).status_code == 303
    chosen = {"chosen": number, "matching": ""}
    assert (
        client.post(reverse("meetings:export", args=[answering_all.key, "csv"]), chosen).status_code
        < 500
    )
    assert (
        client.post(reverse("sessions:policy-wait", args=[answering_all.key]), chosen).status_code
        < 500
    )
    asked = {"template": number, "page": number}
    assert client.get(reverse("meetings:create", args=[answering_all.key]), asked).status_code < 500
    assert failures == []


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2999-12-31"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak"])
def test_a_day_at_the_end_of_time_is_a_filter_that_makes_no_sense(
    answering_all: Connection, failures: list[str], day: str, zone: str
):
    client = admin_client_for(answering_all.owner)
    client.cookies["zone"] = zone
    for name in ("since", "until"):
        assert client.get(reverse("access:audit"), {name: day}).status_code == 200
