"""Cells of exported files: no spreadsheet takes one for a formula, and an import undoes that.

A spreadsheet runs what begins with one of these signs, spaces before it or not. One that splits
rows elsewhere than we do (at semicolons or tabs, or at line breaks within quotation marks) also
finds beginnings within a cell. An apostrophe at each such beginning keeps it a text. What already
has apostrophes there gets one more, so that taking one away is always the way back.
"""

import csv
import re
from collections.abc import Iterable
from typing import Literal

_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_BREAKS = ";\t\r\n"
_OTHER_SEPARATORS = re.compile("[;|\t]")
# What spreadsheets skip: spaces, quotation marks, and invisible characters.
_SKIPPED = (
    f'(?:(?![{_BREAKS}])[\\s"\\x00-\\x1f\\x7f\\xad\u200b-\u200f\u2060-\u2064\u2066-\u206f\ufeff])*'
)
_BEGINNING = f"(?:\\A|(?<=[{_BREAKS}]))"
_BECOMES_FORMULA = f"'*{_SKIPPED}{_SIGN}"
_STARTS_WITH_BREAK = "'*[\t\r\n]"
_RISKY = re.compile(f"{_BEGINNING}(?={_BECOMES_FORMULA})|\\A(?={_STARTS_WITH_BREAK})")
_MADE_HARMLESS = re.compile(f"{_BEGINNING}'(?={_BECOMES_FORMULA})|\\A'(?={_STARTS_WITH_BREAK})")


def harmless(text: str) -> str:
    """The cell as a file may hold it."""
    return _RISKY.sub("'", text)


def as_typed(text: str) -> str:
    """The cell as it was before `harmless`; also of a file that never went through it."""
    return _MADE_HARMLESS.sub("", text) if "'" in text else text


def csv_line(values: Iterable[object]) -> str:
    """Returns a row of a CSV file, with all texts made harmless.

    Texts are in quotation marks if one of them contains another separator of cells, so that
    programs that guess the separator are not led astray.
    """
    cells = [value if isinstance(value, int | float) else harmless(str(value)) for value in values]
    is_misleading = any(isinstance(cell, str) and _OTHER_SEPARATORS.search(cell) for cell in cells)
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if is_misleading else csv.QUOTE_MINIMAL
    # A writer of its own: threads do not share one.
    line: str = csv.writer(_Echo(), quoting=quoting).writerow(cells)
    return line


class _Echo:
    """A file with a `write` that returns its argument."""

    def write(self, text: str) -> str:
        return text
