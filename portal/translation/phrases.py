"""Words that are stored as what they are made of, and read in any language and time zone.

    with remembered():
        words = _("Hosted by %(host)s") % {"host": "Ada"}
    made_of([words])  # {"Hosted by Ada": ["%", ["gettext", "Hosted by %(host)s"], {"host": "Ada"}]}

    say(["gettext", "Deleted"], "Deleted")  # "Gelöscht", for a reader of German

Phrases stay phrases where they are added, and where nothing is stripped from them. Words that were
put together in another way, by an f-string or by `str.join` for two, are plain text: `joined` joins
phrases.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import wraps
from typing import Any, ParamSpec

from django.utils.functional import Promise

P = ParamSpec("P")
_FILLED = "%"
_remembers = ContextVar("remembers", default=False)
_makers: dict[str, Callable[..., str]] = {}


class Phrase(str):
    """Text in the language of now; `parts` are the name of what made it, and its arguments."""

    __slots__ = ("parts",)
    parts: list[Any]

    def __new__(cls, text: str, parts: Iterable[Any] = ()) -> "Phrase":
        result = super().__new__(cls, text)
        result.parts = list(parts)
        return result

    def __str__(self) -> str:
        return self

    def __mod__(self, values: Any) -> str:
        text = super().__mod__(values)
        if not isinstance(values, Mapping):
            return text
        kept = {name: _kept(one) for name, one in values.items()}
        return Phrase(text, [_FILLED, self.parts, kept])

    def __add__(self, other: str) -> str:
        return _added(self, other)

    def __radd__(self, other: str) -> str:
        return _added(other, self)

    def strip(self, characters: str | None = None, /) -> str:
        return self._unless_changed(super().strip(characters))

    def rstrip(self, characters: str | None = None, /) -> str:
        return self._unless_changed(super().rstrip(characters))

    def removeprefix(self, prefix: str, /) -> str:
        return self._unless_changed(super().removeprefix(prefix))

    def removesuffix(self, suffix: str, /) -> str:
        return self._unless_changed(super().removesuffix(suffix))

    def _unless_changed(self, text: str) -> str:
        return self if text == self else text


@contextmanager
def remembered() -> Iterator[None]:
    """Context in which words are phrases, also in threads that run in a copy of it."""
    token = _remembers.set(True)
    try:
        yield
    finally:
        _remembers.reset(token)


def phrase(make: Callable[P, str]) -> Callable[P, str]:
    """Decorates a function that words are made by. Its positional arguments can be stored: they are
    words, numbers, days and moments."""
    name = make.__name__
    _makers[name] = make

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> str:
        text = make(*args, **kwargs)
        if kwargs or not text or not _remembers.get():
            return text
        return Phrase(text, [name, *map(_kept, args)])

    return made


@phrase
def joined(separator: str, *texts: str) -> str:
    """Returns several words in one text."""
    return separator.join(map(str, texts))


def _added(first: str, second: str) -> str:
    """Returns the second text behind the first, where one of both is a phrase."""
    if not first or not second:
        return first or second
    text = str.__add__(str(first), str(second))
    return Phrase(text, [joined.__name__, "", _kept(first), _kept(second)])


def made_of(texts: Iterable[object]) -> dict[str, list[Any]]:
    """Returns what these texts are made of; without the phrases that others of them equal."""
    texts = [one for one in texts if isinstance(one, str)]
    plain = {str(one) for one in texts if not isinstance(one, Phrase)}
    return {str(one): one.parts for one in texts if isinstance(one, Phrase) and one not in plain}


def say(parts: list[Any], otherwise: str) -> str:
    """Returns the words of these parts for the present reader; other words if they are of another
    release, which makes them by what this one lacks."""
    try:
        return _said(parts)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return otherwise


def _said(parts: list[Any]) -> str:
    name, *given = parts
    if name == _FILLED:
        words, values = given
        return _said(words) % {name: _read(one) for name, one in values.items()}
    return str(_makers[name](*map(_read, given)))


def _kept(value: Any) -> Any:
    """Returns an argument as JSON: a list stands for a phrase, a dictionary for a day or moment."""
    if isinstance(value, Promise):
        value = str(value)
    if isinstance(value, Phrase):
        return value.parts
    if isinstance(value, datetime):
        return {"at": value.isoformat()}
    if isinstance(value, date):
        return {"on": value.isoformat()}
    return value if value is None or type(value) in (bool, int, float) else str(value)


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return _said(value)
    if isinstance(value, dict):
        is_day = "on" in value
        return date.fromisoformat(value["on"]) if is_day else datetime.fromisoformat(value["at"])
    return value
