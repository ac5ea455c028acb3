"""Reading a request's body that somebody may send without end, or slowly.

The web server gives a body as it comes, and reading waits for it. So it is read on a thread of its
own, of which a process has few; whoever answers waits a bounded time.
"""

import threading

from django.http import HttpRequest

LONGEST_WAIT = 5.0  # seconds
_reading = threading.BoundedSemaphore(16)


class TooSlow(Exception):
    """The body did not come in time."""


class TooMany(Exception):
    """As many bodies as may be are being read."""


class TooLarge(Exception):
    """The body is larger than it may be."""


def read_body(request: HttpRequest, most: int, seconds: float | None = None) -> bytes:
    """The whole body, of at most so many bytes. Raises `TooLarge`, before it is read where that is
    known, `TooSlow` and `TooMany`."""
    declared = request.headers.get("Content-Length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise TooLarge
    if not _reading.acquire(blocking=False):
        raise TooMany
    content: list[bytes] = []

    def read() -> None:
        try:
            content.append(request.read(most + 1))
        except OSError:
            content.append(b"")  # who sent it is gone
        finally:
            _reading.release()

    reader = threading.Thread(target=read, name="body", daemon=True)
    try:
        reader.start()
    except RuntimeError:
        _reading.release()
        raise TooMany from None
    reader.join(LONGEST_WAIT if seconds is None else seconds)
    if not content:
        raise TooSlow
    if len(content[0]) > most:
        raise TooLarge
    return content[0]
