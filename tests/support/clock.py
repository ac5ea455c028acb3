"""The day that a test runs on: `today()`."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest

_MARGIN = timedelta(seconds=20)


def today() -> date:
    """The day in UTC; to be asked for within a test, since a run may last beyond midnight."""
    return datetime.now(UTC).date()


@pytest.fixture(autouse=True)
def _one_day() -> None:
    """No test begins in the last seconds of a day, so that all of it sees the same one."""
    while (datetime.now(UTC) + _MARGIN).date() != today():
        time.sleep(0.1)
