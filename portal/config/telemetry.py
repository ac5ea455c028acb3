"""Spans for OpenTelemetry: of requests, jobs and calls to the service.

Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and the extra `telemetry` is installed. Attributes
are names of the program's own alone: of views, kinds, operations and outcomes. They name no person,
no connection and no id, and no text of an exception is sent.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from portal.config.metrics import version

_log = structlog.get_logger(__name__)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}


@cache
def _tracer() -> Any:
    """Returns what makes spans, in each process at its first one; None where there are none."""
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        _log.warning("no spans are sent: the extra 'telemetry' is not installed")
        return None
    return _tracer_of(BatchSpanProcessor(OTLPSpanExporter()))


def _tracer_of(processor: Any) -> Any:
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    own = {"service.name": "switchboard", "service.version": version()}
    provider = TracerProvider(resource=Resource.create(own))
    provider.add_span_processor(processor)
    return provider.get_tracer("switchboard")


@contextmanager
def span(name: str, **attributes: str) -> Iterator[Any]:
    """Context of work that is a span, which bears the name of an exception's class alone."""
    tracer = _tracer()
    if tracer is None:
        yield None
        return
    with tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except BaseException as error:
            current.set_attribute("error.type", type(error).__name__)
            raise


def within(work: Callable[[], None]) -> Callable[[], None]:
    """Returns the function for another thread, whose spans belong to the one of here and now."""
    if _tracer() is None:
        return work
    from opentelemetry import context, trace  # noqa: PLC0415

    here = trace.get_current_span()

    def inside() -> None:
        context.attach(trace.set_span_in_context(here))
        work()

    return inside


def ended(name: str, seconds: float, **attributes: str | int) -> None:
    """Makes a span of work that has just ended."""
    if (tracer := _tracer()) is not None:
        now = time.time_ns()
        began = tracer.start_span(
            name, attributes=attributes, start_time=now - int(seconds * 1_000_000_000)
        )
        began.end(end_time=now)


class RequestSpans:
    """Middleware that makes a span of each request, by the name of its view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if _tracer() is None:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with span("request") as current:
            response = self.get_response(request)
            match = request.resolver_match
            current.update_name(f"request {match.view_name if match else 'none'}")
            if request.method in _METHODS:
                current.set_attribute("http.request.method", request.method)
            current.set_attribute("http.response.status_code", response.status_code)
            return response
