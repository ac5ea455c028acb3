"""One log line for each request, and the request's id on its answer and on all that it logs."""

from time import monotonic
from typing import Any

import structlog
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django_structlog import signals
from django_structlog.middlewares import RequestMiddleware


def client_address(request: HttpRequest) -> str:
    """Returns the address of a request's sender, as the outermost of our own proxies saw it.

    What stands further left in `X-Forwarded-For` was written by the client and is not believed.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
    trusted: int = settings.TRUSTED_PROXY_COUNT
    return hops[-trusted] if 0 < trusted <= len(hops) else request.META.get("REMOTE_ADDR", "")


def request_id() -> str:
    """The id of the request that is being answered, or of the one that started the task."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


class RequestLog(RequestMiddleware):
    """Logs the path without its query, which may hold what people searched for."""

    def prepare(self, request: HttpRequest) -> None:
        request.META["switchboard.began"] = monotonic()
        super().prepare(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """The session has been read by now: what the view logs names the user."""
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
def add_duration(request: HttpRequest, log_kwargs: dict[str, Any], **_kwargs: Any) -> None:
    began = request.META.get("switchboard.began")
    if began is not None:
        log_kwargs["ms"] = round((monotonic() - began) * 1000)
