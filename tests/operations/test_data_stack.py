"""A request has room on CPython's data stack: no call maps memory, however deep it is made."""

import io
import resource
import sys
import threading

import pytest
from django.core.signals import request_started

from portal.config.data_stack import with_room

DEPTHS = range(300)
CALLS = 200
# A thread keeps a spare piece in later releases of 3.13 and 3.14.
NEEDED = sys.version_info < (3, 13)


def _nothing(): ...


def _faults():
    """Returns the number of pages of memory that this thread was given during so many calls."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        _nothing()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def _deep(depth):
    return _deep(depth - 1) if depth else _faults()


def _at_each_depth():
    return [_deep(depth) for depth in DEPTHS]


def _in_a_thread(work):
    """As the web server calls: with nothing below on the stack."""
    values: list[int] = []
    thread = threading.Thread(target=lambda: values.extend(work()))
    thread.start()
    thread.join()
    return values


@pytest.mark.skipif(not NEEDED, reason="this Python may have been repaired")
def test_unlucky_depth_without_room_maps_memory_each_turn():
    assert max(_in_a_thread(_at_each_depth)) >= CALLS


def test_with_room_no_depth_is_unlucky():
    data = _in_a_thread(with_room(_at_each_depth))
    assert len(data) == len(DEPTHS)
    assert max(data) < CALLS / 10


def test_room_changes_nothing_else():
    def render(*values, word=""):
        return (*values, word)

    def failing():
        raise LookupError("as it was")

    assert with_room(render)(1, 2, word="three") == (1, 2, "three")
    with pytest.raises(LookupError, match="as it was"):
        with_room(failing)()


def test_two_wrapped_calls_stay_apart():
    one, two = with_room(lambda: 1), with_room(lambda: 2)
    assert (one(), two()) == (1, 2)


@pytest.fixture
def heard():
    """Yields the cost of each depth in the middle of a request."""
    values: list[int] = []

    def listen(**_kwargs):
        values.extend(_at_each_depth())

    request_started.connect(listen)
    yield values
    request_started.disconnect(listen)


def test_every_request_has_room(heard):
    from portal.config.wsgi import application  # noqa: PLC0415 - it loads the whole portal

    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/healthz",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http",
    }
    said: list[str] = []

    def ask():
        answer = application(asked, lambda status, _headers, *_: said.append(status))
        return [len(part) for part in answer]

    assert sum(_in_a_thread(ask)) > 0
    assert said == ["200 OK"]
    assert len(heard) == len(DEPTHS)
    assert max(heard) < CALLS / 10
