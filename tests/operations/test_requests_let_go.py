"""Memory of a request is free once its answer is sent: nothing waits for the garbage collector."""

import gc
import weakref
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from portal.config.middleware import HealthMiddleware

pytestmark = pytest.mark.django_db  # a request looks after connections that others left open


class Holder:
    """Leads back to its request, as the signed-in user does, or `request.api`."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request


@pytest.fixture
def uncollected():
    """Nothing is freed but what has no reference any more."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_request_is_let_go_of_with_its_answer(monkeypatch, uncollected):
    from portal.config.wsgi import application  # noqa: PLC0415 - it loads the whole portal

    held: list[weakref.ref[Holder]] = []

    def serve(_middleware, request):
        request.holder = Holder(request)
        held.append(weakref.ref(request.holder))
        return HttpResponse("served")

    monkeypatch.setattr(HealthMiddleware, "__call__", serve)
    for _ in range(3):
        answer: Any = application(RequestFactory().get("/").environ, lambda *_: None)
        assert b"".join(answer) == b"served"
        assert held[-1]() is not None
        answer.close()
    assert [one() for one in held] == [None] * 3
