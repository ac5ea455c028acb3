"""Cells of CSV files: no spreadsheet takes one for a formula, and an import undoes that.

A spreadsheet runs what begins with one of these signs, spaces before it or not. An apostrophe in
front keeps it a text. What already has apostrophes in front gets one more, so that taking one away
is always the way back.
"""

_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def harmless(text: str) -> str:
    """The cell as a CSV file may hold it."""
    return f"'{text}" if _is_risky(text.lstrip("'")) else text


def as_typed(text: str) -> str:
    """The cell as it was before `harmless`; also of a file that never went through it."""
    return text[1:] if text.startswith("'") and _is_risky(text.lstrip("'")) else text


def _is_risky(text: str) -> bool:
    return text.startswith(_SIGNS) or text.lstrip().startswith(_SIGNS)
