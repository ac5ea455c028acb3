"""Measured values, which the service words as text with or without a unit: "1,234 kbps", "23 ms".

An unreadable, negative or impossible value is `None`: a gap, never a zero.
"""

import re
from dataclasses import dataclass
from enum import Enum
from math import isfinite

_LONGEST = 40  # characters; nothing longer is a measured value
_NUMBER = re.compile(r"(?P<number>\d[\d.,' ]*)(?P<unit>[^\d]*)")
_SIZE = re.compile(r"(\d{1,5})\s*[*x\N{MULTIPLICATION SIGN}]\s*(\d{1,5})(?:\s*(?:px|pixels?))?")
_SPACES = str.maketrans(dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\t", " "))


@dataclass(frozen=True)
class _Scale:
    """Units with their factors to the base unit; the empty one is for values without a unit.

    More than `most`, in the base unit, is impossible.
    """

    units: dict[str, float]
    most: float


_PER_SECOND = {"": 1e3}  # the interface's examples are in kbps
for _factor, _prefix in ((1.0, ""), (1e3, "k"), (1e6, "m"), (1e9, "g")):
    _PER_SECOND |= {f"{_prefix}{unit}": _factor for unit in ("bps", "b/s", "bit/s", "bits/s")}


class Quantity(Enum):
    """The quantity of a measurement, each in its base unit."""

    BITRATE = _Scale(_PER_SECOND, 1e11)  # bits a second
    TIME = _Scale(
        {
            "": 1.0,
            "ms": 1.0,
            "msec": 1.0,
            "s": 1e3,
            "sec": 1e3,
            "us": 1e-3,
            "\N{MICRO SIGN}s": 1e-3,
        },
        600_000,
    )  # milliseconds
    SHARE = _Scale({"": 1.0, "%": 1.0, "percent": 1.0, "pct": 1.0}, 100)  # per cent
    RATE = _Scale({"": 1.0, "fps": 1.0, "frames/s": 1.0, "hz": 1.0, "f/s": 1.0}, 1000)  # a second
    SIZE = _Scale({}, 20_000)  # lines of a picture


def read(quantity: Quantity, text: object) -> float | None:
    """Returns the value of a text in the base unit."""
    words = _plain(text)
    if words is None:
        return None
    if quantity is Quantity.SIZE:
        return _lines(words)
    match = _NUMBER.fullmatch(words)
    number = _number(match["number"]) if match else None
    if match is None or number is None:
        return None
    scale: _Scale = quantity.value
    factor = scale.units.get(match["unit"].strip())
    if factor is None:
        return None
    value = number * factor
    return value if isfinite(value) and value <= scale.most else None


def _plain(text: object) -> str | None:
    if not isinstance(text, str) or len(text) > _LONGEST:
        return None
    words = text.translate(_SPACES).strip().casefold().removeprefix("<").lstrip()
    return (
        words
        if words.isascii() or not any(one.isdigit() > one.isascii() for one in words)
        else None
    )


def _number(text: str) -> float | None:
    """Returns a number: the last point or comma may be decimal, groups have three digits."""
    digits = text.strip().replace(" ", "").replace("'", "")
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        group, mark = (",", ".") if point > comma else (".", ",")
    elif comma >= 0:
        is_grouped = re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", digits)
        group, mark = (",", ".") if is_grouped else (".", ",")
    else:
        group, mark = (",", ".") if digits.count(".") < 2 else (".", ",")
    whole, _, fraction = digits.partition(mark)
    if group in fraction or not re.fullmatch(rf"\d+|\d{{1,3}}({re.escape(group)}\d{{3}})+", whole):
        return None
    if fraction and not fraction.isdigit():
        return None
    return float(f"{whole.replace(group, '')}.{fraction or 0}")


def _lines(words: str) -> float | None:
    """Returns the lesser side of a size such as "1280*720", for a picture of either orientation."""
    match = _SIZE.fullmatch(words)
    if not match:
        return None
    lines = min(int(match[1]), int(match[2]))
    return float(lines) if 0 < lines <= Quantity.SIZE.value.most else None
