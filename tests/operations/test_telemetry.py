"""Spans tell what takes time, and nothing of whom it is about."""

import sys
import threading

import pytest
from django.urls import reverse
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from portal.config import telemetry


@pytest.fixture
def spans(monkeypatch):
    exporter = InMemorySpanExporter()
    tracer = telemetry._tracer_of(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_tracer", lambda: tracer)
    return exporter


@pytest.fixture
def fresh():
    telemetry._tracer.cache_clear()
    yield
    telemetry._tracer.cache_clear()


def test_error_is_named_by_its_class_alone(spans):
    with pytest.raises(ValueError, match="ada@"), telemetry.span("job people.import"):
        raise ValueError("ada@example.com")
    [ended] = spans.get_finished_spans()
    assert dict(ended.attributes) == {"error.type": "ValueError"}
    assert "ada@" not in ended.to_json()


def test_thread_goes_on_within_the_span_of_its_job(spans):
    with telemetry.span("job people.import"):
        thread = threading.Thread(target=telemetry.within(lambda: telemetry.ended("call", 0.1)))
        thread.start()
        thread.join()
    call, job = spans.get_finished_spans()
    assert call.parent.span_id == job.context.span_id


@pytest.mark.usefixtures("fresh")
def test_without_the_extra_it_is_said_once(settings, monkeypatch):
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:9"
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    with capture_logs() as logged:
        for _ in range(3):
            with telemetry.span("request"):
                pass
    assert len(logged) == 1
    assert "'telemetry' is not installed" in logged[0]["event"]


@pytest.mark.usefixtures("fresh")
def test_without_an_address_there_are_no_spans(settings):
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = ""
    assert telemetry._tracer() is None


@pytest.mark.django_db
def test_request_and_its_calls_are_spans_that_name_no_person(
    spans, sandbox, connection, make_person, client
):
    person = make_person(first_name="Zenobia")
    address = reverse("people:person", args=[connection.key, person.id])
    spans.clear()
    assert client.get(f"{address}?q=secret").status_code == 200
    ended = spans.get_finished_spans()
    [request] = [each for each in ended if each.name == "request people:person"]
    call = next(each for each in ended if each.name == "call users.get")
    assert call.parent.span_id == request.context.span_id
    assert dict(request.attributes) == {
        "http.request.method": "GET",
        "http.response.status_code": 200,
    }
    assert call.attributes["outcome"] == "ok"
    whole = "".join(each.to_json() for each in ended)
    private = ("Zenobia", "secret", person.id, person.email, connection.key, sandbox.token)
    assert [each for each in private if each in whole] == []
