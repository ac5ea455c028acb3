"""What an operator is told at the start, before it hurts."""

import pytest
from django.db import connection

from portal.config import starting
from portal.config.postgresql import surplus


@pytest.fixture
def in_production(settings):
    settings.DEMO, settings.REDIS_URL = False, "redis://cache"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"


class Cursor:
    """A cursor of PostgreSQL that answers with these settings."""

    def __init__(self, answer):
        self._answer = answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def execute(self, sql):
        assert sql.startswith("SELECT current_setting('max_connections')")

    def fetchone(self):
        return self._answer


@pytest.fixture
def postgresql(monkeypatch, in_production):
    """Returns a function that has the database be a PostgreSQL with these settings."""

    class Server:
        vendor = "postgresql"

        def close(self):
            pass

    def of(*values):
        Server.cursor = lambda _self: Cursor(values)
        monkeypatch.setattr(starting, "connection", Server())

    return of


def test_several_machines_without_redis_are_warned_of(postgresql, settings):
    postgresql("500", "3", "20s", "15s")
    assert [*starting.of_the_settings()] == []
    settings.REDIS_URL = ""
    [words] = starting.of_the_settings()
    assert words.startswith("REDIS_URL is not set.")


def test_mails_that_are_only_printed_are_warned_of(in_production, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    [words] = starting.of_the_settings()
    assert words.startswith("EMAIL_URL has mails printed")
    settings.DEMO = True
    assert [*starting.of_the_settings()] == []


def test_threads_beyond_max_connections_are_warned_of(postgresql, settings):
    settings.WEB_WORKERS, settings.WEB_THREADS, settings.WORKER_THREADS = 4, 32, 16
    postgresql("148", "3", "20s", "15s")
    assert [*starting.of_the_database()] == []
    postgresql("100", "3", "20s", "15s")
    [words] = starting.of_the_database()
    assert "gives 97 connections" in words
    assert "may need 145" in words


def test_pooler_that_drops_the_limits_is_warned_of(postgresql):
    postgresql("500", "3", "0", "0")
    [words] = starting.of_the_database()
    assert "lock_timeout, idle_in_transaction_session_timeout" in words
    assert "session mode" in words


@pytest.mark.django_db(transaction=True)
def test_database_of_the_tests_is_asked_as_at_a_start(in_production):
    assert [words for words in starting.of_the_database() if "max_connections" not in words] == []


@pytest.mark.django_db(transaction=True)
def test_thread_that_ends_work_closes_a_connection_too_many(monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connections to run out of")
    connection.ensure_connection()
    surplus.close_surplus()
    assert connection.connection is not None
    monkeypatch.setattr(surplus, "KEPT", 0)
    surplus.close_surplus()
    assert connection.connection is None
