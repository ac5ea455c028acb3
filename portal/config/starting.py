"""Checks before a process starts: what it cannot do without ends it, in words and once for all that
it would start; what will hurt later is a warning in the log."""

import logging.config
import os
import sys
import warnings
from collections.abc import Collection, Iterator

import structlog
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import storages
from django.db import DatabaseError, InterfaceError, connection

from portal.config.environment import Misconfigured

_log = structlog.get_logger(__name__)
_GUIDE = "docs/deploy.md"
_ASKED = ("max_connections", "superuser_reserved_connections")
_LIMITS = ("lock_timeout", "idle_in_transaction_session_timeout")


def check(names: Collection[str]) -> None:
    """Ends the program with words if these processes of the Procfile cannot start, and logs what
    their operator should know."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")
    try:
        logging_settings = settings.LOGGING
        if "web" in names:
            check_static_files()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    logging.config.dictConfig(logging_settings)
    for words in [*of_the_settings(), *of_the_database()]:
        _log.warning("start", problem=words)


def check_static_files() -> None:
    """Raises `Misconfigured` if no page could be rendered: once, not at each request."""
    storage = storages["staticfiles"]
    if isinstance(storage, ManifestFilesMixin) and not storage.exists(storage.manifest_name):
        raise Misconfigured(
            f"STATIC_ROOT: the static files are not in {settings.STATIC_ROOT}: collect them there "
            "by `make setup`, or name the folder that they are in"
        )


def of_the_settings() -> Iterator[str]:
    """Yields consequences of these settings that their operator may not want."""
    if settings.DEMO:
        return
    if connection.vendor == "postgresql" and not settings.REDIS_URL:
        yield (
            "REDIS_URL is not set. On one machine that is fine. On several each one counts failed "
            "sign-ins and calls to the service by itself, which lets through as many times more of "
            "them, and CELERY_BROKER_URL has to name a broker that all reach."
        )
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        yield (
            "EMAIL_URL has mails printed: links that set a password go to the log, and reach "
            "nobody. Name a mail server."
        )


def connections_needed() -> int:
    """Returns the connections to the database that the threads of one web server, one worker and
    the scheduler may have at the same time, with these settings."""
    web: int = settings.WEB_WORKERS * settings.WEB_THREADS
    worker: int = settings.WORKER_THREADS
    return web + worker + 1


def of_the_database() -> Iterator[str]:
    """Yields what the database does not give that the processes need; nothing of SQLite."""
    if connection.vendor != "postgresql":
        return
    columns = ", ".join(f"current_setting('{name}')" for name in (*_ASKED, *_LIMITS))
    try:
        with warnings.catch_warnings(), connection.cursor() as cursor:
            warnings.simplefilter("ignore", RuntimeWarning)  # it is no app that asks
            cursor.execute(f"SELECT {columns}")
            allowed, reserved, *limits = cursor.fetchone()
    except (DatabaseError, InterfaceError) as error:
        yield f"The database does not answer: {str(error).strip()}"
        return
    finally:
        connection.close()
    if (needed := connections_needed()) > (free := int(allowed) - int(reserved)):
        yield (
            f"The database gives {free} connections (max_connections), and one web server with one "
            f"worker may need {needed}: WEB_WORKERS times WEB_THREADS, WORKER_THREADS and one. "
            f"Allow more, or lower these: see {_GUIDE}."
        )
    if missing := [name for name, value in zip(_LIMITS, limits, strict=True) if value == "0"]:
        yield (
            f"The database does not take the limits of its connections ({', '.join(missing)}): "
            "a frozen process could hold up all others. A pooler in between has to be in session "
            f"mode, and its role has to have the limits: see {_GUIDE}."
        )
