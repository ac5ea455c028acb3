"""Data of a session, under these keys of it: its beginning and last use, in seconds since the
epoch, and its address and browser."""

import time
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from portal.config.request_log import client_address

BEGUN = "begun"
SEEN = "seen"
ADDRESS = "address"
USER_AGENT = "user_agent"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_kwargs: Any) -> None:
    request.session[BEGUN] = int(time.time())
    note_use(request)


def note_use(request: HttpRequest) -> None:
    """A session may go on from another address, and in a newer browser."""
    request.session[SEEN] = int(time.time())
    request.session[ADDRESS] = _stored(client_address(request), 45)
    request.session[USER_AGENT] = user_agent(request)


def user_agent(request: HttpRequest) -> str:
    """Returns the browser's name for itself, in 300 characters at most."""
    return _stored(request.headers.get("User-Agent", ""), 300)


def _stored(text: str, longest: int) -> str:
    """As any database takes it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:longest]
