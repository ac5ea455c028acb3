"""Promise 43: what the cache holds is JSON, and what an attacker puts there is never run."""

import os
import pickle
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache as portal_wide
from django.core.cache.backends.redis import RedisCache

from portal.config.json_cache import FileCache, Serializer
from tests.support.fork_server import run_forked
from tests.support.programs import production

KEPT: list[Any] = [
    0,
    -7,
    True,
    False,
    None,
    0.5,
    "",
    "5",
    "Zoë \U0001f600 \ud800",
    [1, [2, {}]],
    {"a": {"b": []}},
    [1767225600.25, 1767225601.5],
]
REFUSED = [(1, 2), {1: "one"}, {("a", "b"): 1}, {1, 2}, b"bytes", datetime.now(UTC), float("nan")]


class Trap:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.fixture(params=["files", "redis"])
def cache(request, tmp_path, services):
    """Both of the caches that the settings choose from, with keys of the test's own."""
    if request.param == "files":
        yield FileCache(str(tmp_path / "cache"), {})
        return
    if not services.REDIS_URL:
        pytest.skip("the environment names no Redis")
    options = {"serializer": "portal.config.json_cache.Serializer"}
    prefix = f"test-cache-{tmp_path.name}-{os.getpid()}"
    kept = RedisCache(services.REDIS_URL, {"KEY_PREFIX": prefix, "OPTIONS": options})
    yield kept
    kept.delete_many([*map(str, range(len(KEPT))), "it"])


def test_what_json_has_comes_back_as_it_was(cache):
    cache.set_many({str(number): value for number, value in enumerate(KEPT)}, 60)
    known = cache.get_many(map(str, range(len(KEPT))))
    assert [known[str(number)] for number in range(len(KEPT))] == KEPT
    assert [type(each) for each in known.values()] == [type(each) for each in KEPT]


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: type(value).__name__)
def test_what_would_come_back_otherwise_is_refused(cache, value):
    with pytest.raises((TypeError, ValueError)):
        cache.set("it", value, 60)
    assert cache.get("it", "nothing") == "nothing"


def test_it_adds_touches_counts_and_forgets(cache):
    assert cache.add("it", 1, 60)
    assert not cache.add("it", 2, 60)
    assert cache.incr("it") == 2
    assert cache.touch("it", 60)
    assert cache.get("it") == 2
    cache.set("it", "gone", 0)
    assert cache.get("it", "nothing") == "nothing"
    assert not cache.touch("it", 60)
    assert cache.add("it", 3, None)
    assert cache.get("it") == 3


def test_a_pickle_in_a_file_is_not_run_and_makes_room(tmp_path):
    cache = FileCache(str(tmp_path / "cache"), {})
    trap = pickle.dumps(Trap(tmp_path / "sprung"))
    for content in (
        pickle.dumps(None) + zlib.compress(trap),
        b"null\n" + zlib.compress(trap),
        b"null\n" + trap,
        b"[]\nx",
        b"",
    ):
        cache.set("it", "kept", 60)
        [file] = (tmp_path / "cache").iterdir()
        file.write_bytes(content)
        assert cache.get("it", "nothing") == "nothing"
        assert cache.add("it", "again", 60)
        assert cache.get("it") == "again"
    assert not (tmp_path / "sprung").exists()


def test_a_pickle_in_redis_is_not_run(tmp_path):
    with pytest.raises(ValueError):  # noqa: PT011 - whichever of its kinds JSON raises
        Serializer().loads(pickle.dumps(Trap(tmp_path / "sprung")))
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("redis", ["", "redis://127.0.0.1:6379/0"], ids=["files", "redis"])
def test_the_portal_is_set_up_so(tmp_path, redis):
    environment = {"DJANGO_SETTINGS_MODULE": "portal.config.settings", **production(tmp_path)}
    show = """
from django.core.cache import cache
print(type(getattr(cache, "_cache", cache)).__name__,
      type(getattr(getattr(cache, "_cache", cache), "_serializer")).__module__)
"""
    data = run_forked("-c", show, environment=environment | ({"REDIS_URL": redis} if redis else {}))
    assert data.returncode == 0, data.stderr
    assert data.stdout.split()[-1] == "portal.config.json_cache"


def test_the_tests_have_the_same_cache(portal_cache):
    backend = settings.CACHES["default"]
    if settings.REDIS_URL:
        assert backend["OPTIONS"]["serializer"] == "portal.config.json_cache.Serializer"
    else:
        assert backend["BACKEND"] == "portal.config.json_cache.FileCache"


def test_key_holds_neither_ids_nor_spaces(portal_cache):
    key = portal_wide.make_key("class-closed:https://api.example/v2 Account Kx3b:light")
    assert " " not in key
    assert "class-closed" in key
    for part in ("api.example", "Kx3b", "light"):
        assert part not in key
    assert key != portal_wide.make_key("class-closed:https://api.example/v2 Account Kx3b:heavy")
