"""Parsing of numbers from URLs and forms."""

_LONGEST = 18  # digits that a database takes for a whole number


def as_number(text: str) -> int | str:
    """The number that a text is; the text if it is none."""
    number = whole(text)
    return text if number is None else number


def as_percent(value: int | str | None) -> int | str:
    """The number of a share as the service writes it, 58 of "58%"."""
    return as_number(str("" if value is None else value).removesuffix("%"))


def whole(text: str) -> int | None:
    """The number that plain digits mean, and nothing of what else `int` would take."""
    is_plain = text.isascii() and text.isdigit() and len(text) <= _LONGEST
    return int(text) if is_plain else None
