"""The day that a test runs on, `today()`, and machines whose clocks are wrong."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

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


@pytest.fixture(autouse=True)
def _one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the database go by the clock of the test, which may live at another moment."""
    monkeypatch.setattr(clock, "_of_database", lambda: None)


@pytest.fixture
def machine(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[timedelta], AbstractContextManager[object]]:
    """Returns another machine of the portal, whose clock is ahead of the database's by so much."""
    began, steady = datetime.now(UTC), time.monotonic()
    monkeypatch.setattr(clock, "_measured", None)

    def tick() -> datetime:
        return began + timedelta(seconds=time.monotonic() - steady)

    monkeypatch.setattr(clock, "_of_database", tick)
    return lambda ahead: time_machine.travel(datetime.now(UTC) + ahead, tick=True)
