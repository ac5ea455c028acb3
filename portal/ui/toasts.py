"""Short notices of what happened, shown once on the page that comes next."""

from typing import Literal

from django.contrib import messages
from django.http import HttpRequest

Level = Literal["neutral", "good", "warning", "bad"]

_LEVELS: dict[Level, int] = {
    "neutral": messages.INFO,
    "good": messages.SUCCESS,
    "warning": messages.WARNING,
    "bad": messages.ERROR,
}
_NAMES: dict[int, Level] = {number: name for name, number in _LEVELS.items()}


def toast(request: HttpRequest, level: Level, text: str) -> None:
    """Says `text` on this answer, or on the next page if this one sends the browser on."""
    messages.add_message(request, _LEVELS[level], text)


def level_of(number: int) -> Level:
    """The state that a message of Django or of a library is shown in."""
    return _NAMES.get(number, "neutral")
