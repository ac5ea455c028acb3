"""Portal accounts, their connection to the running sandbox, and clients that are signed in."""

from collections.abc import Callable
from importlib import import_module

import pytest
from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest
from django.test import Client
from redis import Redis

from portal.access.http import Origin
from portal.access.models import Connection, User, Way
from portal.access.roles import Role
from portal.client import ClientCredentials, Secret
from portal.connections import rate_limits
from portal.connections.services import connections
from portal.team import accounts
from tests.support.fault_server import FaultServer
from tests.support.sandbox import Sandbox

Connect = Callable[..., Connection]
PASSWORD = "correct horse battery"


@pytest.fixture
def administrator(db: None) -> User:
    return member("administrator@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def operator(db: None) -> User:
    return member("operator@example.com", Role.OPERATOR)


@pytest.fixture
def viewer(db: None) -> User:
    return member("viewer@example.com", Role.VIEWER)


def member(email: str, role: Role) -> User:
    """An account with `PASSWORD`."""
    name = email.partition("@")[0].capitalize()
    return accounts.create(Origin(), email=email, name=name, role=role, password=PASSWORD)


@pytest.fixture
def connect(sandbox: Sandbox) -> Connect:
    """Makes connections to the sandbox: `connect(user, name="Sandbox", read_only=False)`."""

    def make(owner: User, name: str = "Sandbox", *, read_only: bool = False) -> Connection:
        connection = Connection(owner=owner, name=name, base_url=sandbox.url, read_only=read_only)
        client = None
        if sandbox.profile == "current":
            url = f"{sandbox.site}/oauth/token"
            client = ClientCredentials(url, "tests", Secret(sandbox.token), "tests")
            connection.way, connection.dialect = Way.RENEWING, "current"
        connections.save(Origin(owner), connection, sandbox.token, client=client)
        return connection

    return make


def after_the_wait() -> None:
    """As if the time that the service asked for had gone by."""
    rate_limits._rate_limiter.cache_clear()
    if settings.REDIS_URL:
        redis = Redis.from_url(settings.REDIS_URL)
        for key in redis.scan_iter("switchboard:pace:*"):
            redis.delete(key)


@pytest.fixture
def faulty(fault_server: FaultServer, administrator: User) -> Connection:
    """The administrator's connection to a service that misbehaves as it is set to."""
    connection = Connection(owner=administrator, name="Faulty", base_url=fault_server.url)
    connections.save(Origin(administrator), connection, "token-of-the-faulty-service")
    return connection


@pytest.fixture
def connection(connect: Connect, administrator: User) -> Connection:
    """The administrator's connection to the sandbox."""
    return connect(administrator)


@pytest.fixture
def client(administrator: User) -> Client:
    """The administrator's browser, signed in just now."""
    return admin_client_for(administrator)


@pytest.fixture
def visitor() -> Client:
    """A browser that has not signed in."""
    return Client()


def admin_client_for(user: User, *, recently: bool = True) -> Client:
    """A client that is signed in as this person, `recently` enough for destructive acts."""
    client = Client()
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    login(request, user)
    if recently:
        record_authentication(request, user, method="password")
    request.session.save()
    assert request.session.session_key
    client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
    return client
