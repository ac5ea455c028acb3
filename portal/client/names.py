"""Looking up the addresses of a name, for as long as there is time, and once for all who wait.

The system's resolver cannot be broken off: it asks its servers one after the other, for longer than
any call may take. So a thread beside those of the portal asks it, one for each name and few in all.
"""

import os
import socket
import threading
from concurrent.futures import Future
from typing import Any

_AT_ONCE = 32
_free = threading.BoundedSemaphore(_AT_ONCE)
_turn = threading.Lock()
_asked: dict[tuple[int, str, int], Future[list[str]]] = {}


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """Raises `OSError` or `UnicodeError` where there are none, `TimeoutError` where nobody says."""
    if known := numeric(host, port):
        return known
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
        found: Any = _addresses(socket.getaddrinfo(*key[1:], type=socket.SOCK_STREAM))
    except Exception as error:  # whoever waits gets it
        found = error
    with _turn:
        del _asked[key]
    _free.release()
    if isinstance(found, Exception):
        asked.set_exception(found)
    else:
        asked.set_result(found)


def numeric(host: str, port: int) -> list[str]:
    """The address that a number stands for, in whatever spelling; nothing for a name."""
    try:
        flags = socket.AI_NUMERICHOST
        return _addresses(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags))
    except (OSError, UnicodeError):
        return []


def _addresses(entries: list[Any]) -> list[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))
