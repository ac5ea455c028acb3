"""The rate limit that processes share, over a real Redis."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import structlog

from portal.client import UNLIMITED, RateLimiter, RedisRateLimit, connect_to_redis
from tests.client.conftest import URL

ROOT = Path(__file__).resolve().parents[2]


def limits(redis, key, ceiling, count=2):
    """As those of processes that know nothing of each other."""
    return [RedisRateLimit(redis, key, ceiling) for _ in range(count)]


def test_what_one_has_sent_the_other_waits_for(redis, key):
    one, other = limits(redis, key, 0.5)
    assert one.try_acquire(urgent=False) == 0
    assert 1.5 < other.try_acquire(urgent=False) <= 2


def test_a_refusal_sent_to_one_holds_back_all(redis, key):
    one, other = limits(redis, key, 1000)
    assert one.try_acquire(urgent=False) == 0
    one.refused(0, 30)
    assert 29 < other.try_acquire(urgent=True) <= 30


def test_refusals_without_a_time_are_counted_by_all(redis, key):
    limits_of_four = limits(redis, key, UNLIMITED, 4)
    for limit in limits_of_four:
        redis.hset(key, mapping={"next": "0", "opens": "0", "cut": "0"})
        assert limit.try_acquire(urgent=False) == 0
        limit.refused(0, None)
    one, *_, last = limits_of_four
    assert 3 < last.closed_for() <= 4
    assert 3 < one.try_acquire(urgent=True) <= 4
    assert one.backs_off
    redis.hset(key, "cut", "0")
    one.accepted(0)
    assert not one.backs_off
    assert redis.hget(key, "unnamed") == b"0.000000"


def test_the_rate_that_one_has_learned_is_kept_by_all(redis, key):
    one, other = limits(redis, key, 2)
    one.try_acquire(urgent=False)
    one.refused(0, None)
    redis.hset(key, "next", "0")
    assert other.try_acquire(urgent=False) == 0
    assert other.try_acquire(urgent=False) > 0.8  # and not 0.5


def test_person_in_one_process_goes_before_job_in_another(redis, key):
    web, worker = limits(redis, key, 2)
    assert worker.try_acquire(urgent=False) == 0
    while web.try_acquire(urgent=True) == 0:
        pass
    redis.hset(key, "next", "0")
    assert worker.try_acquire(urgent=False) > 0
    assert web.try_acquire(urgent=True) == 0


def test_connections_do_not_wait_for_each_other(redis, key):
    (one,), (other,) = limits(redis, key, 0.5, 1), limits(redis, f"{key}:other", 0.5, 1)
    try:
        assert one.try_acquire(urgent=False) == other.try_acquire(urgent=False) == 0
    finally:
        redis.delete(f"{key}:other")


def test_unused_connection_has_its_limits_forgotten(redis, key):
    (one,) = limits(redis, key, 10, 1)
    one.try_acquire(urgent=False)
    assert 0 < int(str(redis.ttl(key))) <= 3601


PROCESS = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from portal.client import RateLimiter, RedisRateLimit, connect_to_redis
url, key = sys.argv[1:]
limiter = RateLimiter(RedisRateLimit(connect_to_redis(url), key, 40))
print("ready", flush=True)
sys.stdin.readline()
def call(_):
    assert limiter.acquire(60, urgent=False) == 0
    return time.time()
with ThreadPoolExecutor(10) as pool:
    print(*pool.map(call, range(40)))
"""


def test_two_processes_together_keep_one_limit(redis, key):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, URL, key],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [process.communicate(timeout=120)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    times = sorted(float(time) for answer in answers for time in answer.split())
    assert len(times) == 80
    # 40 a second, and what a late call may make up for.
    assert times[-1] - times[0] >= 79 / 40 - 0.2


@pytest.fixture
def away():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return connect_to_redis(f"redis://127.0.0.1:{unused.getsockname()[1]}/0")


def test_without_redis_each_process_keeps_rate_and_says_so_once(away, clock):
    limit = RedisRateLimit(away, "any", 10, clock)
    rate_limiter = RateLimiter(limit, clock, lambda _turn, seconds: clock.sleep(seconds))
    with structlog.testing.capture_logs() as logs:
        for _ in range(201):
            assert rate_limiter.acquire(60, urgent=True) == 0
        rate_limiter.refused(0, 7)
        assert rate_limiter.acquire(60, urgent=True) == 0
    assert clock.now >= 19.8 + 7
    assert [line["event"] for line in logs] == ["pace_not_shared"]


def test_a_redis_that_hangs_is_given_up_soon_and_left_alone(clock):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        limit = RedisRateLimit(
            connect_to_redis(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"), "any", 1000, clock
        )
        for _ in range(100):
            assert limit.try_acquire(urgent=True) == 0
            clock.now += 0.01
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_when_redis_is_back_the_rate_limit_is_shared_again(redis, key, clock, monkeypatch):
    limit = RedisRateLimit(redis, key, 1000, clock)
    redis.connection_pool.disconnect()
    with structlog.testing.capture_logs() as logs:
        with monkeypatch.context() as patch:
            patch.setitem(redis.connection_pool.connection_kwargs, "port", 1)
            redis.connection_pool.reset()
            assert limit.try_acquire(urgent=True) == 0
        redis.connection_pool.reset()
        clock.now += 6
        assert limit.try_acquire(urgent=True) == 0
    assert [line["event"] for line in logs] == ["pace_not_shared", "pace_shared_again"]
    assert redis.exists(key)
