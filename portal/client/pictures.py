"""Fetches the picture at an address that the service reports, for the portal to show.

The address comes from outside and is called from inside: it is held to the same policy as a
connection, gets no token, and what it answers is a small picture or nothing.
"""

from collections.abc import Mapping

import httpx

from portal.client.addresses import AddressPolicy, AddressRefused
from portal.client.transport import BrokenOff, NoAnswer, NotSent, Unreadable, exchange
from portal.contract.words import Message

_REDIRECTS = 3
_BEGINNINGS: Mapping[bytes, str] = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


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
    except (AddressRefused, NotSent, NoAnswer, BrokenOff, Unreadable) as error:
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
