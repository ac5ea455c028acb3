"""The HTTP transport: connections per thread, one request at a time.

A pool that threads share collapses above ten requests in flight, one pool per thread does not. It
is httpcore's own: no cookies, proxies, redirects, `.netrc` or log lines, which would carry what one
account's calls leave behind into another's, or the token out of the query string.
"""

import os
import threading
import weakref
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from ssl import SSLCertVerificationError, SSLContext
from typing import Literal
from urllib.parse import urlencode

import httpcore
import httpx

from portal.client import messages
from portal.client.addresses import (
    AddressPolicy,
    AddressRefused,
    Deadline,
    GuardedBackend,
    HostNotFound,
)
from portal.client.dialect import AS_DOCUMENTED, Dialect
from portal.client.secret import Secret
from portal.contract.words import Message

# Below the five seconds and more after which servers hang up: a POST on a connection that is just
# being closed has an unknown outcome.
_KEPT_IDLE = 4.0
_ALWAYS = ((b"User-Agent", b"Switchboard"), (b"Accept-Encoding", b"gzip"))
_LARGEST_ANSWER = 16 * 1024 * 1024
_local = threading.local()
_REDIRECTS = 3
_BEGINNINGS: Mapping[bytes, str] = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


FailureReason = Literal["address", "certificate", "connect", "timeout", "broken", "unreadable"]


class ExchangeFailed(Exception):
    """A request without a whole answer.

    After `address`, `certificate` and `connect` nothing was sent, and only `connect` may soon be
    otherwise. After `timeout` and `broken` the request may have left. If the answer is
    `unreadable`, with this `status`, its content is too large or wrongly packed.
    """

    def __init__(self, message: Message, reason: FailureReason, status: int = 0) -> None:
        super().__init__(message)
        self.reason: FailureReason = reason
        self.status = status


def read_content(response: httpcore.Response, headers: Mapping[str, str], limit: int) -> bytes:
    """All of the content, unpacked; never more than `limit` bytes are kept, packed or not."""
    coding = headers.get("Content-Encoding", "identity").strip().lower()
    if coding in {"identity", ""}:
        unpack = None
    elif coding in {"gzip", "x-gzip"}:
        unpack = zlib.decompressobj(wbits=31)
    else:
        raise _unreadable(Message(messages.WRONGLY_COMPRESSED), response)
    content = bytearray()
    for chunk in response.iter_stream():
        try:
            content += unpack.decompress(chunk, limit + 1 - len(content)) if unpack else chunk
        except zlib.error:
            raise _unreadable(Message(messages.NOT_UNPACKED), response) from None
        if len(content) > limit:
            raise _unreadable(Message(messages.TOO_LARGE, limit=f"{limit:,}"), response)
    if content and unpack and not unpack.eof:
        raise _unreadable(Message(messages.NOT_UNPACKED), response)
    return bytes(content)


def _unreadable(message: Message, response: httpcore.Response) -> ExchangeFailed:
    return ExchangeFailed(message, "unreadable", response.status)


@dataclass(frozen=True)
class Target:
    """Address, credentials and timeout of calls (seconds, from first to last byte).

    The token is sent in the query, or where it is a `bearer` in the header.
    """

    base_url: str
    token: Secret
    policy: AddressPolicy = field(default_factory=AddressPolicy)
    timeout: float = 10.0
    bearer: bool = False
    dialect: Dialect = AS_DOCUMENTED


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


class _Line:
    """This thread's connections under one policy; they close when the thread ends."""

    def __init__(self, policy: AddressPolicy) -> None:
        self.deadline = Deadline()
        self.pool = httpcore.ConnectionPool(
            ssl_context=_tls(),
            max_connections=None,
            max_keepalive_connections=4,
            keepalive_expiry=_KEPT_IDLE,
            network_backend=GuardedBackend(policy, self.deadline),
        )
        weakref.finalize(self, self.pool.close)


@cache
def _tls() -> SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def _line(policy: AddressPolicy) -> _Line:
    lines: dict[tuple[int, AddressPolicy], _Line] = _local.__dict__.setdefault("lines", {})
    # A forked process must not speak on its parent's connections.
    key = os.getpid(), policy
    if key not in lines:
        lines[key] = _Line(policy)
    return lines[key]


def send(
    target: Target,
    method: str,
    path: str,
    *,
    parameters: Mapping[str, str] | None = None,
    json: object = None,
    files: Mapping[str, tuple[str, bytes, str]] | None = None,
) -> Answer:
    """Sends one request to the service and reads the whole answer.

    Raises `ExchangeFailed`, without the token.
    """
    request = httpx.Request(
        method,
        target.base_url.rstrip("/") + path,
        params=parameters or None,
        headers={"Accept": "application/json"},  # untranslated: a header
        json=json,
        files=files,
    )
    return exchange(
        target.policy,
        request,
        target.timeout,
        _LARGEST_ANSWER,
        target.token,
        bearer=target.bearer,
    )


