"""Every page of a service of today, with one scope missing after the other: what fails names it."""

import sqlite3
from collections import defaultdict
from contextlib import closing

import pytest
from django.conf import settings
from django.core.cache import cache

from portal.access import metrics
from portal.access.http import Origin
from portal.access.models import Connection, Way
from portal.access.models.connection import address_policy
from portal.client import ClientCredentials, Secret, ask_for_token
from portal.connections.services import connections
from portal.contract.today import ASKED
from tests.access.test_permission_matrix import MATRIX
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone

pytestmark = [pytest.mark.django_db, pytest.mark.deep]  # a sandbox of its own, and every page

PAGES = [
    route
    for route in NAMED
    if "connection" in route.arguments and "administrator" in MATRIX[route.name][0]
]
EVERYTHING = sorted({asked.granular for asked in ASKED.values()})


@pytest.fixture
def today(sandbox_factory):
    return sandbox_factory("--profile=current", "--frozen")


@pytest.fixture
def account(today, administrator):
    made = Connection(
        owner=administrator, name="Real", base_url=today.url, way=Way.BEARER, dialect="current"
    )
    credentials = ClientCredentials(f"{today.site}/oauth/token", "app", Secret(today.token))
    issued = ask_for_token(credentials, address_policy(), settings.API_TIMEOUT)
    connections.save(Origin(administrator), made, issued.token.value)
    return made


class Crawl:
    """Opens pages with a token whose scopes change."""

    def __init__(self, account, sandbox, monkeypatch):
        self.account, self.sandbox = account, sandbox
        self.client = admin_client_for(account.owner)
        self.called = set()
        monkeypatch.setattr(metrics, "call_ended", lambda end: self.called.add(end.operation))

    def allow(self, scopes):
        scope = " ".join(scopes)
        with closing(sqlite3.connect(self.sandbox.data_dir / "sandbox.sqlite3")) as database:
            database.execute("UPDATE sandbox_issuedtoken SET scope = ?", [scope])
            database.commit()
        cache.clear()

    def open(self, route):
        self.called.clear()
        with undone():
            address = route.url_of(self.account.owner, self.account, self.sandbox)
            self.called.clear()
            return self.client.get(address, follow=True)


def test_no_page_fails_without_naming_the_scope_that_is_missing(account, today, monkeypatch):
    crawl = Crawl(account, today, monkeypatch)
    crawl.allow(EVERYTHING)
    pages = defaultdict(list)
    for route in PAGES:
        crawl.open(route)
        for name in crawl.called & ASKED.keys():
            pages[name].append(route)
    silent = []
    for name, routes in sorted(pages.items()):
        scope = ASKED[name].granular
        crawl.allow(one for one in EVERYTHING if one != scope)
        for route in routes:
            page = crawl.open(route)
            shown = "" if page.streaming else page.content.decode(errors="replace")
            if scope not in shown or page.status_code >= 500:
                silent.append(f"{route.name} without {scope}: {page.status_code}")
    assert len(pages) > 40
    assert not silent, "\n".join(silent)
