"""How old the figures of Live are for its viewers: as its interval, and the time of a reading."""

import heapq
from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from portal.config import clock
from portal.dashboards.services.live import reader
from tests.dashboards.services import asked, listing, session
from tests.dashboards.test_now import HTMX, url

pytestmark = pytest.mark.django_db

EVERY, TAKES, LASTS = 10.0, 0.4, 90.0  # seconds: an interval, a reading, the whole


class Watching:
    """Viewers who ask as `static/js/refresh.js` does, by a clock of their own."""

    def __init__(self, client: Client, connection, monkeypatch) -> None:
        self.client, self.connection = client, connection
        self.now, self.begun = 0.0, float("inf")
        start = timezone.now()
        monkeypatch.setattr(clock, "now", lambda: start + timedelta(seconds=self.now))
        monkeypatch.setattr(reader, "_begin", self._begin)
        monkeypatch.setattr(reader.threading, "Timer", self._timer)
        monkeypatch.setattr(reader.connections, "close_all", lambda: None)
        monkeypatch.setattr(
            reader.transaction, "on_commit", lambda act, **_given: act(), raising=True
        )

    def _begin(self, _connection: int) -> None:
        self.begun = min(self.begun, self.now)

    def _timer(self, seconds: float, _act: object, _arguments: object) -> SimpleNamespace:
        self.begun = self.now + seconds
        return SimpleNamespace(start=lambda: None, cancel=lambda: None)

    def _end(self, until: float) -> None:
        """A reading is there once it took its time; its figures are of when it began."""
        while self.begun + TAKES <= until:
            self.now, self.begun = self.begun, float("inf")
            reader._read_on_a_thread(self.connection.pk)

    def ages(self, viewers: int, every: float = EVERY) -> list[float]:
        """The age of the figures just before each answer, of all viewers."""
        due = [(3.0 * number, number) for number in range(viewers)]
        pictured: dict[int, float] = {}
        oldest = []
        while due[0][0] < LASTS:
            at, number = heapq.heappop(due)
            self._end(at)
            self.now = at
            answer = self.client.get(url(self.connection), headers=HTMX)
            age, following = (float(answer[f"Switchboard-{name}"]) for name in ("Age", "Next"))
            if number in pictured:
                oldest.append(at - pictured[number])
            pictured[number] = at - age
            jitter = min(1.2, following / 2) * (number % 4) / 3
            heapq.heappush(due, (at + max(following, every - age) + jitter, number))
        return oldest


@pytest.mark.parametrize("viewers", [1, 5])
def test_figures_are_as_old_as_interval_and_two_seconds_at_most(
    client, faulty, fault_server, monkeypatch, viewers
):
    fault_server.always(listing([session(1)]))
    watching = Watching(client, faulty, monkeypatch)
    reader.read_if_due(faulty.pk)
    ages = watching.ages(viewers)
    assert max(ages) <= EVERY + 2
    assert asked(fault_server, "meetings") <= LASTS / EVERY + 1


def test_slow_reading_is_asked_after_ever_more_seldom(client, faulty, fault_server, monkeypatch):
    fault_server.always(listing([session(1)]))
    watching = Watching(client, faulty, monkeypatch)
    reader.read_if_due(faulty.pk)
    waits = []
    for at in (11.0, 12.0, 15.0, 21.0):  # none of them is answered
        watching.now = at
        waits.append(float(client.get(url(faulty), headers=HTMX)["Switchboard-Next"]))
    assert all(earlier < later for earlier, later in pairwise(waits))
    assert waits[0] < 1 < waits[-1] <= EVERY
