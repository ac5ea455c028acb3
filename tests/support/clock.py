"""The day that a test runs on, `today()`, and machines whose clocks are wrong."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection

from portal.config import clock

_MARGIN = timedelta(seconds=20)


def today() -> date:
    """The day in UTC; to be asked for within a test, since a run may last beyond midnight."""
    return datetime.now(UTC).date()


@pytest.fixture(autouse=True)
def _one_day() -> None:
    """No test begins in the last seconds of a day, so that all of it sees the same one."""
    while (datetime.now(UTC) + _MARGIN).date() != today():
        time.sleep(0.1)


@pytest.fixture
def machine(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[timedelta], AbstractContextManager[object]]:
    """Returns another machine of the portal, whose clock is ahead of the database's by so much; a
    file of SQLite, which cannot have two, keeps that of the test."""
    began, steady = datetime.now(UTC), time.monotonic()
    monkeypatch.setattr(clock, "_measured", None)
    if connection.vendor == "sqlite":

        def tick() -> datetime:
            return began + timedelta(seconds=time.monotonic() - steady)

        monkeypatch.setattr(clock, "_of_database", tick)
    return lambda ahead: time_machine.travel(datetime.now(UTC) + ahead, tick=True)
