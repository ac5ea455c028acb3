"""The rate limit of one connection: what it lets through, in which order, and what it learns."""

from contextlib import suppress
from itertools import pairwise
from threading import Event, Semaphore, Thread, current_thread

import pytest

from portal.client import (
    UNLIMITED,
    Api,
    HttpCaller,
    LocalRateLimit,
    RateLimiter,
    RetryPolicy,
    Secret,
    Target,
    Throttled as Refusal,
)
from portal.client.rate_limiter import LONGEST_HOLD
from tests.client.conftest import LOOPBACK, Clock
from tests.support.fault_server import answer, throttled

USER = answer(200, {"id": "u1"})


def limiter(clock, ceiling=UNLIMITED):
    return RateLimiter(
        LocalRateLimit(ceiling, clock), clock, lambda _turn, seconds: clock.sleep(seconds)
    )


def leaves(rate_limiter, clock, count):
    """Returns the times at which so many calls, one after the other, leave."""
    times = []
    for _ in range(count):
        assert rate_limiter.acquire(60, urgent=False) == 0
        times.append(clock.now)
    return times


def test_without_a_known_limit_nothing_waits(clock):
    assert set(leaves(limiter(clock), clock, 100)) == {0.0}


def test_calls_are_spaced_at_the_ceiling(clock):
    times = leaves(limiter(clock, 20), clock, 100)
    assert all(after - before == pytest.approx(0.05) for before, after in pairwise(times[5:]))
    assert times[-1] >= 4.8


def test_a_pause_is_not_made_up_for_by_a_burst(clock):
    paced = limiter(clock, 20)
    leaves(paced, clock, 5)
    clock.now += 60
    began = clock.now
    assert len([time for time in leaves(paced, clock, 20) if time == began]) <= 3


def test_a_refusal_holds_everybody_back_until_the_time_named(clock):
    paced = limiter(clock, 20)
    leaves(paced, clock, 1)
    paced.refused(0.01, 7)
    assert leaves(paced, clock, 1) == [pytest.approx(7)]


def test_a_shorter_time_named_later_does_not_lift_the_limit(clock):
    paced = limiter(clock)
    paced.refused(0.01, 7)
    paced.refused(0.01, 1)
    assert leaves(paced, clock, 1) == [pytest.approx(7)]


def test_the_first_refusal_teaches_the_rate_that_was_measured(clock):
    paced = limiter(clock)
    leaves(paced, clock, 40)
    clock.now += 0.01
    for _ in range(20):
        paced.refused(0.01, 1)
    times = leaves(paced, clock, 41)
    assert 16 <= 40 / (times[-1] - times[0]) <= 21


def test_refusal_on_idle_connection_does_not_bring_it_to_halt(clock):
    paced = limiter(clock)
    leaves(paced, clock, 1)
    paced.refused(0.01, 1)
    times = leaves(paced, clock, 6)
    assert times[-1] - times[0] <= 1


def test_calls_that_were_refused_together_cut_the_rate_once(clock):
    paced = limiter(clock, 100)
    leaves(paced, clock, 500)
    for _ in range(5):
        paced.refused(0.02, None)
    times = leaves(paced, clock, 21)
    assert 80 <= 20 / (times[-1] - times[0]) <= 95


def test_many_refusals_leave_rate_that_still_moves(clock):
    paced = limiter(clock, 10)
    for _ in range(100):
        assert paced.acquire(LONGEST_HOLD, urgent=False) == 0
        paced.refused(0, None)
        clock.now += 0.001
    assert paced.acquire(LONGEST_HOLD, urgent=False) == 0


def test_refusals_without_a_time_are_waited_out_ever_longer(clock):
    paced = limiter(clock)
    left = []
    while clock.now < 3600:
        assert paced.acquire(LONGEST_HOLD, urgent=False) == 0
        left.append(clock.now)
        clock.now += 0.001
        paced.refused(0.001, None)
    waits = [round(after - before) for before, after in pairwise(left)]
    assert waits[2:9] == [1, 2, 4, 8, 16, 32, 64]
    assert max(waits) == LONGEST_HOLD
    paced.acquire(LONGEST_HOLD, urgent=False)
    clock.now += 0.001
    paced.accepted(0.001)
    paced.refused(0, None)
    assert paced.closed_for == 0


