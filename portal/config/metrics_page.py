"""`/metrics` for Prometheus, and the count of what the portal answered.

Prometheus asks by IP address, over plain HTTP, every few seconds, and shows who it is by a token:
so it is answered ahead of everything else, as `/healthz` is. Without `METRICS_TOKEN` there is no
such address.
"""

from collections.abc import Callable
from http import HTTPStatus
from time import monotonic

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.crypto import constant_time_compare

from portal.config import metrics

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
    """Counts requests by the names of their views, and all that were refused by one name.

    So nobody without an account makes names: there would be one of each view and method.
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
    """Returns what a request is counted as: its view and its method."""
    match, method = request.resolver_match, request.method or ""
    if match is None:
        return "none", method if method in _METHODS else "other"
    user = getattr(request, "_cached_user", None)  # asks nobody: who was not looked up is nobody
    is_let_in = user is not None and user.is_authenticated
    is_for_all = not getattr(match.func, "login_required", True)
    is_taken = method in _METHODS and response.status_code != HTTPStatus.METHOD_NOT_ALLOWED
    if is_taken and (is_let_in or (is_for_all and response.status_code < HTTPStatus.BAD_REQUEST)):
        return match.view_name, method
    return "refused", "any"


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
