"""Tables in text: CSV, whatever its separator and encoding."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from portal.imports.sheets.encodings import ENCODINGS, decoded
from portal.imports.sheets.headings import normal
from portal.imports.sheets.table import (
    Limits,
    Sheet,
    SheetRow,
    SheetUnreadable,
    make,
    unseen_in_words,
)
from portal.translation import gettext as _, gettext_lazy, number as shown_number
from portal.translation.phrases import joined
from portal.ui.addresses import has_unseen, people_in

_NAMED = frozenset({"email", "firstname", "lastname"})  # headings as `normal` makes them
_CELLS = 3  # of a pasted row that may be one person: more are a table that lacks its headings
_SEPARATORS = "\t;,|"
_PERSON_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")
_ADDRESS = re.compile(r"[^\s@<>(),;]@[^\s@<>(),;]")
_NAMED_ADDRESS = re.compile(r"<[^<>@\s]+@")
SEPARATORS = {
    ",": gettext_lazy("commas"),
    ";": gettext_lazy("semicolons"),
    "\t": gettext_lazy("tabs"),
    "|": gettext_lazy("vertical bars"),
}
_BOM_OF_OTHERS = "ï»¿"  # that of UTF-8, where a program took it for text
_SAMPLE = 64_000  # characters
_LEAST_SHARE = 0.25  # of rows with as many cells, where the first has one
_MOST_SEPARATORS = 100_000  # in a row, with those in its texts
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_TEXT = gettext_lazy("This is not a text table. Save it as CSV (UTF-8) or XLSX.")


def is_of_people(headings: Collection[str]) -> bool:
    """Returns whether a table of these headings is one of people."""
    return set(headings) >= _NAMED


def listed_people(text: str, headings: Collection[str], *, is_file: bool) -> str:
    """Returns the list in a text that names people from its first line on, or below a heading that
    stands alone; empty for others, such as a file with cells."""
    first, second = [*islice(map(itemgetter(0), _PERSON_LINE.finditer(text)), 2), "", ""][:2]
    if _ADDRESS.search(first) or ("<" in first and _NAMED_ADDRESS.search(text)):
        is_one = first.count("@") == 1 and "<" not in first
        cells = max(map(first.count, _SEPARATORS))
        return "" if is_one and cells >= (1 if is_file else _CELLS) else text
    if _NAMED_ADDRESS.search(text) and not any(each in first for each in _SEPARATORS):
        return text.partition(first)[2] if normal(first) in headings else text
    return text if second.lstrip().startswith("<") else ""


def read_people(text: str, limits: Limits, **values: Any) -> Sheet:
    """Returns a row for each person. Raises `SheetUnreadable`."""
    lines = enumerate(text.splitlines(), start=1)
    unseen = unseen_in_words(number for number, line in lines if has_unseen(line))
    rows = (
        SheetRow(number, (one.email or one.text, *one.names), one.problem)
        for number, one in enumerate(people_in(text), start=1)
    )
    head = SheetRow(0, (_("Email"), _("First name"), _("Last name")))
    description = _("Names and email addresses") + unseen
    return make(chain([head], rows), limits, description=description, **values)


def read_bytes(
    content: bytes, limits: Limits, encoding: str = "", headings: Collection[str] = ()
) -> Sheet:
    """Returns the table in a text file; `encoding` is a key of `ENCODINGS`, empty to detect it."""
    text, name, is_guess, is_doubtful = decoded(content, encoding)
    doubts = {"is_guess": is_guess, "is_doubtful": is_doubtful}
    return read_text(text, limits, encoding=name, headings=headings, **doubts)


def read_text(
    text: str,
    limits: Limits,
    *,
    headings: Collection[str] = (),
    encoding: str = "",
    **values: Any,
) -> Sheet:
    """Returns the table in a text, such as a pasted one."""
    _check_is_text(text)
    text = text.lstrip("\ufeff").removeprefix(_BOM_OF_OTHERS)
    read_as = {"encoding": encoding, **values}
    if is_of_people(headings):
        listed = listed_people(text, headings, is_file=bool(encoding))
        if listed.strip():
            return read_people(listed, limits, **read_as)
    text, separator = _separator(text)
    data = _("Columns separated by %(separators)s") % {"separators": SEPARATORS[separator]}
    if encoding:
        data = joined(", ", data, ENCODINGS[encoding])
    return make(_lines(text, separator, limits), limits, headings, description=data, **read_as)


def _check_is_text(text: str) -> None:
    """Refuses binary data. A few control characters are the problem of their rows."""
    result = Counter(text)
    controls = sum(result[chr(code)] for code in range(32) if chr(code) not in "\t\n\r")
    if controls > 10 and controls > len(text) // 500:
        raise SheetUnreadable(_NO_TEXT)


def _separator(text: str) -> tuple[str, str]:
    """Returns the text without a spreadsheet's `sep=;` line, and the separator of its cells: the
    one by which quotation marks enclose whole cells alone, and the most of the first rows have as
    many cells as the header row."""
    first, _end, rest = text.partition("\n")
    declared = first.strip().strip('"').lower()
    if declared.startswith("sep=") and declared[4:] in SEPARATORS:
        return rest, declared[4:]
    if first.strip("\r") == "sep=\t":
        return rest, "\t"
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample.rpartition("\n")[0] or sample
    return text, max(SEPARATORS, key=lambda separator: _fit(sample, separator))


def _fit(sample: str, separator: str) -> tuple[bool, float, int]:
    rows = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
    try:
        widths = [len(cells) for cells in rows if cells]
    except csv.Error:
        return False, 0, 0
    # Other rows may precede the header row, mostly of one cell.
    has_one = widths[:1] == [1]
    wide = [width for width in widths if width > 1]
    width = max(wide, key=wide.count, default=1) if has_one else (widths or [1])[0]
    share = sum(each == width for each in widths) / max(len(widths), 1)
    if width == 1 or (has_one and share < _LEAST_SHARE):
        return False, 0, 0
    return _has_whole_cells(sample, separator), share, width


def _has_whole_cells(sample: str, separator: str) -> bool:
    """Returns whether quotation marks enclose whole cells alone, but for a last one that is cut."""
    cell = rf'(?:"(?:[^"]++|"")*+(?:"|\Z)|[^"\r\n{separator}]*+)'
    return re.fullmatch(rf"(?:{cell}(?:[\r\n{separator}]|\Z))*+", sample) is not None


def _lines(text: str, separator: str, limits: Limits) -> Iterator[SheetRow]:
    separators = 0  # in a row; within quotation marks they count as well

    def lines() -> Iterator[str]:
        """Yields one line at a time, so that no row of endless cells is ever made."""
        nonlocal separators
        for line in _LINE.finditer(text):
            separators += line[0].count(separator)
            if separators > _MOST_SEPARATORS:
                raise SheetUnreadable(limits.too_many_columns)
            yield line[0]

    number = 1
    try:
        for cells in csv.reader(lines(), delimiter=separator, strict=True):
            separators = 0
            yield SheetRow(number, cells)
            number += 1
    except csv.Error as error:
        raise SheetUnreadable(_explained(number, str(error), limits)) from None


def _explained(number: int, error: str, limits: Limits) -> str:
    if "field larger" in error:  # untranslated: said by Python
        return _("A cell in row %(number)s contains more than %(most)s characters.") % {
            "number": number,
            "most": shown_number(limits.cell),
        }
    if "unexpected end" in error:  # untranslated: said by Python
        return _("A quotation mark in row %(number)s or before is opened and never closed.") % {
            "number": number
        }
    return _(
        "Row %(number)s cannot be read: there is text between a closing quotation mark and the "
        "separator. Within quotation marks, write them twice."
    ) % {"number": number}
