"""Which addresses a connection may point to.

The portal calls an address that a person typed in, from inside its own network. So the scheme is
https, and the name must not resolve to a private, link-local or otherwise internal address, unless
the operator of the portal has allowed the host by name. The check is repeated on the very address
that is connected to, so that a name cannot change its mind between check and use.
"""

import ipaddress
import os
import re
import socket
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any

import httpcore
import httpx

from portal.client import messages
from portal.client.base_url import canonical_host
from portal.contract.words import Message

_AT_ONCE = 32
_WRITTEN_AT_ONCE = 16 * 1024
_free = threading.BoundedSemaphore(_AT_ONCE)
_turn = threading.Lock()
_asked: dict[tuple[int, str, int], Future[list[str]]] = {}
_IPV6_GLOBAL = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Public by their numbers, as Python has them, but answered by whatever is nearest: the host of a
# cloud machine, a relay of 6to4 or of multicast, a sink of AS 112; and what stands in examples.
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "168.63.129.16/32",
            "192.0.0.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.175.48.0/24",
            "2620:4f:8000::/48",
            "3fff::/20",
        ),
    )
)
_NAME = re.compile(r"(?=.{1,254}$)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """Raises `OSError` or `UnicodeError` if there are none, `TimeoutError` if no answer comes."""
    if literal := numeric(host, port):
        return literal
    key = os.getpid(), host, port
    with _turn:
        if (asked := _asked.get(key)) is None:
            if not _free.acquire(blocking=False):
                raise TimeoutError
            asked = Future()
            try:
                threading.Thread(target=_ask, args=(key, asked), daemon=True).start()
            except RuntimeError:  # the system gives no more threads
                _free.release()
                raise TimeoutError from None
            _asked[key] = asked
    return asked.result(max(seconds, 0))


def _ask(key: tuple[int, str, int], asked: Future[list[str]]) -> None:
    try:
        result: Any = _addresses(socket.getaddrinfo(*key[1:], type=socket.SOCK_STREAM))
    except Exception as error:  # the callers that wait get it
        result = error
    with _turn:
        del _asked[key]
    _free.release()
    if isinstance(result, Exception):
        asked.set_exception(result)
    else:
        asked.set_result(result)


def numeric(host: str, port: int) -> list[str]:
    """The address that a number stands for, in whatever spelling; nothing for a name."""
    try:
        flags = socket.AI_NUMERICHOST
        return _addresses(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags))
    except (OSError, UnicodeError):
        return []


def _addresses(entries: list[Any]) -> list[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class AddressRefused(ValueError):
    """The address may not be called; the text says why, for the person who typed it."""


class HostNotAllowed(AddressRefused):
    """The host is internal or without https; the portal's operator may allow it by name."""


class HostNotFound(AddressRefused):
    """The name has no address, at least not now."""


@dataclass(frozen=True)
class AddressPolicy:
    """`allowed` are hosts (`name` or `name:port`) that may be internal and use plain http."""

    allowed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed", frozenset(map(_canonical, self.allowed)))

    def allows(self, host: str, port: int | None) -> bool:
        name = canonical_host(host)
        return name in self.allowed or f"{name}:{port}" in self.allowed

    def check_url(self, url: str) -> None:
        """Raises `AddressRefused` where a connection may not point to this base URL, as far as it
        says itself: to which addresses a name leads is looked up once, when it is connected to."""
        address = self.check_form(url)
        if address.query or address.fragment:
            raise AddressRefused(Message(messages.NO_QUERY))
        host, port = address.raw_host.decode("ascii"), _port(address)
        self._check(host, port, numeric(host, port))

    def check_form(self, url: httpx.URL | str) -> httpx.URL:
        """Checks what the text alone shows, without asking for the host's addresses."""
        try:
            address = url if isinstance(url, httpx.URL) else httpx.URL(url)
        except (httpx.InvalidURL, ValueError):
            raise AddressRefused(Message(messages.NOT_AN_ADDRESS)) from None
        host, port = address.raw_host.decode("ascii"), _port(address)
        is_host = ":" in host or _NAME.fullmatch(host)
        if address.scheme not in {"http", "https"} or not is_host or not 0 < port < 65536:
            raise AddressRefused(Message(messages.NOT_AN_ADDRESS))
        if address.userinfo:
            raise AddressRefused(Message(messages.NO_SIGN_IN))
        if address.scheme != "https" and not self.allows(host, port):
            raise HostNotAllowed(Message(messages.NOT_HTTPS))
        return address

    def resolve(self, host: str, port: int, seconds: float) -> list[str]:
        """The IP addresses to connect to. Raises `AddressRefused` if any of them is internal, and
        `TimeoutError` if no answer comes within these seconds."""
        try:
            addresses = addresses_of(host, port, seconds)
        except TimeoutError:
            raise
        except (OSError, UnicodeError):
            raise HostNotFound(Message(messages.NO_HOST, host=host)) from None
        self._check(host, port, addresses)
        return addresses

    def _check(self, host: str, port: int, addresses: list[str]) -> None:
        if not self.allows(host, port) and any(map(is_internal, addresses)):
            raise HostNotAllowed(Message(messages.INTERNAL_ADDRESS, host=host))


def is_internal(text: str) -> bool:
    """Returns whether an IP address is anything but a public one, also one wrapped in another."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        elif address.ipv4_mapped:
            address = address.ipv4_mapped
        elif address not in _IPV6_GLOBAL or address.sixtofour or address.teredo:
            return True
    if any(address in network for network in _NOT_PUBLIC):
        return True
    return not address.is_global or address.is_multicast


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _canonical(entry: str) -> str:
    """An allowed host as `host` or `host:port`, in the spelling that connections use."""
    bare_ipv6 = entry.count(":") > 1 and not entry.startswith("[")
    try:
        address = httpx.URL(f"//[{entry}]" if bare_ipv6 else f"//{entry}")
    except (httpx.InvalidURL, ValueError):
        return entry.lower()  # matches no host
    host = canonical_host(address.raw_host.decode("ascii"))
    return host if address.port is None else f"{host}:{address.port}"


class Deadline:
    """The time at which the exchange that is under way must be over.

    httpcore's timeouts are for each read by itself: a service that sends one byte a second would
    never meet them.
    """

    def __init__(self) -> None:
        self._at = 0.0

    def start(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self, late: type[httpcore.TimeoutException]) -> float:
        """The seconds that are left; raises `late` when there are none."""
        seconds = self._at - time.monotonic()
        if seconds <= 0:
            raise late
        return seconds


class GuardedBackend(httpcore.SyncBackend):
    """Connects only to addresses that the policy allows, to the very IP that was checked.

    Raises `AddressRefused`.
    """

    def __init__(self, policy: AddressPolicy, deadline: Deadline) -> None:
        super().__init__()
        self._policy = policy
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline rules
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            left = self._deadline.left(httpcore.ConnectTimeout)
            addresses = self._policy.resolve(host, port, left)
        except TimeoutError:
            raise httpcore.ConnectTimeout from None
        words = f"{host} has no address"  # untranslated: it is never shown
        failure: Exception = httpcore.ConnectError(words)
        for position, address in enumerate(addresses):
            # A dead address leaves time for those after it.
            share = self._deadline.left(httpcore.ConnectTimeout) / (len(addresses) - position)
            try:
                stream = super().connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _DeadlineStream(stream, self._deadline)
        raise failure


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._inner.read(max_bytes, self._deadline.left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), _WRITTEN_AT_ONCE):
            piece = buffer[start : start + _WRITTEN_AT_ONCE]
            self._inner.write(piece, self._deadline.left(httpcore.WriteTimeout))

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        seconds = self._deadline.left(httpcore.ConnectTimeout)
        return _DeadlineStream(
            self._inner.start_tls(ssl_context, server_hostname, seconds), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def close(self) -> None:
        self._inner.close()
