"""Waits of a job as a whole: the circuit breaker, by a clock of the test's own."""

import pytest

from portal.client import Throttled
from portal.contract.users import Users
from portal.jobs.breaker import Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def breaker(clock):
    return Breaker(clock)


def fails(breaker, times):
    for _ in range(times):
        breaker.failure("Busy")


def test_one_failure_in_three_holds_nobody_up(breaker):
    for _ in range(50):
        fails(breaker, 1)
        assert breaker.room(20, 0) == 20
        breaker.success()
        breaker.success()
    assert (breaker.openings, breaker.words) == (0, "")


def test_a_few_failures_at_the_very_start_report_nothing_yet(breaker):
    fails(breaker, 9)
    assert breaker.room(20, 3) == 20


def test_prevailing_failures_open_the_circuit_and_nothing_begins(breaker):
    fails(breaker, 10)
    assert breaker.is_open
    assert breaker.words == "Busy"
    assert breaker.room(20, 0) == 0
    assert 0.25 <= breaker.seconds_left <= 0.5


def test_it_opens_too_where_all_went_well_before(breaker):
    for _ in range(100):
        breaker.success()
    fails(breaker, 11)
    assert breaker.is_open


def test_those_that_were_in_flight_together_count_as_one_opening(breaker):
    fails(breaker, 30)
    assert breaker.openings == 1


def test_after_the_wait_one_alone_tries(breaker, clock):
    fails(breaker, 10)
    clock.now += 1
    assert breaker.room(20, 0) == 1
    assert breaker.room(20, 1) == 0


def test_failed_try_waits_longer_each_time_up_to_half_minute(breaker, clock):
    fails(breaker, 10)
    waits = []
    for _ in range(12):
        waits.append(breaker.seconds_left)
        clock.now += 31
        fails(breaker, 1)
    assert waits[4] > waits[0] * 4
    assert all(15 <= wait <= 30 for wait in waits[-3:])


def test_a_try_that_succeeds_lets_all_go_on(breaker, clock):
    fails(breaker, 10)
    clock.now += 1
    breaker.success()
    assert breaker.room(20, 0) == 20
    assert breaker.words == ""


def test_a_late_answer_does_not_end_the_wait(breaker):
    fails(breaker, 10)
    breaker.success()
    assert breaker.room(20, 0) == 0


def test_a_service_that_comes_and_goes_is_given_ever_more_time(breaker, clock):
    for opening in range(1, 5):
        fails(breaker, 10)
        assert breaker.openings == opening
        clock.now += 31
        breaker.success()
    for _ in range(10):
        breaker.success()
    assert breaker.openings == 0


def test_time_named_by_service_holds_though_circuit_is_closed(breaker, clock):
    breaker.hold(7)
    breaker.success()
    assert breaker.room(20, 0) == 0
    clock.now += 7
    assert breaker.room(20, 0) == 20


def test_a_wait_for_a_limit_is_said_in_words_of_service(breaker, clock):
    ours = Throttled(Users.list, "Used up.", status=429, retry_after=60, reason="own_limit")
    breaker.record(ours)
    assert breaker.words == "Used up."
    breaker.record(Throttled(Users.list, "No more today.", status=429))
    breaker.record(ours)
    assert breaker.words == "No more today."
    clock.now += 61
    breaker.record(None)
    assert breaker.words == ""


def test_another_worker_goes_on_where_the_first_one_was(breaker, clock):
    fails(breaker, 10)
    clock.now += 1
    fails(breaker, 1)
    other = Breaker(clock)
    other.restored(breaker.openings, breaker.seconds_left, breaker.words)
    assert other.room(20, 0) == 0
    clock.now += 31
    assert other.room(20, 0) == 1
    fails(other, 1)
    assert other.openings == 3


def test_used_up_class_holds_back_jobs_of_that_class_alone(clock):
    mixed, single = Breaker(clock, is_of_one_class=False), Breaker(clock)
    used_up = Throttled(Users.list, "No more today.", status=429, retry_after=3900)
    for each in (mixed, single):
        each.record(used_up)
    assert mixed.concerns_rows(used_up)
    assert mixed.seconds_left == 0
    assert single.seconds_left == 3900
    assert not mixed.concerns_rows(Throttled(Users.list, "Slower.", status=429, retry_after=2))


def test_operation_refused_on_many_objects_is_tried_more_rarely(breaker):
    refusal = Throttled(Users.get, "No more today.", status=429, retry_after=3900)
    refusal.reach = "operation"
    for _ in range(10):
        breaker.record(refusal)
    assert breaker.concerns_rows(refusal)
    assert breaker.is_open
    assert 0 < breaker.seconds_left < 31
    breaker.reopen()
    assert breaker.room(20, 0) == 1
