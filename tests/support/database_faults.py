"""Trouble with the portal's own database and cache, as the real ones make it."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import OperationalError, connection
from pytest_django import Settings

from portal.audit.models import AuditEntry

_ENTRIES = re.compile(rf'INSERT INTO "{AuditEntry._meta.db_table}" \(([^)]+)\)')


class Lock:
    """Another program that locks a part of the database; may be used in any thread.

    On PostgreSQL it is the table that is named, on SQLite all of them are taken at once.
    """

    def __init__(self, table: str) -> None:
        data = connection.settings_dict
        self._is_sqlite = connection.vendor == "sqlite"
        self._table = table
        if self._is_sqlite:
            self._theirs: Any = sqlite3.connect(
                data["NAME"], isolation_level=None, check_same_thread=False
            )
        else:
            self._theirs = psycopg.connect(
                dbname=data["NAME"],
                user=data["USER"],
                password=data["PASSWORD"],
                host=data["HOST"],
                port=data["PORT"],
            )

    def take(self) -> None:
        if self._is_sqlite:
            self._theirs.execute("BEGIN IMMEDIATE")
        else:
            self._theirs.execute(f"LOCK TABLE {self._table} IN ACCESS EXCLUSIVE MODE")

    def give_back(self) -> None:
        self._theirs.rollback()

    def close(self) -> None:
        self._theirs.close()


@contextmanager
def impatient_database(table: str) -> Iterator[Lock]:
    """A lock that is not taken yet; what waits for it in this thread gives up at once."""
    is_sqlite = connection.vendor == "sqlite"
    lock = Lock(table)
    with connection.cursor() as own:
        own.execute("PRAGMA busy_timeout=1" if is_sqlite else "SET lock_timeout='20ms'")
    try:
        yield lock
    finally:
        lock.give_back()
        lock.close()
        with connection.cursor() as own:
            own.execute("PRAGMA busy_timeout=20000" if is_sqlite else "RESET lock_timeout")


@contextmanager
def failing_writes(words: str) -> Iterator[None]:
    """Nothing can be written, for the reason that the driver gives in these words."""

    def refuse(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE")):
            raise OperationalError(words)
        return execute(sql, *arguments)

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def unwritable_entries(
    which: Callable[[Mapping[str, Any]], object] = lambda _row: True,
) -> Iterator[None]:
    """The entries of the audit trail whose columns `which` picks are not written, whatever writes
    them, for the disk is full."""

    def refuse(execute: Any, sql: str, values: Any, many: Any, context: Any) -> Any:
        if match := _ENTRIES.match(sql):
            columns = re.findall(r'"(\w+)"', match[1])
            rows = [dict(zip(columns, row, strict=True)) for row in (values if many else [values])]
            if any(map(which, rows)):
                raise OperationalError("database or disk is full")
        return execute(sql, values, many, context)

    with connection.execute_wrapper(refuse):
        yield


def without_cache(settings: Settings, kind: str) -> None:
    """The cache as it is when Redis is away, or when its folder cannot be written to."""
    if kind == "redis":
        found = {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    else:
        found = {
            "BACKEND": "portal.config.json_cache.FileCache",
            "LOCATION": __file__,
        }
    settings.CACHES = {"default": found}


@contextmanager
def database_that_takes_nothing() -> Iterator[None]:
    """A database that this thread may only read, as where its disk is full."""
    is_sqlite = connection.vendor == "sqlite"
    turn = (
        "PRAGMA query_only = {}" if is_sqlite else "SET default_transaction_read_only = {}"
    ).format
    with connection.cursor() as own:
        own.execute(turn("on"))
    try:
        yield
    finally:
        with connection.cursor() as own:
            own.execute(turn("off"))
