"""Promise 8 over every route: passwords, host keys and start links are for those who may change
them, and only where they ask for them."""

import re
from http import HTTPStatus

import pytest
from django.test import Client

from portal.access.http import Origin
from portal.access.models import Connection
from portal.connections.services import connections
from tests.access.test_every_export import OF_NUMBERS, TEMPLATES, WITH_CONTENT
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone
from tests.support.sample_service import answering
from tests.support.samples import WORDS

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

CANARY = "Can4ry_pw"
HOST_KEY = "864209"
SECRET = re.compile("passw|passcode|secret|^token$|(^|_)pin$|host_key|start_url|stream_key")
TABLES = ("text/csv", "application/vnd.openxmlformats")
# Pages that ask for a secret, or change it.
ASKED_FOR = {
    "meetings:shown",
    "meetings:invitation",
    "meetings:recordings-password",
    "recordings:recordings-password",
    "webinars:recordings-password",
    "people:host-key-shown",
    "people:telephony-shown",
    "webinars:shown",
}


def _marked(name, text):
    """Secrets in each field that is named like one, and in the invitation."""
    if name == "invitation":
        return f"Join the meeting. Password: {CANARY}"
    if not SECRET.search(name):
        return text
    if name == "host_key":
        return HOST_KEY
    return f"https://conf.example/s/1?zak={CANARY}" if name.endswith("url") else CANARY


def _pages(user, server):
    """Yields the answer of every route to this person, by its name."""
    connection = Connection(owner=user, name="Answering", base_url=server.url)
    connections.save(Origin(user), connection, "token-of-this-service")
    server.always(answering(_marked))
    client: Client = admin_client_for(user)
    given = {"user_id": WORDS, "session_id": "123456789", "room_id": WORDS}
    for route in NAMED:
        if route.name != "account_logout":
            url = route.url_of(user, connection, None, **given)
            # Some pages begin to read what a file of another one then waits for.
            with undone():
                yield route.name, client.get(url)


def _shows_secret(answer):
    text = f"{answer.getvalue().decode(errors='replace')}{answer.headers}"
    return CANARY in text or HOST_KEY in text


def test_no_route_shows_a_viewer_a_secret(viewer, fault_server):
    answers = dict(_pages(viewer, fault_server))
    assert [name for name, answer in answers.items() if _shows_secret(answer)] == []
    opened = [name for name, answer in answers.items() if answer.status_code == 200]
    assert {"meetings:session", "meetings:recordings", "people:person"} <= {*opened}


def test_others_are_shown_secrets_where_they_ask_alone(operator, fault_server):
    showing, tables = set(), WITH_CONTENT | OF_NUMBERS | TEMPLATES
    for name, answer in _pages(operator, fault_server):
        if _shows_secret(answer):
            showing.add(name)
            assert "no-store" in answer["Cache-Control"], name
        is_table = answer.get("Content-Type", "").startswith(TABLES)
        is_refused = answer.status_code == HTTPStatus.FORBIDDEN
        assert is_table is (name in tables and not is_refused), name
    assert showing == ASKED_FOR
