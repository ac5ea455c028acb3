"""Fixtures of the tests that send unexpected requests, and of the walks of limited users."""

import logging
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import got_request_exception

from portal.access.http import Origin
from portal.access.models import Connection, Share
from portal.audit.acts import Act
from portal.audit.trail import record
from tests.access.planted import Both, planted
from tests.access.planted_rows import give_rows
from tests.access.scope_walk import ScopeWalk
from tests.support.fault_server import FaultServer
from tests.support.sample_service import answering
from tests.support.sandbox import Sandbox


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
def both(shared: Connection, sandbox: Sandbox) -> Both:
    """Returns a person inside a limited share, and one outside, each with names of their own."""
    found = planted(shared, sandbox, "Inside"), planted(shared, sandbox, "Elsewhere")
    for one in found:
        give_rows(one, shared.owner, shared)
    return found


@pytest.fixture
def walk(share: Share, shared: Connection, sandbox: Sandbox) -> Iterator[ScopeWalk]:
    """Yields a walk of the colleague, and prints its figures (`pytest -n 0 -rP`)."""
    began, walk = time.monotonic(), ScopeWalk(share.user, shared, sandbox)
    yield walk
    seconds = time.monotonic() - began
    count = walk.figures.total()
    sys.stdout.write(f"{len(walk.figures)} routes, {count} requests, {seconds:.0f} s\n")
