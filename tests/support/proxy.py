"""A faulty proxy between portal and service: `faulty_proxy.fails(share, seed)`, `.recovers()`.

Each request meets a fate, drawn from a seeded generator: it arrives and is answered, or it is cut
off, answered with nonsense or an error, before or after it has arrived, or it arrives late.
"""

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.support.sandbox import Sandbox

FATES = (
    "cut before",
    "cut after",
    "500 before",
    "500 after",
    "502 before",
    "502 after",
    "429",
    "garbage before",
    "garbage after",
    "late",
)


class FaultyProxy:
    """Forwards to the sandbox, as well as it is set to. `met` counts the fates, `arrived` has the
    method and the path of each request in the order in which they reached the sandbox. `rules` say
    how requests of a method to a path are answered, which then do not; `ruled` are those."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.met: Counter[str] = Counter()
        self.arrived: list[tuple[str, str]] = []
        self.rules: list[dict[str, Any]] = []
        self.ruled: list[str] = []
        self.late_by = 0.0
        self._port = sandbox.port
        self._share = 0.0
        self._random = random.Random(0)  # noqa: S311
        self._lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __getattr__(self, name: str) -> Callable[[], None]:
                if name.startswith("do_"):
                    return lambda: proxy._carry(self)
                raise AttributeError(name)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v2"

    def fails(self, share: float, seed: int, *, late_by: float) -> None:
        """From now on this share of the requests meets a bad fate."""
        self._share, self.late_by = share, late_by
        self._random = random.Random(seed)  # noqa: S311

    def recovers(self) -> None:
        self._share = 0.0

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _fate(self) -> str:
        with self._lock:
            bad = self._random.random() < self._share
            fate = self._random.choice(FATES) if bad else "arrives"
            self.met[fate] += 1
            return fate

    def _carry(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        path = request.path.partition("?")[0].removeprefix("/v2")
        for rule in self.rules:
            if (request.command, path) == (rule["method"], rule["path"]):
                self.ruled.append(path)
                _answer(request, rule["status"], rule["body"].encode(), rule["headers"])
                return
        what, _, when = self._fate().partition(" ")
        if what == "late":
            threading.Thread(target=self._forward_late, args=(request, body), daemon=True).start()
            time.sleep(self.late_by)
            self._cut(request)
            return
        answer = None if when == "before" or what == "429" else self._forward(request, body)
        act: Callable[[], None] = {
            "cut": lambda: self._cut(request),
            "500": lambda: _answer(request, 500, b'{"code": 500, "message": "Out of order"}'),
            "502": lambda: _answer(request, 502, b"<html>Bad gateway</html>"),
            "429": lambda: _answer(request, 429, b'{"code": 429}', {"Retry-After": "0"}),
            "garbage": lambda: _answer(request, 200, b"<html>Welcome to the hotel</html>"),
            "arrives": lambda: _answer(request, *(answer or (502, b""))),
        }[what]
        act()

    def _forward(self, request: BaseHTTPRequestHandler, body: bytes) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            headers = {"Content-Type": request.headers.get("Content-Type", "application/json")}
            if bearer := request.headers.get("Authorization"):
                headers["Authorization"] = bearer
            self.arrived.append((request.command, request.path.removeprefix("/v2")))
            connection.request(request.command, request.path, body or None, headers)
            response = connection.getresponse()
            return response.status, response.read(), dict(response.getheaders())
        finally:
            connection.close()

    def _forward_late(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        time.sleep(self.late_by / 2)
        self._forward(request, body)

    def _cut(self, request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.connection.shutdown(socket.SHUT_RDWR)


def _answer(
    request: BaseHTTPRequestHandler,
    status: int,
    body: bytes,
    headers: dict[str, str] | None = None,
) -> None:
    kept = ("content-type", "retry-after", "content-location", "x-ratelimit-type")
    request.send_response(status)
    for name, value in (headers or {}).items():
        if name.lower() in kept:
            request.send_header(name, value)
    if status != 204:
        request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@pytest.fixture
def faulty_proxy(sandbox: Sandbox) -> Iterator[FaultyProxy]:
    """Between the portal and the sandbox that all tests share."""
    made = FaultyProxy(sandbox)
    yield made
    made.close()
