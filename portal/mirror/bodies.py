"""Reading a request's body of which the most is known."""

from django.http import HttpRequest
from django.http.request import UnreadablePostError


class TooLarge(Exception):
    """The body is larger than it may be."""


def read_body(request: HttpRequest, most: int) -> bytes:
    """The whole body, of at most so many bytes; empty where its sender left. Raises `TooLarge`,
    before it is read where that is known."""
    declared = request.headers.get("Content-Length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise TooLarge
    try:
        content = request.read(most + 1)
    except UnreadablePostError:
        return b""
    if len(content) > most:
        raise TooLarge
    return content
