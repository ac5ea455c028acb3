"""Fixtures of the tests that send unexpected requests, and of the walks of limited users."""

import logging
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import got_request_exception

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.directory.users import USERS
from portal.mirror.refresh import refresh
from tests.access.planted import Both, planted
from tests.access.planted_rows import give_rows
from tests.access.scope_walk import ScopeWalk
from tests.support.fault_server import FaultServer
from tests.support.portal import Connect, member
from tests.support.sample_service import answering
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with


@pytest.fixture
def answering_all(faulty: Connection, fault_server: FaultServer) -> Connection:
    """A connection to a service at which all that is asked for is there."""
    fault_server.always(answering(lambda _name, text: text))
    record(Origin(faulty.owner), Act.SIGN_IN)
    return faulty


@pytest.fixture
def failures() -> Iterator[list[str]]:
    """Yields the tracebacks of views that broke off."""
    seen: list[str] = []

    def note(**_: Any) -> None:
        seen.append(traceback.format_exc(limit=-4))

    got_request_exception.connect(note)
    logging.disable(logging.CRITICAL)
    yield seen
    logging.disable(logging.NOTSET)
    got_request_exception.disconnect(note)


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    """The administrator's connection, with all people of the account in its list."""
    connection = connect(administrator)
    assert refresh(USERS.request(connection).pk)
    return connection


@pytest.fixture
def both(shared: Connection, sandbox: Sandbox) -> Both:
    """Returns a person inside a limited share, and one outside, each with names of their own."""
    found = planted(shared, sandbox, "Inside"), planted(shared, sandbox, "Elsewhere")
    for one in found:
        give_rows(one, shared.owner, shared)
    return found


@pytest.fixture
def colleague() -> User:
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def share(shared: Connection, colleague: User) -> Share:
    """Of the whole connection, as far as a test does not change it."""
    return share_with(shared, colleague)


@pytest.fixture
def walk(share: Share, shared: Connection, sandbox: Sandbox) -> Iterator[ScopeWalk]:
    """Yields a walk of the colleague, and prints its figures (`pytest -n 0 -rP`)."""
    began, walk = time.monotonic(), ScopeWalk(share.user, shared, sandbox)
    yield walk
    seconds = time.monotonic() - began
    count = walk.figures.total()
    sys.stdout.write(f"{len(walk.figures)} routes, {count} requests, {seconds:.0f} s\n")