def test_rate_rises_again_up_to_ceiling_while_calls_wait_for_it(clock):
    paced = limiter(clock, 20)
    leaves(paced, clock, 100)
    paced.refused(0.01, 1)
    slow = leaves(paced, clock, 11)
    leaves(paced, clock, 400)
    fast = leaves(paced, clock, 11)
    assert slow[10] - slow[5] > (fast[10] - fast[5]) * 1.05
    assert fast[10] - fast[5] == pytest.approx(0.25)


def test_a_rate_that_nobody_uses_does_not_rise(clock):
    paced = limiter(clock, 20)
    leaves(paced, clock, 100)
    paced.refused(0.01, 1)
    for _ in range(100):
        clock.now += 10
        leaves(paced, clock, 1)
    times = leaves(paced, clock, 21)
    assert 15 / (times[20] - times[5]) < 19.5


def test_wait_beyond_time_allowed_is_reported_and_not_begun(clock):
    paced = limiter(clock)
    paced.refused(0, 30)
    assert paced.acquire(8, urgent=True) == pytest.approx(30)
    assert clock.waits == []


class Door:
    """A rate limit that holds everybody back until it is opened, and notes who came through."""

    def __init__(self) -> None:
        self.opened = Event()
        self.arrived = Semaphore(0)
        self.let_through: list[str] = []

    def try_acquire(self, *, urgent: bool) -> float:  # noqa: ARG002
        if not self.opened.is_set():
            return 1.0
        self.let_through.append(current_thread().name)
        return 0.0

    def refused(self, age: float, retry_after: float | None) -> None:  # noqa: ARG002
        self.opened.clear()

    def wait(self, turn: Event, seconds: float) -> None:
        if self.opened.is_set():
            turn.wait(seconds)
        else:
            self.arrived.release()
            self.opened.wait(10)


def order_through(*names):
    """In which order threads are let through that came in this one."""
    door = Door()
    queue = RateLimiter(door, wait=door.wait)
    threads = []
    for name in names:
        urgent = name.startswith("page")
        threads.append(
            Thread(name=name, target=queue.acquire, args=(60,), kwargs={"urgent": urgent})
        )
        threads[-1].start()
        assert door.arrived.acquire(timeout=60)
    door.opened.set()
    for thread in threads:
        thread.join(10)
    return door.let_through


def test_pages_go_before_jobs_that_came_earlier():
    order = order_through("job 1", "job 2", "page 1", "job 3", "page 2")
    assert order == ["page 1", "page 2", "job 1", "job 2", "job 3"]


def test_jobs_are_let_through_in_the_order_in_which_they_came():
    order = order_through("job 1", "other job 1", "job 2", "other job 2")
    assert order == ["job 1", "other job 1", "job 2", "other job 2"]


class Service:
    """A token bucket that holds one second's calls; its refusals arrive 50 ms later."""

    def __init__(self, clock: Clock, limit: float) -> None:
        self._clock = clock
        self._limit = limit
        self._left, self._seen = limit, clock.now
        self.rate_limiter = RateLimiter(
            LocalRateLimit(clock=clock), clock, lambda _turn, seconds: self.pass_(seconds)
        )
        self.refused: list[float] = []

    def call(self) -> bool:
        assert self.rate_limiter.acquire(60, urgent=False) == 0
        now = self._clock.now
        self._left = min(self._limit, self._left + (now - self._seen) * self._limit)
        self._seen = now
        allowed = self._left >= 1
        if allowed:
            self._left -= 1
        else:
            self.refused.append(now)
        return allowed

    def pass_(self, seconds: float) -> None:
        """Time goes by, and refusals arrive in it."""
        until = self._clock.now + seconds
        while self.refused and self.refused[0] + 0.05 <= until:
            self._clock.now = max(self._clock.now, self.refused.pop(0) + 0.05)
            self.rate_limiter.refused(0.05, 1.0)
        self._clock.now = max(self._clock.now, until)


