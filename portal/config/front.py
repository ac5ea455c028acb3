"""Buffer between the web server and the portal's threads: no slow client occupies a thread.

A body is read here into memory, without a thread: a sender slower than `SLOWEST`, or with more than
any page accepts, is answered without one. A finished answer is returned whole, so that a reader may
be slow; only an answer that is made while it is sent needs its thread until the end.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

import structlog

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

# Seconds that a body may be late, and the bytes a second by which it has to come otherwise.
PATIENCE = 10.0
SLOWEST = 16_000
# Bytes of a body, with a session and without one. Of a larger body the beginning is read, with the
# fields before a file: the page can then show the reason.
MOST = 14_000_000
BEGINNING = 256_000
# Bytes that all bodies of a process may have together, beyond what each may have by itself.
TOGETHER = 64_000_000
EACH = 64_000
# A file or page of so many bytes is returned whole.
WHOLE = 4_000_000
# Seconds that a reader may take for a chunk of an answer that is made while it is sent.
CHUNK_TIMEOUT = 30.0

_log = structlog.get_logger(__name__)


class RefusedError(Exception):
    """Raised for a request that is answered with a status alone."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class GoneError(Exception):
    """Raised if the client waits for no answer any more."""


@dataclass
class _Answer:
    """The answer of a WSGI application."""

    status: int = 500
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def begin(self, status: str, headers: list[tuple[str, str]], _failure: Any = None) -> None:
        self.status, self.headers = int(status.split(" ", 1)[0]), headers

    @property
    def start(self) -> Message:
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in self.headers
        ]
        return {"type": "http.response.start", "status": self.status, "headers": headers}


class Front:
    """ASGI application that serves a WSGI application with so many threads.

    `session` is the name of the cookie of users who may send files.
    """

    def __init__(self, application: Application, threads: int, session: str) -> None:
        self._application = application
        self.session = session.encode()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._buffered = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(scope["type"])
        body = _Body(self, scope)
        try:
            await body.read(receive)
            environ = environment(scope, body.content, body.length)
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._threads, self._run, environ, send, loop)
        except GoneError:
            return
        except RefusedError as refused:
            answer = _Answer(refused.status, [("Content-Type", "text/plain")])
            answer.body = f"{refused.status.phrase}.\n".encode()
            body.is_cut_short = True
        finally:
            self._buffered -= body.counted
        if answer is None:
            return  # sent already
        if body.is_cut_short:
            answer.headers = [*answer.headers, ("Connection", "close")]
        await send(answer.start)
        await send({"type": "http.response.body", "body": answer.body})

    def hold(self, more: int) -> None:
        """Counts bytes of a body. Raises `RefusedError` if all bodies have too many."""
        if self._buffered + more > TOGETHER:
            _log.warning("bodies_too_many", bytes=self._buffered)
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE)
        self._buffered += more

    def _run(
        self, environ: dict[str, object], send: Send, loop: asyncio.AbstractEventLoop
    ) -> _Answer | None:
        """Returns the answer to a request, in a thread; None if it was sent in chunks."""
        answer = _Answer()
        chunks = self._application(environ, answer.begin)
        try:
            if _is_whole(chunks, answer):
                answer.body = b"".join(chunks)
                return answer

            def transmit(message: Message) -> None:
                sending = asyncio.wait_for(send(message), CHUNK_TIMEOUT)
                asyncio.run_coroutine_threadsafe(sending, loop).result()

            transmit(answer.start)
            for chunk in chunks:
                transmit({"type": "http.response.body", "body": chunk, "more_body": True})
            transmit({"type": "http.response.body", "body": b""})
            return None
        except TimeoutError:
            raise GoneError from None
        finally:
            if close := getattr(chunks, "close", None):
                close()


def _is_whole(chunks: Iterable[bytes], answer: _Answer) -> bool:
    if not getattr(chunks, "streaming", False):
        return True
    length = next((value for name, value in answer.headers if name == "Content-Length"), "")
    return length.isdecimal() and int(length) <= WHOLE


class _Body:
    """A request's body as it comes in."""

    def __init__(self, front: Front, scope: Message) -> None:
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"")
        self._announced = int(announced) if announced.isdigit() else None
        self._comes = bool(self._announced) or b"transfer-encoding" in headers
        self._most = MOST if front.session + b"=" in headers.get(b"cookie", b"") else BEGINNING
        self._front = front
        self.counted = 0
        self.is_cut_short = False
        self.content = BytesIO()

    @property
    def length(self) -> int:
        """Returns the announced length if not all was read, so that the body is known to be too
        large."""
        read = self.content.getbuffer().nbytes
        return self._announced or read if self.is_cut_short else read

    async def read(self, receive: Receive) -> None:
        """Raises `RefusedError` if it is too slow or too large, `GoneError` if it ends."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        while self._comes and not self.is_cut_short:
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise RefusedError(HTTPStatus.REQUEST_TIMEOUT) from None
            if message["type"] != "http.request":
                raise GoneError
            chunk = message.get("body", b"")
            self._append(chunk)
            self._comes = message.get("more_body", False)
            earned = len(chunk) / SLOWEST
            deadline = min(deadline + earned, loop.time() + PATIENCE)
        self.content.seek(0)

    def _append(self, chunk: bytes) -> None:
        size = self.content.tell() + len(chunk)
        if more := max(size - EACH, 0) - self.counted:
            self._front.hold(more)
            self.counted += more
        self.content.write(chunk)
        if self._announced is None and size > self._most:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if (self._announced or 0) > self._most and size >= BEGINNING:
            self.is_cut_short = True


def environment(scope: Message, body: BytesIO, length: int) -> dict[str, Any]:
    """Returns the WSGI environment of a request. A header with an underscore in its name, which
    would be taken for another, is left out."""
    results: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": str(scope["server"][0]),
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue
        key = f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        key = {"HTTP_CONTENT_TYPE": "CONTENT_TYPE"}.get(key, key)
        text, between = value.decode("latin-1"), "; " if name == b"cookie" else ","
        results[key] = f"{results[key]}{between}{text}" if key in results else text
    results.pop("HTTP_CONTENT_LENGTH", None)
    if length:
        results["CONTENT_LENGTH"] = str(length)
    return results
