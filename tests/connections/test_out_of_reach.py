"""Lacks of a service are stored for a day per connection, and asked about by pages alone."""

import time

import pytest
from django.urls import reverse

from portal.access import availability
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import NotAvailable
from portal.config import cache
from portal.connections.api import api_for
from portal.connections.services import connections
from portal.connections.services.checking import check_now
from tests.support.fault_server import answer
from tests.support.html import text_of

pytestmark = pytest.mark.django_db
WORDS = "Invalid access token, does not contain scopes:[group:read:admin]."
LACKING = answer(400, {"code": 4711, "message": WORDS})


@pytest.fixture
def connection(administrator, fault_server):
    fault_server.always(LACKING)
    made = Connection(owner=administrator, name="Real", base_url=fault_server.url)
    made.set_token("a-token")
    made.save()
    return made


def background(connection):
    scope = scope_of(connection.owner, connection)
    return api_for(scope)


def refuse(connection):
    with pytest.raises(NotAvailable):
        background(connection).groups.list()


def test_background_stops_asking_for_what_is_lacking(connection, fault_server):
    refuse(connection)
    with pytest.raises(NotAvailable) as again:
        background(connection).groups.list()
    assert (again.value.lack, again.value.scopes) == ("scope", ("group:read:admin",))
    assert again.value.message == WORDS
    assert len(fault_server.requests) == 1


def test_other_operations_are_still_asked(connection, fault_server):
    refuse(connection)
    fault_server.always(answer(200, {"devices": []}))
    background(connection).devices.list()
    assert len(fault_server.requests) == 2


def test_page_asks_and_what_answers_it_is_there_again(connection, fault_server, client):
    refuse(connection)
    page = reverse("account:devices", args=[connection.key])
    fault_server.always(answer(400, {"code": 4711, "message": "No scopes:[device:read:admin]."}))
    lacking = client.get(page)
    text = text_of(lacking.content.decode())
    assert "This connection lacks the scope device:read:admin" in text
    assert "Check again" in text
    assert set(availability.out_of_reach(connection.key)) == {"groups.list", "devices.list"}

    fault_server.always(answer(200, {"devices": []}))
    assert client.get(page).status_code == 200
    assert set(availability.out_of_reach(connection.key)) == {"groups.list"}


def test_new_credentials_and_a_check_forget_what_lacked(connection, fault_server):
    refuse(connection)
    connections.save(Origin(connection.owner), connection, "another-token")
    assert not availability.out_of_reach(connection.key)
    refuse(connection)
    fault_server.always(answer(200, {}))
    check_now(connection)
    assert not availability.out_of_reach(connection.key)


@pytest.mark.parametrize("page", ["people:refresh", "recordings:refresh", "people:licences-read"])
def test_refresh_by_hand_forgets_what_lacked(connection, client, page):
    refuse(connection)
    client.post(reverse(page, args=[connection.key]))
    assert not availability.out_of_reach(connection.key)


def test_what_lacked_is_kept_for_a_day(connection):
    refuse(connection)
    key = f"connection-out-of-reach:{connection.key}"
    old = {name: said | {"since": time.time() - 90_000} for name, said in cache.get(key).items()}
    cache.set(key, old, 60)
    assert not availability.out_of_reach(connection.key)


@pytest.mark.whole_pages
def test_navigation_mutes_what_is_out_of_reach(connection, fault_server, client):
    page = reverse("account:devices", args=[connection.key])
    lacking = client.get(page).content.decode()
    assert "sb-muted" in lacking
    fault_server.always(answer(200, {"devices": []}))
    client.get(page)
    assert "sb-muted" not in client.get(page).content.decode()
