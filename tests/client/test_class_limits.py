"""Limits by class: read from the dialect, kept, and corrected by the service's answers."""

from pathlib import Path

import pytest

from portal.client import ClassLimiter, LocalMinuteLimit, LocalRateLimit, RateLimiter
from portal.client.dialect import class_limits, read_dialect
from portal.client.limits import Quota
from portal.client.redis_rate_limit import RedisMinuteLimit, RedisRateLimit
from portal.contract.metrics import Metrics
from portal.contract.operation import Weight
from portal.contract.users import Users

CURRENT = Path(__file__).parents[2] / "portal" / "client" / "dialects" / "current.toml"


def test_dialect_names_the_limits_of_its_service():
    limits = read_dialect(CURRENT).limits
    assert (limits.a_second(Weight.MEDIUM), limits.a_minute(Weight.SCARCE)) == (20, 10)
    assert limits.a_day(Weight.LIGHT) is None
    assert limits.together_with(Weight.HEAVY) == (Weight.HEAVY, Weight.SCARCE)
    assert limits.host_a_day == 100


@pytest.mark.parametrize(
    "given", [[], {"light": 3}, {"light": "3/h"}, {"huge": "3/s"}, {"host": "3/s"}, {"a+b": "3/d"}]
)
def test_limits_that_cannot_be_read_are_refused(given):
    with pytest.raises(ValueError, match=r"\S"):
        class_limits(given)


def test_class_is_the_dialects_until_an_answer_names_another(clock):
    limiters = {
        weight: (RateLimiter(LocalRateLimit(20, clock), clock), "second") for weight in Weight
    }
    paced = ClassLimiter(limiters, dict(read_dialect(CURRENT).limits.classes))
    assert (Users.delete.weight, paced.weight_of(Users.delete)) == (Weight.MEDIUM, Weight.LIGHT)
    paced.heard(Users.delete, Quota("Heavy", "Daily-limit", 30_000, 1))
    assert paced.weight_of(Users.delete) is Weight.HEAVY


def limiter(clock):
    def by_second(requests):
        return RateLimiter(LocalRateLimit(requests, clock), clock), "second"

    scarce = RateLimiter(LocalMinuteLimit(10, clock), clock), "minute"
    usual = {weight: by_second(20) for weight in Weight}
    return ClassLimiter({**usual, Weight.SCARCE: scarce})


def test_class_that_waits_holds_back_no_other(clock):
    paced = limiter(clock)
    paced.of(Weight.HEAVY).refused(0, 30)
    assert paced.of(Weight.HEAVY).acquire(0, urgent=True) == pytest.approx(30)
    assert paced.of(Weight.MEDIUM).acquire(0, urgent=True) == 0


def test_described_limit_takes_the_place_of_the_known_one(clock):
    paced = limiter(clock)
    for limit in (60, 5):
        paced.heard(Users.list, Quota("Medium", "Per-second-limit", limit, 3))
        assert paced.of(Weight.MEDIUM).rate == limit
    assert paced.of(Weight.LIGHT).rate == 20


def test_operation_is_in_the_class_the_service_counts_it_in(clock):
    paced = limiter(clock)
    assert paced.weight_of(Users.list) is Weight.MEDIUM
    paced.heard(Users.list, Quota("Heavy", "Daily-limit", 30_000, 1))
    assert paced.weight_of(Users.list) is Weight.HEAVY


def test_minute_takes_its_calls_at_once_and_then_none(clock):
    minute = LocalMinuteLimit(10, clock)
    assert [minute.try_acquire(urgent=True) for _ in range(10)] == [0] * 10
    assert minute.try_acquire(urgent=True) == 60
    clock.now = 60
    assert minute.try_acquire(urgent=True) == 0


def test_background_leaves_some_of_a_minute_to_people(clock):
    minute = LocalMinuteLimit(10, clock)
    while minute.try_acquire(urgent=False) == 0:
        clock.now += 1
    assert clock.now == 8
    assert [minute.try_acquire(urgent=True) for _ in range(2)] == [0, 0]
    assert minute.try_acquire(urgent=True) == 52


def test_what_other_programs_used_of_a_minute_counts(clock):
    paced = limiter(clock)
    assert paced.of(Weight.SCARCE).acquire(0, urgent=True) == 0
    paced.heard(Metrics.meetings, Quota("Resource-intensive", "Per-minute-limit", 10, 1))
    assert paced.of(Weight.SCARCE).acquire(0, urgent=True) == 0
    assert paced.of(Weight.SCARCE).acquire(0, urgent=True) == 60


def test_minute_refused_without_a_time_is_asked_ever_more_rarely(clock):
    minute, asked = LocalMinuteLimit(10, clock), 0
    while clock.now < 600:
        clock.now += minute.try_acquire(urgent=True)
        if minute.try_acquire(urgent=True) == 0:
            asked += 1
            minute.refused(0, None)
    assert asked <= 8


def test_processes_share_the_calls_of_a_minute(redis, key):
    one, other = (RedisMinuteLimit(redis, key, 5) for _ in range(2))
    assert [one.try_acquire(urgent=True) for _ in range(3)] == [0] * 3
    other.described(10, 5)
    assert [other.try_acquire(urgent=False) for _ in range(5)][:4] == [0] * 4
    assert one.rate == 5 / 60
    assert 50 < [one.try_acquire(urgent=True) for _ in range(3)][-1] <= 60
    assert one.rate == 10 / 60
    other.refused(0, None)
    assert other.backs_off
    assert one.closed_for() + one.try_acquire(urgent=True) > 4


def test_processes_share_a_limit_that_was_described(redis, key):
    one, other = (RedisRateLimit(redis, key, 20) for _ in range(2))
    one.described(60, None)
    assert other.try_acquire(urgent=True) == 0
    assert other.rate == 60
