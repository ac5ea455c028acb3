"""What does not answer keeps one waiting, and not everybody."""

from contextlib import suppress

import pytest

from portal.config import network
from portal.config.network import Outage


class Refused(Exception):
    pass


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(network.time, "monotonic", lambda: now[0])
    return now


def fail(outage: Outage, clock: list[float], seconds: float) -> None:
    with suppress(TimeoutError), outage.watched():
        clock[0] += seconds
        raise TimeoutError


def test_what_failed_slowly_is_tried_by_one_at_a_time(clock: list[float]) -> None:
    outage = Outage(Refused)
    fail(outage, clock, 3)
    with pytest.raises(Refused), outage.watched():
        pass
    clock[0] += 6
    with outage.watched(), pytest.raises(Refused), outage.watched():
        pass  # another one, while that is tried
    with outage.watched():
        pass  # it answered


def test_what_failed_at_once_is_tried_by_everybody(clock: list[float]) -> None:
    outage = Outage(Refused)
    fail(outage, clock, 0.1)
    fail(outage, clock, 0.1)


def test_both_ends_of_a_line_ask_within_seconds() -> None:
    given = network.POSTGRESQL
    assert given["keepalives_idle"] + given["keepalives_interval"] < 10
    assert "tcp_keepalives_idle=" in given["options"]
