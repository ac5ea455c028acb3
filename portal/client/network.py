"""The network under the client: connects where the policy allows, and never past the deadline."""

import time
from collections.abc import Iterable
from ssl import SSLContext
from typing import Any

import httpcore

from portal.client.addresses import AddressPolicy

_WRITTEN_AT_ONCE = 16 * 1024


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
        words = f"{host} has no address"  # untranslated: nobody reads it
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
