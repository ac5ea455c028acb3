"""Fixtures of the tests that send what pages were not written for."""

import logging
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import got_request_exception

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from tests.support.fault_server import FaultServer
from tests.support.sample_service import answering


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