@pytest.mark.parametrize("limit", [5, 10, 50, 300])
def test_an_unknown_limit_is_found_and_used_to_95_percent(clock, limit):
    service = Service(clock, limit)
    calls, done, refused = 60 * limit, 0, 0
    while done < calls:
        if service.call():
            done += 1
        else:
            refused += 1
        if len(service.refused) == 20:
            service.pass_(0.05)  # every thread waits for its refusal
    assert done / clock.now >= 0.95 * limit
    assert refused <= 20 + 0.05 * calls


def api_through(paced, server, clock, seconds=8):
    retry_policy = RetryPolicy(seconds=seconds, sleep=clock.sleep, clock=clock)
    return Api(
        HttpCaller(
            lambda: Target(server.url, Secret("a token"), LOOPBACK),
            retry_policy,
            rate_limiter=paced,
        )
    )


def test_refusal_of_one_call_holds_back_all_calls_of_connection(clock, fault_server):
    paced = limiter(clock)
    fault_server.then(throttled("60")).always(USER)
    with pytest.raises(Refusal) as refused:
        api_through(paced, fault_server, clock).users.get("u1")
    with pytest.raises(Refusal) as held_back:
        api_through(paced, fault_server, clock).users.get("u1")
    assert refused.value.reason == ""
    assert held_back.value.reason == "own_limit"
    assert held_back.value.retry_after == pytest.approx(60)
    assert not held_back.value.may_have_happened
    assert len(fault_server.requests) == 1


def test_a_limit_of_one_user_is_not_the_connections(clock, fault_server):
    paced = limiter(clock)
    words = {"message": "Daily limit reached, permitted for this particular user: u1"}
    fault_server.then(answer(429, words, headers={"Retry-After": "3900"})).always(USER)
    with pytest.raises(Refusal) as refused:
        api_through(paced, fault_server, clock).users.get("u1")
    assert refused.value.retry_after == 3900
    api_through(paced, fault_server, clock).users.get("u1")
    assert clock.now == 0


@pytest.mark.parametrize("seconds", ["5", None])
def test_a_limit_of_one_user_for_now_is_the_connections(clock, fault_server, seconds):
    paced = limiter(clock)
    words = {"message": "Too many requests of this user."}
    headers = {"Retry-After": seconds} if seconds else {}
    fault_server.then(answer(429, words, headers=headers)).always(USER)
    with suppress(Refusal):
        api_through(paced, fault_server, clock).users.get("u1")
    assert paced.rate < UNLIMITED
    assert clock.now >= 5 or not seconds


def test_work_that_may_take_its_time_waits_until_limit_is_lifted(clock, fault_server):
    paced = limiter(clock)
    fault_server.then(throttled("60")).always(USER)
    with pytest.raises(Refusal):
        api_through(paced, fault_server, clock).users.get("u1")
    assert api_through(paced, fault_server, clock, seconds=90).users.get("u1").id == "u1"
    assert clock.now >= 60


def test_a_service_that_is_out_for_the_day_is_rarely_asked(clock, fault_server):
    paced = limiter(clock)
    api = api_through(paced, fault_server, clock, seconds=60)
    fault_server.always(throttled())
    while clock.now < 40:
        with pytest.raises(Refusal):
            api.users.get("u1")
        clock.now += 1
    assert len(fault_server.requests) <= 8
    fault_server.always(USER)
    clock.now += LONGEST_HOLD
    api.users.get("u1")
    fault_server.then(throttled())
    assert api.users.get("u1").id == "u1"


def test_a_call_that_is_repeated_passes_the_limiter_again(clock, fault_server):
    fault_server.then(answer(503), answer(503), USER)
    paced = limiter(clock, 0.5)
    api_through(paced, fault_server, clock).users.get("u1")
    assert clock.now >= 3.8
