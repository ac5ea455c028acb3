"""Data of a session, under these keys of it: its beginning and last use, in seconds since the
epoch, and its address and browser."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import UpdateError
from django.dispatch import receiver
from django.http import HttpRequest

from portal.config import clock
from portal.config.brief_locks import Busy, briefly
from portal.config.request_log import client_address

BEGUN = "begun"
SEEN = "seen"
ADDRESS = "address"
USER_AGENT = "user_agent"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_kwargs: Any) -> None:
    request.session[BEGUN] = int(clock.now().timestamp())
    note_use(request)


def note_use(request: HttpRequest) -> None:
    """A session may go on from another address, and in a newer browser."""
    request.session.update(_use_of(request))


def note_use_briefly(request: HttpRequest) -> None:
    note_briefly(request, _use_of(request))


def note_briefly(request: HttpRequest, values: dict[str, Any]) -> None:
    """Notes what is a convenience: a page does not wait for whoever writes to the database, and
    the next one notes it then."""
    was_modified = request.session.modified
    request.session.update(values)
    if was_modified:
        return  # it is written in any case
    try:
        with briefly():
            request.session.save()
    except Busy:
        pass
    except UpdateError:
        return  # it may have ended meanwhile: its middleware finds that out
    request.session.modified = False


def _use_of(request: HttpRequest) -> dict[str, Any]:
    return {
        SEEN: int(clock.now().timestamp()),
        ADDRESS: _stored(client_address(request), 45),
        USER_AGENT: user_agent(request),
    }


def user_agent(request: HttpRequest) -> str:
    """Returns the browser's name for itself, in 300 characters at most."""
    return _stored(request.headers.get("User-Agent", ""), 300)


def _stored(text: str, longest: int) -> str:
    """As any database takes it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:longest]
