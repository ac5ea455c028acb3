"""What fails of the portal's own parts, its database, disk and cache, in words."""

import errno

from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest
from redis import RedisError

from portal.access.calls import has_left
from portal.request_log import request_id
from portal.ui.explain import Fault

_FULL = {errno.ENOSPC, errno.EDQUOT}
_BUSY = ("locked", "lock timeout", "deadlock")
_NO_ROOM = ("full", "no space")
_UNWRITABLE = ("readonly", "read-only")


def own_trouble(request: HttpRequest, error: BaseException | None) -> Fault | None:
    """The failure in words, or None for a mistake of the portal's, or another one."""
    after = _what_became(request)
    if isinstance(error, OperationalError | InterfaceError):
        return _of_the_database(str(error).lower(), after)
    if isinstance(error, OSError) and error.errno in _FULL:
        return _full(after)
    if isinstance(error, RedisError):
        return _fault(
            "The cache of Switchboard does not answer", "Without it nobody signs in.", after
        )
    return None


def _of_the_database(said: str, after: str) -> Fault:
    if any(word in said for word in _BUSY):
        return _fault("Switchboard is busy", "Other work kept its database for too long.", after)
    if any(word in said for word in _NO_ROOM):
        return _full(after)
    if any(word in said for word in _UNWRITABLE):
        text = "Its database can be read and not written. Whoever runs it has to look after that."
        return _fault("Switchboard can keep nothing now", text, after)
    text = "Whoever runs it has to look after that, if it stays so."
    return _fault("The database of Switchboard does not answer", text, after)


def _full(after: str) -> Fault:
    text = "Nothing can be kept before whoever runs it makes room."
    return _fault("The disk of Switchboard is full", text, after)


def _fault(title: str, text: str, after: str) -> Fault:
    return Fault(title, f"{text} {after}", 503, retry=True, request_id=request_id())


def _what_became(request: HttpRequest) -> str:
    """Whether anything may have been done, told by whether it was sent to the service."""
    if request.method in {"GET", "HEAD"}:
        return "Try again in a moment."
    if has_left():
        return (
            "What you did had been sent to the conferencing service before: look whether it was "
            "done before you try again."
        )
    return "Nothing was sent to the conferencing service. Try again in a moment."
