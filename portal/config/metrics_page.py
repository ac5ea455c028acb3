"""`/metrics` for Prometheus, and the count of what the portal answered.

Prometheus asks by IP address, over plain HTTP, every few seconds, and shows who it is by a token:
so it is answered ahead of everything else, as `/healthz` is. Without `METRICS_TOKEN` there is no
such address.
"""

from collections.abc import Callable
from time import monotonic

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.crypto import constant_time_compare

from portal.config import metrics

PATH = "/metrics"
_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

REQUESTS = metrics.Counter(
    "switchboard_requests_total", "Requests that were answered", ("view", "method", "status")
)
REQUEST_SECONDS = metrics.Histogram(
    "switchboard_request_seconds", "Time until a request was answered", ("view", "method")
)

GetResponse = Callable[[HttpRequest], HttpResponse]
log = structlog.get_logger(__name__)


class MetricsMiddleware:
    """Answers `/metrics` to whoever has the token."""

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
    """Counts requests by the names of their views."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = monotonic()
        response = self.get_response(request)
        match = request.resolver_match
        view = match.view_name if match else "none"
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.add(view, method, response.status_code)
        REQUEST_SECONDS.observe(monotonic() - began, view, method)
        return response


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if not _has_token(request):
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    try:
        return HttpResponse(metrics.exposition(), content_type=_TEXT)
    except OSError:
        log.exception("metrics cannot be read")
        return HttpResponse("The files of the counts cannot be read.\n", _TEXT, status=503)


def _has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    is_token = constant_time_compare(token.strip().encode(), settings.METRICS_TOKEN.encode())
    return is_token and scheme.lower() == "bearer"
