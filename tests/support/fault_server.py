"""A service that misbehaves as it is set to, over real sockets.

    fault_server.then(answer(503), answer(200, {"id": "u1"}))
    fault_server.always(silence())
    fault_server.url, fault_server.requests

Each request takes the next behaviour of the queue, or else the one that is for always.
"""

import json
import socket
import socketserver
import ssl
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from email.utils import formatdate
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

_TIMEOUT = 10.0


@dataclass(frozen=True)
class Seen:
    """A request as it came. `connection` counts connections from 1."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    connection: int

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        given = parse_qs(urlsplit(self.target).query, keep_blank_values=True)
        return {name: values[-1] for name, values in given.items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Exchange:
    """One request on a connection, for a behaviour to deal with."""

    connection: socket.socket
    number: int
    stopping: threading.Event
    seen: list[Seen]
    stays_open: bool = field(default=False)

    def read(self) -> Seen:
        """Reads the request to its end and remembers it."""
        came = bytearray()
        while b"\r\n\r\n" not in came:
            came += self._receive()
        head, _, body = bytes(came).partition(b"\r\n\r\n")
        line, _, fields = head.partition(b"\r\n")
        headers = {k.lower(): v for k, v in BytesHeaderParser().parsebytes(fields).items()}
        while len(body) < int(headers.get("content-length", 0)):
            body += self._receive()
        method, target, _ = line.decode().split(" ")
        request = Seen(method, target, headers, body, self.number)
        self.seen.append(request)
        return request

    def send(self, content: bytes) -> None:
        self.connection.sendall(content)

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def wait_for_leave(self) -> None:
        while self.connection.recv(65536):
            pass

    def _receive(self) -> bytes:
        came = self.connection.recv(65536)
        if not came:
            raise ConnectionError("the client left")
        return came


Behaviour = Callable[[Exchange], None]


def answer(
    status: int,
    document: Any = None,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    hang_up: bool = False,
) -> Behaviour:
    """A proper answer with a JSON document or a body. `hang_up` closes after it, unannounced."""
    content = (
        body if body is not None else b"" if document is None else json.dumps(document).encode()
    )
    fields = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    fields["Date"] = formatdate(usegmt=True)
    head = "".join(f"{name}: {value}\r\n" for name, value in {**fields, **(headers or {})}.items())

    def behave(exchange: Exchange) -> None:
        exchange.read()
        exchange.send(f"HTTP/1.1 {status} Said\r\n{head}\r\n".encode() + content)
        exchange.stays_open = not hang_up

    return behave


def raw(content: bytes) -> Behaviour:
    """These bytes, whatever they are, and the end of the connection."""

    def behave(exchange: Exchange) -> None:
        exchange.read()
        exchange.send(content)

    return behave


def garbage() -> Behaviour:
    return raw(b"\x00\xff\x13\x37 what is this? \r\n\r\n" * 20)


def truncated(document: Any) -> Behaviour:
    """An answer that ends before its announced length."""
    content = json.dumps(document).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    return raw(head + content[: len(content) // 2])


def truncated_chunks() -> Behaviour:
    """A chunked answer whose last chunk never comes."""
    return raw(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"users"\r\n')


def reset(*, after_reading: bool = False) -> Behaviour:
    def behave(exchange: Exchange) -> None:
        if after_reading:
            exchange.read()
        exchange.reset()

    return behave


def no_answer() -> Behaviour:
    """Reads the request and hangs up."""
    return raw(b"")


def silence() -> Behaviour:
    def behave(exchange: Exchange) -> None:
        exchange.read()
        exchange.wait_for_leave()

    return behave


def drip(content: bytes, *, every: float) -> Behaviour:
    """One byte every so many seconds."""

    def behave(exchange: Exchange) -> None:
        exchange.read()
        for byte in content:
            exchange.send(bytes([byte]))
            if exchange.stopping.wait(every):
                return

    return behave


def redirect(location: str, status: int = 302) -> Behaviour:
    return answer(status, headers={"Location": location})


def throttled(retry_after: str | None = None) -> Behaviour:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return answer(429, {"code": 429, "message": "Too many requests."}, headers=headers)


def depending(choose: Callable[[Seen], Behaviour]) -> Behaviour:
    """A proper answer that depends on the request."""

    def behave(exchange: Exchange) -> None:
        request = exchange.read()
        exchange.read = lambda: request  # type: ignore[method-assign]
        choose(request)(exchange)

    return behave


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128


class FaultServer:
    """Listens on a free port of the loopback address until it is stopped."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Seen] = []
        self.connections = 0
        self._tls = tls
        self._next: deque[Behaviour] = deque()
        self._always: Behaviour = answer(500, {"message": "The test has no behaviour for this."})
        self._stopping = threading.Event()
        self._change = threading.Condition()
        self._open: set[socket.socket] = set()
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer._serve(self.request)

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/v2"

    def then(self, *behaviours: Behaviour) -> "FaultServer":
        self._next.extend(behaviours)
        return self

    def always(self, behaviour: Behaviour) -> "FaultServer":
        self._always = behaviour
        return self

    def wait_until_closed(self, connections: int = 0) -> bool:
        """Returns whether no more than so many connections are open, or soon will be."""
        with self._change:
            return self._change.wait_for(lambda: len(self._open) <= connections, _TIMEOUT)

    def stop(self) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        with self._change:
            for connection in self._open:
                with suppress(OSError):  # closed from the other side
                    connection.shutdown(socket.SHUT_RDWR)

    def _serve(self, connection: socket.socket) -> None:
        with self._change:
            self.connections += 1
            number = self.connections
            self._open.add(connection)
        bare = connection
        try:
            connection.settimeout(_TIMEOUT)
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
                with self._change:
                    self._open.add(connection)
            while self._is_spoken_to(connection):
                behave = self._next.popleft() if self._next else self._always
                exchange = Exchange(connection, number, self._stopping, self.requests)
                behave(exchange)
                if not exchange.stays_open:
                    break
        except OSError:
            pass  # the client left, or did not trust this server
        finally:
            connection.close()
            with self._change:
                self._open -= {bare, connection}
                self._change.notify_all()

    def _is_spoken_to(self, connection: socket.socket) -> bool:
        if isinstance(connection, ssl.SSLSocket):
            return not self._stopping.is_set()
        return bool(connection.recv(1, socket.MSG_PEEK)) and not self._stopping.is_set()


@pytest.fixture
def fault_server() -> Iterator[FaultServer]:
    server = FaultServer()
    yield server
    server.stop()
