"""What does not answer keeps one waiting, and not everybody."""

from contextlib import suppress

import pytest

from portal.config import network
from portal.config.network import Outage


class Refused(Exception):
    pass


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(network.time, "monotonic", lambda: now[0])
    return now


def fail(outage, clock, seconds):
    with suppress(TimeoutError), outage.watched():
        clock[0] += seconds
        raise TimeoutError


def test_what_failed_slowly_is_tried_by_one_at_a_time(clock):
    outage = Outage(Refused)
    fail(outage, clock, 3)
    with pytest.raises(Refused), outage.watched():
        pass
    clock[0] += 6
    with outage.watched(), pytest.raises(Refused), outage.watched():
        pass  # another one, while that is tried
    with outage.watched():
        pass  # it answered


def test_what_failed_at_once_is_tried_by_everybody(clock):
    outage = Outage(Refused)
    fail(outage, clock, 0.1)
    fail(outage, clock, 0.1)


def test_both_ends_of_a_line_ask_within_seconds():
    given = network.POSTGRESQL
    assert given["keepalives_idle"] + given["keepalives_interval"] < 10
    assert "tcp_keepalives_idle=" in given["options"]


def test_waiter_for_a_lock_outlasts_a_holder_that_does_nothing():
    assert 10 <= network.IDLE_TIMEOUT < network.LOCK_TIMEOUT
    options = network.POSTGRESQL["options"]
    assert f"-c idle_in_transaction_session_timeout={network.IDLE_TIMEOUT}s" in options