def exchange(
    policy: AddressPolicy,
    request: httpx.Request,
    timeout: float,
    limit: int,
    token: Secret | None = None,
    *,
    bearer: bool = False,
) -> Answer:
    """Sends a request under a policy; `limit` bounds the answer's content, in bytes."""
    # New errors are made and raised outside the handlers: the frames and contexts of httpcore's
    # hold the token.
    failure: ExchangeFailed
    try:
        return _exchange(policy, request, timeout, limit, token, bearer=bearer)
    except HostNotFound as refused:
        failure = ExchangeFailed(refused.args[0], "connect")
    except AddressRefused as refused:
        failure = ExchangeFailed(refused.args[0], "address")
    except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
        is_certificate = any(isinstance(each, SSLCertVerificationError) for each in error.args)
        failure = (
            ExchangeFailed(Message(messages.NOT_TRUSTED), "certificate")
            if is_certificate
            else ExchangeFailed(Message(messages.NOT_CONNECTED), "connect")
        )
    except httpcore.TimeoutException:
        failure = ExchangeFailed(Message(messages.NO_ANSWER, timeout=f"{timeout:g}"), "timeout")
    except (httpcore.NetworkError, httpcore.ProtocolError):
        failure = ExchangeFailed(Message(messages.BROKE_OFF), "broken")
    except ExchangeFailed as unreadable:
        failure = ExchangeFailed(unreadable.args[0], unreadable.reason, unreadable.status)
    except BaseException as error:
        error.__cause__ = error.__context__ = None
        raise error.with_traceback(None)  # noqa: B904
    raise failure


def _exchange(
    policy: AddressPolicy,
    request: httpx.Request,
    timeout: float,
    limit: int,
    token: Secret | None,
    *,
    bearer: bool,
) -> Answer:
    url = policy.check_form(request.url)
    address = url.raw_path
    sign_in: list[tuple[bytes, bytes]] = []
    if token and bearer:
        sign_in.append((b"Authorization", b"Bearer " + token.value.encode()))
    elif token:
        address += (b"&" if url.query else b"?") + urlencode({"access_token": token.value}).encode()
    line = _line(policy)
    line.deadline.start(timeout)
    response = line.pool.handle_request(
        httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=address),
            headers=[*request.headers.raw, *_ALWAYS, *sign_in],
            content=request.stream,
        )
    )
    headers = httpx.Headers(response.headers)
    try:
        content = read_content(response, headers, limit)
    finally:
        response.close()
    announced = "Transfer-Encoding" in headers or headers.get("Content-Length", "0") != "0"
    if response.status == 204 and announced:
        line.pool.close()  # what follows a 204 would be taken for the next answer's beginning
    return Answer(response.status, headers, content)


class NoPicture(Exception):
    """There is no picture to show; the text says why."""


def fetch_picture(
    url: str, policy: AddressPolicy, *, timeout: float = 5.0, limit: int = 2 * 1024 * 1024
) -> tuple[str, bytes]:
    """The media type and the content of a JPEG, PNG, GIF or WebP, recognised by its first bytes.

    `timeout` is in seconds for each request, `limit` in bytes. Redirects are followed within the
    same host. Raises `NoPicture`.
    """
    failure: Message
    try:
        content = _fetch(policy.check_form(url), policy, timeout, limit)
    except (AddressRefused, ExchangeFailed) as error:
        failure = error.args[0]
    else:
        return _media_type(content), content
    raise NoPicture(failure)


def _fetch(url: httpx.URL, policy: AddressPolicy, timeout: float, limit: int) -> bytes:
    for _try in range(_REDIRECTS + 1):
        accepted = {"Accept": "image/*"}  # untranslated: a header
        request = httpx.Request("GET", url, headers=accepted)
        answer = exchange(policy, request, timeout, limit)
        if answer.status == 200:
            return answer.content
        if answer.status not in {301, 302, 303, 307, 308}:
            raise NoPicture(Message("HTTP status %(status)s.", status=answer.status))
        url = _within(url, answer.headers.get("Location", ""))  # untranslated: a header
    raise NoPicture(Message("The address redirects in circles."))


def _within(url: httpx.URL, location: str) -> httpx.URL:
    try:
        target = url.join(location)
    except httpx.InvalidURL:
        raise NoPicture(Message("The address redirects to nowhere.")) from None
    if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port):
        raise NoPicture(Message("The address redirects to another host."))
    return target


def _media_type(content: bytes) -> str:
    for beginning, media_type in _BEGINNINGS.items():
        if content.startswith(beginning):
            return media_type
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    raise NoPicture(Message("This is not a JPEG, PNG, GIF or WebP picture."))
