"""All decodings of a text, to find secrets that an answer repeats in encoded form."""

import re
from base64 import b64decode
from collections.abc import Iterator
from html import unescape

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
_HEX = re.compile(r"(?:[0-9a-f]{2}[\s:,-]*){4,}", re.IGNORECASE)
_NO_HEX = re.compile(r"[\s:,-]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}")
_URL_SAFE = str.maketrans("-_", "+/")


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
    yield " ".join(
        bytes.fromhex(_NO_HEX.sub("", run)).decode("latin-1") for run in _HEX.findall(text)
    )
    runs = _BASE64.findall("".join(text.split()).translate(_URL_SAFE))
    # What stands before it may have been taken for its beginning.
    for start in range(4):
        yield " ".join(_from_base64(run[start:]) for run in runs)


def _from_base64(run: str) -> str:
    whole = run[: len(run) - (len(run) % 4 == 1)]
    return b64decode(whole + "=" * (-len(whole) % 4)).decode("latin-1")


def _character(found: re.Match[str]) -> str:
    *hexadecimal, octal = found.groups()
    number = int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16)
    return chr(number) if number < 0x110000 else ""
