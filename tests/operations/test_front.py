"""Bodies that reach the portal's threads: whole, in time and of bounded size."""

import asyncio
import io
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from portal.config import front
from portal.config.front import Front, Message

SESSION = (b"cookie", b"other=1; sessionid=abc")


class Parts:
    """An answer that is made while it is sent."""

    streaming = True

    def __init__(self, count: int) -> None:
        self.count = count
        self.was_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"part"] * self.count)

    def close(self) -> None:
        self.was_closed = True


class Exchange:
    """One request to a front, whose application says what it was given."""

    def __init__(self, *chunks: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        self.chunks, self.headers = [*chunks], headers
        self.given: dict[str, Any] = {}
        self.content = b""
        self.parts: Any = [b"answer"]
        self.is_read = True
        self.sent: list[Message] = []

    def application(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        self.given, self.content = environ, environ["wsgi.input"].read()
        start("200 OK", [("Content-Type", "text/plain")])
        return self.parts

    async def receive(self) -> Message:
        if not self.chunks:
            await asyncio.Event().wait()  # a sender who stays, and sends nothing more
        chunk = self.chunks.pop(0)
        if chunk == b"gone":
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": chunk, "more_body": chunk != b""}

    async def send(self, message: Message) -> None:
        if not self.is_read:
            await asyncio.Event().wait()
        self.sent.append(message)

    def status(self, served: Front | None = None, path: bytes = b"/") -> int | None:
        """Returns what it is answered with; None where it is not."""
        served = served or Front(self.application, 1, "sessionid")
        served._application = self.application
        scope = {
            "type": "http",
            "method": "POST",
            "raw_path": path,
            "query_string": b"q=%FF",
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
            "client": ("192.0.2.7", 5),
            "headers": list(self.headers),
        }
        # A thread of its own: that of the tests may have the loop that drives a browser.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, served(scope, self.receive, self.send)).result()
        return self.sent[0]["status"] if self.sent else None

    @property
    def said(self) -> bytes:
        return b"".join(each.get("body", b"") for each in self.sent)


def announced(length):
    return b"content-length", str(length).encode()


def test_a_body_reaches_the_portal_whole_and_with_its_length():
    for headers in ((announced(6),), ((b"transfer-encoding", b"chunked"),)):
        exchange = Exchange(b"abc", b"def", b"", headers=headers)
        assert (exchange.status(), exchange.said) == (200, b"answer")
        assert (exchange.content, exchange.given["CONTENT_LENGTH"]) == (b"abcdef", "6")


def test_a_slow_body_is_given_up_without_a_thread(monkeypatch):
    monkeypatch.setattr(front, "PATIENCE", 0.01)
    exchange = Exchange(b"ab", headers=(announced(1000),))
    assert exchange.status() == 408
    assert exchange.given == {}
    assert (b"connection", b"close") in exchange.sent[0]["headers"]


def test_a_body_that_trickles_is_given_up_too(monkeypatch):
    """Each byte comes in time, and all of them too late."""
    monkeypatch.setattr(front, "PATIENCE", 0.05)
    exchange = Exchange(headers=(announced(10**6),))

    async def trickle():
        await asyncio.sleep(0.001)
        return {"type": "http.request", "body": b"a", "more_body": True}

    exchange.receive = trickle
    assert exchange.status() == 408
    assert exchange.given == {}


def test_whoever_leaves_before_the_end_costs_no_thread():
    exchange = Exchange(b"ab", b"gone", headers=(announced(1000),))
    assert exchange.status() is None
    assert exchange.given == {}


def test_a_body_without_end_is_refused_and_a_large_one_is_cut(monkeypatch):
    monkeypatch.setattr(front, "MOST", 8)
    monkeypatch.setattr(front, "BEGINNING", 4)
    chunked = (b"transfer-encoding", b"chunked")
    assert Exchange(*[b"abc"] * 9, headers=(chunked, SESSION)).status() == 413
    cut = Exchange(*[b"abc"] * 9, headers=(announced(27), SESSION))
    assert cut.status() == 200  # a page says that it is too large
    assert (cut.content, cut.given["CONTENT_LENGTH"]) == (b"abcabc", "27")
    assert (b"connection", b"close") in cut.sent[0]["headers"]
    for session, read in (((SESSION,), b"abcdef"), ((), b"abc")):
        exchange = Exchange(b"abc", b"def", b"", headers=(announced(6), *session))
        exchange.status()
        assert exchange.content.startswith(read)


def test_all_bodies_together_have_bounded_memory(monkeypatch):
    monkeypatch.setattr(front, "EACH", 4)
    monkeypatch.setattr(front, "TOGETHER", 8)
    served = Front(Exchange().application, 1, "sessionid")
    large = (announced(20), SESSION)
    assert Exchange(b"a" * 20, b"", headers=large).status(served) == 503
    for _ in range(3):  # what was held is free again
        assert Exchange(b"a" * 12, b"", headers=(announced(12), SESSION)).status(served) == 200
    assert served._buffered == 0


def test_a_path_and_headers_arrive_as_they_were_sent():
    headers = (
        (b"x-forwarded-for", b"192.0.2.1"),
        (b"x-forwarded-for", b"192.0.2.2"),
        (b"x_forwarded_for", b"198.51.100.1"),
        (b"content-type", b"text/plain"),
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
    )
    exchange = Exchange(headers=headers)
    assert exchange.status(path=b"/a%2Fb/%C3%BC%FF") == 200
    assert exchange.given["PATH_INFO"].encode("latin-1") == b"/a/b/\xc3\xbc\xff"
    assert exchange.given["HTTP_X_FORWARDED_FOR"] == "192.0.2.1,192.0.2.2"
    assert exchange.given["HTTP_COOKIE"] == "a=1; b=2"
    assert exchange.given["CONTENT_TYPE"] == "text/plain"
    assert exchange.given["REMOTE_ADDR"] == "192.0.2.7"
    assert isinstance(exchange.given["wsgi.input"], io.BytesIO)


def test_what_is_made_while_it_is_sent_goes_out_in_parts():
    exchange = Exchange()
    exchange.parts = Parts(3)
    assert (exchange.status(), exchange.said) == (200, b"part" * 3)
    assert len(exchange.sent) == 5
    assert exchange.parts.was_closed


def test_a_reader_who_takes_nothing_frees_the_thread(monkeypatch):
    monkeypatch.setattr(front, "CHUNK_TIMEOUT", 0.01)
    exchange = Exchange()
    exchange.parts, exchange.is_read = Parts(3), False
    assert exchange.status() is None
    assert exchange.parts.was_closed
