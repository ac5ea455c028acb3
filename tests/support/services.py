"""Services of the tests: SQLite and files, or PostgreSQL and Redis that the environment names.

    pytest --services      # only the tests whose behaviour can differ on those
    pytest --services --third=2026-12-01    # of most rooms the third whose turn is on that day

A test reaches the database, the cache or a broker through a fixture of `FIXTURES` alone: without
one the database and the cache refuse it, and no program that it starts learns where they are. So
those fixtures say which tests have to run again on other services. Stories in a browser run
once.
"""

import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache.backends.base import BaseCache
from pytest_django import Settings

# Rooms whose rows are raced for, read in the background or restored: they run each time.
_EACH_TIME = {
    *("approvals", "config", "directory", "jobs", "mirror", "operations", "sandbox", "webhooks"),
    "work",
}
FIXTURES = {"db", "transactional_db", "portal_cache", "services"}


@dataclass(frozen=True)
class Services:
    """Addresses of the services; empty if the environment names none and the portal has its own."""

    DATABASE_URL: str
    REDIS_URL: str
    CELERY_BROKER_URL: str

    @property
    def on_postgresql(self) -> bool:
        return self.DATABASE_URL.startswith("postgres")


def can_differ(test: pytest.Item) -> bool:
    """Returns whether this test reaches what may be another service."""
    asked = set(getattr(test, "fixturenames", ()))
    if test.get_closest_marker("django_db"):
        asked.add("db")
    return bool(asked & FIXTURES) and "chromium" not in asked


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--services",
        action="store_true",
        help="run only the tests whose behaviour can differ on other services",
    )
    parser.addoption(
        "--third",
        type=date.fromisoformat,
        metavar="DAY",
        help="with --services: of rooms that only store rows, the third of that day",
    )


@pytest.hookimpl(trylast=True)  # once every test has the marks that it gets
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--services"):
        day, also = config.getoption("--third"), config.getoption("--also").split()
        chosen = {
            test
            for test in items
            if can_differ(test) and (day is None or _is_of(day, test.path, also))
        }
        config.hook.pytest_deselected(items=[test for test in items if test not in chosen])
        items[:] = [test for test in items if test in chosen]


def _is_of(day: date, path: Path, also: Sequence[str]) -> bool:
    """Returns whether a module of tests runs on that day."""
    file = path.relative_to(Path(__file__).parents[2])
    turn = (zlib.crc32(bytes(file)) + day.toordinal()) % 3
    return not turn or file.parts[1] in _EACH_TIME or str(file) in also


@pytest.fixture(scope="session", autouse=True)
def _found() -> Iterator[Services]:
    """Takes the addresses out of the environment, which every started program would inherit."""
    names = [field.name for field in fields(Services)]
    found = {name: os.environ.pop(name, "") for name in names}
    yield Services(**found)
    os.environ.update({name: value for name, value in found.items() if value})


@pytest.fixture(scope="session")
def services(_found: Services) -> Services:
    """For a test that hands them to a program of its own."""
    return _found


@pytest.fixture(autouse=True)
def _fresh_cache(request: pytest.FixtureRequest, settings: Settings) -> None:
    """No test sees what another one cached, rate limits above all."""
    if can_differ(request.node):
        own = settings.CACHES["default"] | {"KEY_PREFIX": uuid4().hex}
    else:
        own = {"BACKEND": f"{__name__}.NoCache"}
    settings.CACHES = {"default": own}


@pytest.fixture
def portal_cache() -> None:
    """For a test that uses the cache and no database."""


class NoCache(BaseCache):
    """Fails the test that uses it."""

    def __init__(self, *_: object) -> None:
        super().__init__({})

    def _refuse(self, *_: Any, **__: Any) -> Any:
        pytest.fail("A test that uses the cache asks for the fixture `portal_cache` or `db`.")

    add = get = set = touch = delete = clear = _refuse
