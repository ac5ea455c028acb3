"""The service's clock is measured by the `Date` of its answers (promise 57)."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from portal.client import limits
from portal.client.limits import Ahead, ahead_of, learn
from tests.support.fault_server import answer

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
OURS = NOON.timestamp()


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(limits, "_ahead_of", {})


def at(second):
    return format_datetime(NOON.replace(second=second), usegmt=True)


def test_every_answer_tells_how_far_we_are_ahead(api, fault_server):
    long_ago = {"Date": "Mon, 04 May 2026 12:00:00 GMT"}
    fault_server.then(answer(404, {"message": "No such user."}, headers=long_ago))
    with pytest.raises(Exception, match="No such user"):
        api.users.get("u1")
    [found] = limits._ahead_of.values()
    now = datetime.now(UTC).timestamp()
    assert found.least < now - OURS < found.most + 60
    assert found.most - found.least < 60


def test_answers_narrow_clock_down_and_set_clock_restarts():
    learn("s", OURS + 360.2, OURS + 360.8, at(0))
    learn("s", OURS + 365.9, OURS + 366.0, at(5))
    found = ahead_of("s")
    assert found is not None
    assert (round(found.least, 1), round(found.most, 1)) == (359.9, 360.8)
    learn("s", OURS, OURS + 0.5, at(0))
    assert ahead_of("s") == Ahead(-1.0, 0.5)


@pytest.mark.parametrize("date", ["", "soon", "Mon, 99 May 2026 12:00:00 GMT"])
def test_without_a_date_nothing_is_known(date):
    learn("s", OURS, OURS, date)
    assert ahead_of("s") is None
