"""Reading a request's body that somebody may send without end, or slowly.

The web server gives a body as it comes: reading waits as long as its sender likes, and cannot be
broken off. So few threads of a process read such bodies at once, and the others stay free.
"""

import threading

from django.http import HttpRequest
from django.http.request import UnreadablePostError

AT_ONCE = 8  # of the web server's threads
_reading = threading.BoundedSemaphore(AT_ONCE)


class TooMany(Exception):
    """As many bodies as may be are being read."""


class TooLarge(Exception):
    """The body is larger than it may be."""


def read_body(request: HttpRequest, most: int) -> bytes:
    """The whole body, of at most so many bytes; empty where its sender left. Raises `TooLarge`,
    before it is read where that is known, and `TooMany`."""
    declared = request.headers.get("Content-Length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise TooLarge
    if not _reading.acquire(blocking=False):
        raise TooMany
    try:
        content = request.read(most + 1)
    except UnreadablePostError:
        return b""
    finally:
        _reading.release()
    if len(content) > most:
        raise TooLarge
    return content
