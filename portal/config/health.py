"""Liveness of the portal, and readiness of the services that it needs.

A load balancer asks by IP address, over plain HTTP, every few seconds. So both addresses are
answered ahead of everything else: before the redirect to HTTPS, the check of the host's name, the
session and the request log.
"""

from collections.abc import Callable
from secrets import token_hex
from tempfile import NamedTemporaryFile
from typing import Any

import structlog
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from portal.config import network
from portal.config.celery import app

ALIVE = "/healthz"
READY = "/readyz"

log = structlog.get_logger(__name__)


class HealthMiddleware:
    """Answers `/healthz` without touching anything, and `/readyz` by asking each part."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path not in {ALIVE, READY}:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = _alive() if request.path == ALIVE else _ready()
        response["Cache-Control"] = "no-store"
        return response


def _alive() -> HttpResponse:
    return JsonResponse({"status": "alive"})


def _ready() -> HttpResponse:
    parts = {name: _state(name, check) for name, check in _PARTS.items()}
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse(
        {"status": "ready" if ready else "unavailable", **parts}, status=200 if ready else 503
    )


def _state(name: str, check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:  # whatever a driver raises, the part does not answer
        log.warning("not_ready", part=name, error=f"{type(error).__name__}: {error}")
        return "failed"
    return "ok"


def _database() -> None:
    """Answers, and has been migrated."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM django_migrations")


def _broker() -> None:
    """Takes something from us: one that is full, or may only be read, accepts connections too."""
    with app.connection_for_write() as broker:
        kind = broker.transport.driver_type
        if kind == "filesystem":
            with NamedTemporaryFile(
                dir=broker.transport_options["data_folder_out"], prefix=".health-"
            ) as file:
                file.write(b"taken")
                file.flush()
            return
        broker.ensure_connection(
            max_retries=1, interval_start=0, interval_step=0, timeout=network.TIMEOUT
        )
        if kind == "redis":
            broker.default_channel.client.set(f"health-{token_hex(8)}", "taken", ex=10)
        else:
            _takes_message(broker.default_channel)


def _takes_message(channel: Any) -> None:
    """Has RabbitMQ confirm a message to a queue that ends with the connection."""
    queue = channel.queue_declare(exclusive=True, auto_delete=True).queue
    message = channel.prepare_message(b"taken")
    channel.basic_publish_confirm(message, "", queue, confirm_timeout=network.TIMEOUT)


def _cache() -> None:
    value = token_hex(8)
    cache.set(f"health-{value}", value, timeout=10)
    if cache.get(f"health-{value}") != value:
        raise RuntimeError("the cache forgets")
    cache.delete(f"health-{value}")


_PARTS: dict[str, Callable[[], None]] = {
    "database": _database,
    "broker": _broker,
    "cache": _cache,
}
