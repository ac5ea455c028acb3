"""Words in Latin letters that were read in another encoding than the one they are in."""

import re

_LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_SMALL = "a-z\u00df-\u00f6\u00f8-\u00ff"
_CAPITAL = "\u00c0-\u00d6\u00d8-\u00de\u0152\u0160\u017d\u0178"  # with an accent
# Without those that words have: apostrophes, hyphens, raised dots and letters, and numbers.
_SIGN = (
    "\u00a1-\u00a9\u00ab\u00ac\u00ae\u00af\u00b1\u00b5\u00b6\u00b8\u00b9\u00bb-\u00bf\u00d7\u00f7"
    "\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u2039\u2018\u201c\u201d\u2022\u02dc\u2122\u203a"
)
_GARBLED = re.compile(
    rf"[{_LETTER}][{_SIGN}]+[{_LETTER}]"
    rf"|[{_LETTER}][\u00a1-\u00a7\u00ac\u00bc-\u00bf](?!\w)"  # those that end no word
    rf"|[{_SMALL}](?:[\u2013\u2014](?=[a-z])|[{_CAPITAL}])"
)


def is_garbled(text: str) -> bool:
    """Returns whether words of a text have signs, or capitals, among their letters."""
    return not text.isascii() and _GARBLED.search(text) is not None
