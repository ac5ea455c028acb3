"""Middlewares that answer probes and scrapes, and count and log requests."""

import os
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from secrets import token_hex
from tempfile import NamedTemporaryFile
from time import monotonic

import structlog
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.crypto import constant_time_compare
from django_structlog import signals
from django_structlog.middlewares import RequestMiddleware

from portal.config import metrics, network
from portal.config.celery import app

ALIVE = "/healthz"
READY = "/readyz"
log = structlog.get_logger(__name__)
PATH = "/metrics"
_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_METHODS = {"GET", "HEAD", "POST"}  # of pages and forms
REQUESTS = metrics.Counter(
    "switchboard_requests_total", "Requests that were answered", ("view", "method", "status")
)
REQUEST_SECONDS = metrics.Histogram(
    "switchboard_request_seconds", "Time until a request was answered", ("view", "method")
)
GetResponse = Callable[[HttpRequest], HttpResponse]


class HealthMiddleware:
    """Middleware that answers `/healthz` at once, and `/readyz` by checking each service."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path not in {ALIVE, READY}:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = JsonResponse({"status": "alive"}) if request.path == ALIVE else _ready()
        response["Cache-Control"] = "no-store"
        return response


def _ready() -> JsonResponse:
    states = {name: _state(name, check) for name, check in _CHECKS.items()}
    ready = all(state == "ok" for state in states.values())
    return JsonResponse(
        {"status": "ready" if ready else "unavailable", **states}, status=200 if ready else 503
    )


def _state(name: str, check: Callable[[], None]) -> str:
    try:
        check()
    except ReadOnly:
        log.warning("not_ready", part=name, error="It is read-only.")
        return "read-only"
    except Exception as error:  # whatever a driver raises, the part does not answer
        log.warning("not_ready", part=name, error=f"{type(error).__name__}: {error}")
        return "failed"
    return "ok"


class ReadOnly(Exception):
    """Raised for a part that answers, and takes nothing."""


def _database() -> None:
    """Checks that the database answers, was migrated, and takes changes. Nothing is written: on
    SQLite that would wait for other writers."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT current_setting('transaction_read_only') FROM django_migrations LIMIT 1"
            )
            is_read_only = cursor.fetchone() == ("on",)
        else:
            cursor.execute("SELECT query_only FROM django_migrations, pragma_query_only LIMIT 1")
            file = Path(connection.settings_dict["NAME"])
            parts = (file, file.parent) if file.is_absolute() else ()
            is_read_only = cursor.fetchone() == (1,) or not all(
                os.access(part, os.W_OK) for part in parts
            )
    if is_read_only:
        raise ReadOnly


def _broker() -> None:
    """Sends something to the broker, since a full or read-only one accepts connections too."""
    with app.connection_for_write() as broker:
        kind = broker.transport.driver_type
        if kind == "filesystem":
            with NamedTemporaryFile(
                dir=broker.transport_options["data_folder_out"], prefix=".health-"
            ) as file:
                file.write(b"accepted")
                file.flush()
            return
        broker.ensure_connection(
            max_retries=1, interval_start=0, interval_step=0, timeout=network.TIMEOUT
        )
        if kind == "redis":
            broker.default_channel.client.set(f"health-{token_hex(8)}", "accepted", ex=10)
        else:
            # RabbitMQ confirms a message to a queue that ends with the connection.
            channel = broker.default_channel
            queue = channel.queue_declare(exclusive=True, auto_delete=True).queue
            message = channel.prepare_message(b"accepted")
            channel.basic_publish_confirm(message, "", queue, confirm_timeout=network.TIMEOUT)


def _cache() -> None:
    value = token_hex(8)
    cache.set(f"health-{value}", value, timeout=10)
    if cache.get(f"health-{value}") != value:
        raise RuntimeError("the cache forgets")
    cache.delete(f"health-{value}")


_CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "broker": _broker,
    "cache": _cache,
}


class MetricsMiddleware:
    """Middleware that answers `/metrics` to requests with the token."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != PATH:
            return self.get_response(request)
        response = _answer(request)
        response["Cache-Control"] = "no-store"
        return response


class RequestMetrics:
    """Middleware that counts requests by the names of their views.

    All refused requests have one name: users without an account cannot add names.
    """

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = monotonic()
        response = self.get_response(request)
        view, method = _name(request, response)
        REQUESTS.add(view, method, response.status_code)
        REQUEST_SECONDS.observe(monotonic() - began, view, method)
        return response


def _name(request: HttpRequest, response: HttpResponse) -> tuple[str, str]:
    """Returns the view and the method that a request is counted by."""
    match, method = request.resolver_match, request.method or ""
    if match is None:
        return "none", method if method in _METHODS else "other"
    user = getattr(request, "_cached_user", None)  # no query: a view that needs it has read it
    is_let_in = user is not None and user.is_authenticated
    is_for_all = not getattr(match.func, "login_required", True)
    is_allowed = method in _METHODS and response.status_code != HTTPStatus.METHOD_NOT_ALLOWED
    if is_allowed and (is_let_in or (is_for_all and response.status_code < HTTPStatus.BAD_REQUEST)):
        return match.view_name, method
    return "refused", "any"


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    is_token = constant_time_compare(token.strip().encode(), settings.METRICS_TOKEN.encode())
    if not is_token or scheme.lower() != "bearer":
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    try:
        return HttpResponse(metrics.exposition(), content_type=_TEXT)
    except OSError:
        log.exception("metrics cannot be read")
        return HttpResponse("The files of the counts cannot be read.\n", _TEXT, status=503)


def client_address(request: HttpRequest) -> str:
    """Returns the address of a request's sender, as the outermost of the portal's proxies saw it.

    Addresses further left in `X-Forwarded-For` were written by the client and are ignored.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
    trusted: int = settings.TRUSTED_PROXY_COUNT
    return hops[-trusted] if 0 < trusted <= len(hops) else request.META.get("REMOTE_ADDR", "")


def request_id() -> str:
    """Returns the id of the present request, or of the one that started the task."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


class RequestLog(RequestMiddleware):
    """Middleware that logs requests, by paths without the query, which may contain searches."""

    def prepare(self, request: HttpRequest) -> None:
        request.META["switchboard.began"] = monotonic()
        super().prepare(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Adds the user to the logs of the view; the session has been read by now."""
        self.bind_user_id(request)

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        response["X-Request-ID"] = request_id()
        super().handle_response(request, response)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        structlog.contextvars.bind_contextvars(ip=client_address(request))


@receiver(
    [signals.bind_extra_request_finished_metadata, signals.bind_extra_request_failed_metadata]
)
def add_duration(request: HttpRequest, log_kwargs: dict[str, object], **_kwargs: object) -> None:
    began = request.META.get("switchboard.began")
    if began is not None:
        log_kwargs["ms"] = round((monotonic() - began) * 1000)
