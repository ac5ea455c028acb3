"""Users with many accounts: no page grows with them, and all are found."""

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from portal.access.models import Connection
from portal.config import cache, clock
from portal.recordings.models import StorageReading
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db
PAGES = (
    "",
    "accounts/switch/",
    "connections/",
    "audit/",
    "settings/",
    "c/{}/people/",
    "c/{}/jobs/",
)
_FULL = {"day": "2026-01-01", "used": 10.0, "allowed": 10.0}


def made(owner, count, first=0):
    """Makes connections that nothing was loaded over; the last has its recording storage full."""
    numbers = range(first, first + count)
    some = [
        Connection(
            owner=owner, name=f"Account {number:03}", base_url=f"https://s{number}.invalid/v2"
        )
        for number in numbers
    ]
    for one in some:
        one.set_token("token")
    Connection.objects.bulk_create(some)
    StorageReading.objects.create(connection=some[-1], read_at=clock.now(), **_FULL)
    return some


def costs_of(client, path, monkeypatch):
    """Returns queries and requests to the cache."""
    asked = []
    ask = cache._quietly
    client.get(path)  # fills caches
    with monkeypatch.context() as patch, CaptureQueriesContext(database) as queries:
        patch.setattr(cache, "_quietly", lambda *given: asked.append(given) or ask(*given))
        assert client.get(path).status_code == 200
    return len(queries), len(asked)


def test_pages_of_five_hundred_accounts_ask_what_those_of_ten_do(administrator, monkeypatch):
    client = admin_client_for(administrator)
    accounts = made(administrator, 1)
    pages = [f"/{page.format(accounts[0].key)}" for page in PAGES]
    of_one = {page: costs_of(client, page, monkeypatch) for page in pages}
    made(administrator, 9, first=1)
    of_ten = {page: costs_of(client, page, monkeypatch) for page in pages}
    made(administrator, 490, first=10)
    of_many = {page: costs_of(client, page, monkeypatch) for page in pages}
    for page in pages:
        assert max(of_many[page]) <= max(of_ten[page]) + 3, page
        queries, requests = (8, 4) if page == "/" else (1, 1)  # the table of accounts
        assert of_many[page][0] <= of_one[page][0] + queries, page
        assert of_many[page][1] <= of_one[page][1] + requests, page


def test_home_of_many_accounts_shows_those_in_need(administrator):
    made(administrator, 12)
    client = admin_client_for(administrator)
    first = client.get("/").text
    assert "All 12 accounts" in first
    assert "Account 000" in first
    assert "Account 011" not in first
    assert "1 of them needs you" in client.get("/accounts/in-need/").text
    home = client.get("/").text
    assert "Account 011" in home
    assert "1 of them needs you" in home
    assert "Recording storage is full" in home


def test_accounts_are_listed_by_need_and_searched_by_owner(administrator, operator):
    made(administrator, 3)
    [shared] = made(operator, 1, first=7)
    share_with(shared, administrator)
    client = admin_client_for(administrator)
    listed = text_of(client.get("/accounts/").text)
    assert listed.index("Account 002") < listed.index("Account 000")
    for query, there, missing in (
        ("001", "Account 001", "Account 000"),
        ("operator 7", "Account 007", "Account 001"),
        ("nothing", "No accounts", "Account 001"),
    ):
        for path in ("accounts/", "accounts/switch/", "connections/"):
            page = client.get(f"/{path}", {"q": query}).text
            assert there in page or query == "nothing"
            assert missing not in page


def test_search_of_accounts_replaces_the_results_alone(administrator):
    made(administrator, 60)
    client = admin_client_for(administrator)
    part = client.get("/accounts/", {"q": "Account"}, headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "50 of 60" in text_of(part)
    assert "q=Account" in part, "the next page is of the same search"


def test_menu_of_accounts_lists_twenty_and_says_how_many_more(administrator):
    made(administrator, 23)
    menu = text_of(admin_client_for(administrator).get("/accounts/switch/").text)
    assert menu.count("Account ") == 20
    assert "3 more accounts" in menu
