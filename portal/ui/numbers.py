"""Numbers and sizes: parsed from URLs, forms and the service, and as people read them."""

import re
from collections.abc import Iterable
from typing import Any

from portal.translation import number
from portal.translation.phrases import phrase

_MOST_DIGITS = 18  # digits that a database takes for a whole number
_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")  # untranslated: symbols
_SIZE = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?)\s*([KMGTP]?)B?", re.IGNORECASE)
_GIGABYTES = {"K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3, "P": 1e6}
_LONGEST = 40  # characters


def as_number(text: str) -> int | str:
    """Returns the number that a text is; the text if it is none."""
    number = whole(text)
    return text if number is None else number


def as_percent(value: int | str | None) -> int | str:
    """Returns the number of a share as the service writes it, 58 of "58%"."""
    return as_number(str("" if value is None else value).removesuffix("%"))


def whole(text: str) -> int | None:
    """Returns the number that plain digits mean, and nothing of what else `int` would take."""
    is_plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_plain else None


def gigabytes(value: Any) -> float | None:
    """Returns a size that the service writes as "12.34 GB"; the unit may be missing."""
    result = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if result is None or len(value) > _LONGEST:
        return None
    return round(float(result[1].replace(",", "")) * _GIGABYTES[result[2].upper() or "G"], 6)


def included(values: Iterable[float | None]) -> float | None:
    """Returns how much may be stored: what comes with licences and with the plan together."""
    numbers = [value for value in values if value is not None]
    return sum(numbers) if numbers else None


@phrase
def size_in_words(size: int | float | None) -> str:
    """Returns a number of bytes as people read it: `35.9 GB`. Empty if it is not known."""
    if size is None:
        return ""
    value, place = float(size), 0
    while abs(value) >= 999.95 and place < len(_UNITS) - 1:
        value, place = value / 1000, place + 1
    return f"{number(value, 1 if place else 0)} {_UNITS[place]}"


def spaced(number: str) -> str:
    """Returns a meeting ID as it is read aloud: 123 4567 8901."""
    if not number.isdecimal() or len(number) < 9:
        return number
    last = 4 if len(number) > 9 else 3
    return f"{number[:3]} {number[3:-last]} {number[-last:]}"
