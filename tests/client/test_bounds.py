"""No answer takes more time or memory than a call allows (promise 36)."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from portal.client import OutcomeUnknown, TimedOut, Unexpected
from portal.contract.users import Picture
from tests.support.fault_server import Behaviour, answer, drip, raw

TIMEOUT = 0.4
ENDLESS: dict[str, Callable[[], Behaviour]] = {
    "its status line": lambda: drip(b"HTTP/1.1 200 " + b"O" * 999, every=0.05),
    "its headers": lambda: drip(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 999, every=0.05),
    "its content": lambda: drip(
        b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + b" " * 999, every=0.05
    ),
    "hints": lambda: drip(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 999, every=0.02),
}


@pytest.mark.parametrize("dripping", ENDLESS.values(), ids=ENDLESS)
def test_a_service_that_drips_is_left_when_the_time_is_up(make_api, fault_server, dripping):
    fault_server.always(dripping())
    started = time.monotonic()
    with pytest.raises(TimedOut):
        make_api(timeout=TIMEOUT).users.get("u1")
    assert TIMEOUT <= time.monotonic() - started < TIMEOUT + 5


def test_a_service_that_does_not_take_what_is_sent_is_left_too(make_api, fault_server):
    def never_reads(exchange):
        exchange.stopping.wait(30)

    fault_server.always(never_reads)
    started = time.monotonic()
    with pytest.raises(OutcomeUnknown):
        make_api(timeout=TIMEOUT).users.upload_picture("u1", Picture(pic_file=bytes(20_000_000)))
    assert TIMEOUT <= time.monotonic() - started < TIMEOUT + 5


def _deflated(size):
    """So many bytes of zeros, packed as gzip."""
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]
    return b"".join(packed) + packer.flush()


def test_an_answer_without_end_is_cut_off(make_api, fault_server):
    def endless(exchange):
        exchange.read()
        exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            exchange.send(bytes(1 << 20))

    fault_server.always(endless)
    with pytest.raises(Unexpected, match="larger than 16,777,216 bytes"):
        make_api().users.get("u1")
    assert len(fault_server.requests) == 1


def test_small_answer_that_unpacks_to_huge_is_cut_off(make_api, fault_server, new_user):
    bomb = _deflated(1 << 28)
    assert len(bomb) < 500_000
    fault_server.always(answer(201, body=bomb, headers={"Content-Encoding": "gzip"}))
    tracemalloc.start()
    with pytest.raises(Unexpected, match="larger than") as caught:
        make_api().users.create(new_user)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (caught.value.status, caught.value.may_have_happened) == (201, True)
    assert peak < 64 << 20


def test_packed_answers_are_asked_for_and_unpacked(make_api, fault_server):
    packed = gzip.compress(b'{"id": "u1"}')
    fault_server.always(answer(200, body=packed, headers={"Content-Encoding": "gzip"}))
    assert make_api().users.get("u1").id == "u1"
    assert fault_server.requests[0].headers["accept-encoding"] == "gzip"


def test_an_empty_answer_may_say_that_it_is_packed(make_api, fault_server):
    fault_server.always(answer(200, body=b"", headers={"Content-Encoding": "gzip"}))
    make_api().users.revoke_token("u1")


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", b'{"id": "u1"}'),
        ("gzip", gzip.compress(b'{"id": "u1"}')[:-4]),
        ("gzip, gzip", gzip.compress(gzip.compress(b'{"id": "u1"}'))),
        ("br", b"\x0b\x05\x80{}\x03"),
        ("deflate", zlib.compress(b'{"id": "u1"}')),
    ],
    ids=["not at all", "cut short", "twice", "brotli", "deflate"],
)
def test_what_is_packed_wrongly_is_unexpected(make_api, fault_server, coding, body):
    fault_server.always(answer(200, body=body, headers={"Content-Encoding": coding}))
    with pytest.raises(Unexpected):
        make_api().users.get("u1")
    assert len(fault_server.requests) == 1


def test_headers_without_end_are_cut_off(make_api, fault_server, new_user):
    fault_server.always(raw(b"HTTP/1.1 201 OK\r\n" + b"X-Header: 0123456789\r\n" * 100_000))
    with pytest.raises(OutcomeUnknown):
        make_api().users.create(new_user)
