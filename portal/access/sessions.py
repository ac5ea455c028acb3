"""What a session says of itself, under these keys of it: when it began and was last used, in
seconds since the epoch, and from which address and browser."""

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
    """What the browser calls itself."""
    return _stored(request.headers.get("User-Agent", ""), 300)


def _stored(text: str, longest: int) -> str:
    """As any database takes it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:longest]
