"""The cache in files: what the throttling of sign-ins and codes that work once rely on."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.utils import timezone

from portal.config import json_cache
from portal.config.json_cache import FileCache

Make = Callable[..., FileCache]


@pytest.fixture
def make(tmp_path, monkeypatch):
    """A cache in a directory of its own, that looks at every entry with each that it gets."""
    monkeypatch.setattr(json_cache, "_CULL_EVERY", 0.0)
    return lambda most=1000: FileCache(str(tmp_path), {"OPTIONS": {"MAX_ENTRIES": most}})


def test_nothing_is_forgotten_before_its_time(make):
    cache = make()
    for number in range(400):
        cache.set(f"entry-{number}", number, 60)
    assert all(cache.get(f"entry-{number}") == number for number in range(400))


def test_what_has_expired_leaves_no_file(make, tmp_path):
    cache = make()
    for number in range(5):
        cache.set(f"entry-{number}", number, 60)
    cache.set("for-ever", 1, None)
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False):
        cache.set("new", 1, 60)
        assert cache.get_many(["for-ever", "new"]) == {"for-ever": 1, "new": 1}
    assert len(list(tmp_path.iterdir())) == 2


def test_of_far_too_much_goes_what_would_expire_next(make):
    cache = make(most=3)
    for number in range(10):
        cache.set(f"entry-{number}", number, 100 + number)
    assert [cache.get(f"entry-{number}") for number in (5, 6, 7, 8, 9)] == [None, 6, 7, 8, 9]


def test_one_of_many_that_add_the_same_at_once_succeeds(make):
    cache = make()
    together = Barrier(8)

    def add(key):
        together.wait(10)
        return cache.add(key, 1, 60)

    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            assert sum(pool.map(add, [f"entry-{number}"] * 8)) == 1


def test_what_has_expired_can_be_added_again(make):
    cache = make()
    assert cache.add("entry", 1, 60)
    assert not cache.add("entry", 2, 60)
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False):
        assert cache.add("entry", 3, 60)
        assert cache.get("entry") == 3


def test_many_that_count_at_once_are_all_counted(make):
    cache = make()
    cache.set("count", 0, 60)
    together = Barrier(8)

    def count(_):
        together.wait(10)
        for _time in range(10):
            cache.incr("count")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(8)))
    assert cache.get("count") == 80
