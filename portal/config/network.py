"""Timeouts of connections to the database, the cache and the broker.

A firewall, or a host without power, may cut a connection without notice: a caller then waits for
hours, and so does a lock that the other end holds for it. Each end therefore probes a silent
connection, and nothing that is sent waits for ever.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Seconds that the other end may take to accept a connection, or what is sent to it.
TIMEOUT = 3
# Seconds of silence before the first probe, seconds between two probes, and their count.
_IDLE, _EVERY, _TIMES = 6, 3, 2
# Seconds after which a failed attempt has cost too much to be repeated by each caller.
_LONG = 1.0
_AGAIN_AFTER = 5.0
# Seconds that a lock is waited for, and that a transaction may do nothing: a process that is frozen
# within one holds up those who wait for its locks, and they outlast it.
LOCK_TIMEOUT, IDLE_TIMEOUT = 20, 15

# The server probes as well: it holds the locks of clients that are cut off.
POSTGRESQL: dict[str, Any] = {
    "connect_timeout": TIMEOUT,
    "tcp_user_timeout": TIMEOUT * 1000,
    "keepalives_idle": _IDLE,
    "keepalives_interval": _EVERY,
    "keepalives_count": _TIMES,
    "options": " ".join(
        f"-c {setting}"
        for setting in (
            f"lock_timeout={LOCK_TIMEOUT}s",
            f"idle_in_transaction_session_timeout={IDLE_TIMEOUT}s",
            f"tcp_user_timeout={(_IDLE + _EVERY) * 1000}",
            f"tcp_keepalives_idle={_IDLE}",
            f"tcp_keepalives_interval={_EVERY}",
            f"tcp_keepalives_count={_TIMES}",
        )
    ),
}
_OF_SOCKETS: dict[int, int] = {
    getattr(socket, name): seconds
    for name, seconds in (
        ("TCP_KEEPIDLE", _IDLE),
        ("TCP_KEEPINTVL", _EVERY),
        ("TCP_KEEPCNT", _TIMES),
    )
    if hasattr(socket, name)
}
REDIS: dict[str, Any] = {
    "socket_connect_timeout": TIMEOUT,
    "socket_timeout": TIMEOUT,
    "socket_keepalive": True,
    "socket_keepalive_options": _OF_SOCKETS,
}
# RabbitMQ stops reading from its clients if its memory or disk is full.
AMQP: dict[str, Any] = {
    "read_timeout": TIMEOUT,
    "write_timeout": TIMEOUT,
    "socket_settings": _OF_SOCKETS,
}


class Outage:
    """Circuit breaker of a server that did not answer: for a while only one caller tries again.

    An attempt that fails at once, such as a refused connection, costs nothing, and each caller
    makes it.
    """

    def __init__(self, refusal: type[Exception]) -> None:
        self._refusal = refusal
        self._until: float | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Context of an attempt. Raises the refusal if none is to be made."""
        began = time.monotonic()
        if self._until is not None:
            if began < self._until:
                raise self._refusal("It did not answer, and is not asked again yet.")
            self._until = began + _AGAIN_AFTER
        try:
            yield
        except Exception:
            now = time.monotonic()
            if now - began > _LONG:
                self._until = now + _AGAIN_AFTER
            raise
        self._until = None
