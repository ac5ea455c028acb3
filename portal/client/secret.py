"""A token that does not show itself."""

import re
from base64 import b64decode
from collections.abc import Iterator
from html import unescape
from typing import Never
from urllib.parse import quote, quote_plus

from portal.client.messages import LEFT_OUT
from portal.contract.words import gettext

_DEEPEST = 3  # encodings around each other
_ESCAPE = re.compile(
    r"""[%=]([0-9a-f]{2})              # percent-encoding, quoted-printable
      | (?:\\|0)x([0-9a-f]{2})         # \x41, 0x41
      | [\\%]u([0-9a-f]{4})            # \u0041
      | (?:\\u\{|U\+)([0-9a-f]{1,6})\}?
      | \\U([0-9a-f]{8})
      | \\([0-3][0-7]{2})              # octal
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEX = re.compile(r"(?:[0-9a-f][\s:,-]*){8,}", re.IGNORECASE)
_NO_HEX = re.compile(r"[\s:,-]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}")
_URL_SAFE = str.maketrans("-_", "+/")
_SHOWN = "••••"
_LONGEST = 20_000  # characters that are looked through
_SHORTEST = 8
_TOO_SHORT = 4  # to be distinguished from chance


def readings(text: str) -> Iterator[str]:
    """The text and everything that it decodes to; bytes as the characters of their numbers."""
    seen: set[str] = set()
    level = [text]
    for _ in range(_DEEPEST + 1):
        fresh = [each for each in dict.fromkeys(level) if each and each not in seen]
        seen.update(fresh)
        yield from fresh
        level = [decoded for each in fresh for decoded in _decoded(each)]


def squashed(text: str) -> str:
    """A text without case, and without what an encoding or a line break puts between characters."""
    return "".join(char for char in text if char.isprintable() and char not in " +").casefold()


def _decoded(text: str) -> Iterator[str]:
    yield unescape(_ESCAPE.sub(_character, text))
    # What stands before it may have been taken for its beginning.
    digits = [_NO_HEX.sub("", run) for run in _HEX.findall(text)]
    for start in range(2):
        pairs = [run[start : len(run) - (len(run) - start) % 2] for run in digits]
        yield " ".join(bytes.fromhex(run).decode("latin-1") for run in pairs)
    runs = _BASE64.findall("".join(text.split()).translate(_URL_SAFE))
    for start in range(4):
        rests = [run[start:] for run in runs]
        wholes = [rest[: len(rest) - (len(rest) % 4 == 1)] for rest in rests]
        yield " ".join(
            b64decode(whole + "=" * (-len(whole) % 4)).decode("latin-1") for whole in wholes
        )


def _character(match: re.Match[str]) -> str:
    *hexadecimal, octal = match.groups()
    number = int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16)
    return chr(number) if number < 0x110000 else ""


class Secret:
    """Holds a token. It is neither printed nor pickled; only `value` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    @property
    def value(self) -> str:
        return self._value

    def hide(self, text: str) -> str:
        """`text` without the token, as it is or percent-encoded.

        Where the token, or a good part of it, is in there in any other form, or may be, none of the
        text is left.
        """
        if not self._value:
            return text
        if len(text) > _LONGEST:
            return gettext(LEFT_OUT)
        for form in {self._value, quote(self._value, safe=""), quote_plus(self._value)}:
            text = text.replace(form, _SHOWN)
        fragments = self._fragments()
        is_in = any(one in read for read in map(squashed, readings(text)) for one in fragments)
        return gettext(LEFT_OUT) if is_in else text

    def _fragments(self) -> set[str]:
        """Returns all parts of the token that are half as long: each would give too much away."""
        forms = {squashed(self._value), squashed(self._value.encode().decode("latin-1"))}
        results = set()
        for form in forms:
            if len(form) < _TOO_SHORT:
                continue
            size = min(len(form), max(_SHORTEST, len(form) // 2))
            results |= {form[at : at + size] for at in range(len(form) - size + 1)}
        return results

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"Secret({_SHOWN})"

    def __str__(self) -> str:
        return _SHOWN

    def __reduce__(self) -> Never:
        raise TypeError("A token is not pickled: it would lie in task messages and caches.")
