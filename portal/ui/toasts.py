"""Short notices of what happened, shown once on the page that comes next."""

from typing import Literal

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse

from portal.access.audit.reading import lines
from portal.access.calls import done_now
from portal.access.can import can
from portal.access.undo.recorded import inverse_operation, obstacle

Level = Literal["neutral", "good", "warning", "bad"]

_LEVELS: dict[Level, int] = {
    "neutral": messages.INFO,
    "good": messages.SUCCESS,
    "warning": messages.WARNING,
    "bad": messages.ERROR,
}
_NAMES: dict[int, Level] = {number: name for name, number in _LEVELS.items()}


def toast(request: HttpRequest, level: Level, text: str, undo: str = "") -> None:
    """Says `text` on this answer, or on the next page if this one sends the browser on.

    Words are in the language of the request, also if they are lazy: they are stored after it.
    Where it is about one write that can be undone, it leads to that; `undo` is the page that undoes
    what is no write to the service.
    """
    if level == "good" and not undo:
        undo = _undo_url(request)
    messages.add_message(request, _LEVELS[level], str(text), extra_tags=undo)


def _undo_url(request: HttpRequest) -> str:
    """The page that undoes the write of this request; empty for none, for several, and for one
    that has no way back for this person."""
    done, connection = done_now(), getattr(request, "connection", None)
    if len(done) != 1 or connection is None:
        return ""
    [sequence] = done
    entry = lines().filter(sequence=sequence).first()
    by = inverse_operation(entry) if entry and not obstacle(entry) else None
    if by is None or not can(request)["can"].call(by):
        return ""
    return reverse("changes:undo", args=[connection.key, sequence])


def level_of(number: int) -> Level:
    """The state that a message of Django or of a library is shown in."""
    return _NAMES.get(number, "neutral")
