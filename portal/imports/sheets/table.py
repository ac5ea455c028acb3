"""A table of text, and its making from rows of cells."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, dropwhile, islice
from typing import Any, Self

from pydantic_core import from_json, to_json

from portal.access.cells import as_typed
from portal.imports.sheets.headings import normal
from portal.translation import gettext as _, ngettext, number
from portal.ui.addresses import has_unseen, visible
from portal.ui.uploads import MOST

MEGABYTE = 1_000_000
_MOST_NAMED = 5  # rows with invisible characters
SAMPLES = 3  # values of a column
_SHOWN = 60  # characters of a sample
_MOST_ABOVE = 30  # rows among which the headings stand
_CONTROLS = {
    code: "\ufffd" for code in (*range(32), *range(0xD800, 0xE000)) if chr(code) not in "\t\n\r"
}


class SheetUnreadable(ValueError):
    """Raised if no table can be read; the text says why, and what to do."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a file and of the table in it.

    `size` and `unpacked` are bytes, of the file and of what a workbook unpacks to; `cells` are
    those in columns that have a name; `cell` and `characters` are characters, of one cell and of
    all together.
    """

    size: int = MOST
    unpacked: int = 120 * MEGABYTE
    rows: int = 50_000
    columns: int = 100
    cells: int = 2_000_000
    cell: int = 5_000
    characters: int = 20_000_000

    def check_size(self, size: int) -> None:
        if size > self.size:
            raise SheetUnreadable(self.too_large)

    @property
    def too_large(self) -> str:
        return _(
            "The file is larger than %(size)s MB. Remove what is not needed, or split the file."
        ) % {"size": self.size // MEGABYTE}

    @property
    def too_many_columns(self) -> str:
        return _(
            "The table has more than %(columns)s columns. Remove those that are not needed."
        ) % {"columns": self.columns}


@dataclass(frozen=True)
class SheetRow:
    """A row with the `number` that a spreadsheet program shows; in a `Sheet` it has as many cells
    as there are headers. `problem` says why it may be wrong, and is mostly empty."""

    number: int
    cells: Sequence[str]
    problem: str = ""


@dataclass(frozen=True)
class Sheet:
    """Table of text, without the apostrophes that exports put before a text like a formula.
    `description` says how it was read.

    `encoding` is a key of `ENCODINGS`, empty for a workbook; `is_guess` says that it may be wrong.
    `sheet` is the name of the sheet that was read, and `sheets` are all that are not empty.
    """

    headers: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    description: str = ""
    encoding: str = ""
    is_guess: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = field(default=())

    def column(self, place: int) -> list[str]:
        return [row.cells[place] for row in self.rows]

    def samples(self, place: int) -> list[str]:
        """Returns a few different values of a column, by which users map it."""
        cells = list(dict.fromkeys(filter(None, map(str.strip, self.column(place)))))
        if self.is_guess:  # a mistake in the encoding shows in what is no plain letter
            cells.sort(key=str.isascii)
        return [cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…" for cell in cells[:SAMPLES]]

    def dump(self) -> bytes:
        """Returns the table as JSON."""
        rows = [(row.number, row.cells, row.problem) for row in self.rows]
        return to_json({**vars(self), "rows": rows})

    @classmethod
    def load(cls, content: bytes) -> Self:
        """Returns the table that `dump` wrote."""
        data = from_json(content)
        rows = tuple(_loaded(data["rows"]))
        named = {name: tuple(data[name]) for name in ("headers", "sheets")}
        return cls(**{**data, **named, "rows": rows})


def _loaded(values: list[Any]) -> Iterator[SheetRow]:
    """Yields the dumped rows; each is removed from the list as it is made, to save memory."""
    met: dict[str, str] = {}
    values.reverse()
    while values:
        number, cells, problem = values.pop()
        yield SheetRow(number, tuple(met.setdefault(cell, cell) for cell in cells), problem)


def make(
    lines: Iterable[SheetRow],
    limits: Limits,
    headings: Collection[str] = (),
    *,
    description: str = "",
    **values: Any,
) -> Sheet:
    """Returns the table of these lines. The first line that is not empty is the header row, unless
    one of the next has more of the `headings`."""
    # A row can have a problem and no text, such as a single formula without a result.
    filled = dropwhile(_is_blank, (line for line in lines if line.problem or not _is_blank(line)))
    top = list(islice(filled, _MOST_ABOVE))
    if not top:
        raise SheetUnreadable(_("The file is empty."))
    place = _place_of_head(top, headings)
    head, rest = top[place], chain(top[place + 1 :], filled)
    if place:
        above = _("the rows above row %(number)s are left out") % {"number": head.number}
        description = f"{description}, {above}"
    headers = [" ".join(plain(as_typed(cell)).split()) for cell in head.cells]
    while headers and not headers[-1]:
        headers.pop()
    if len(headers) > limits.columns:
        raise SheetUnreadable(limits.too_many_columns)
    _check_head(headers, head, limits)
    body = list(_body(rest, len(headers), limits))
    if not body:
        raise SheetUnreadable(_("The file has a header row but no data rows."))
    description += unseen_in_words(row.number for row in body if any(map(has_unseen, row.cells)))
    return Sheet(tuple(headers), tuple(body), description, **values)


def _is_blank(line: SheetRow) -> bool:
    return not any(cell.strip() for cell in line.cells)


def unseen_in_words(numbers: Iterable[int]) -> str:
    """Returns the words of a description about rows with invisible characters, which `plain`
    removes; empty if there are none."""
    rows = list(numbers)
    if not rows:
        return ""
    listed = ", ".join(map(str, rows[:_MOST_NAMED])) + (", …" if len(rows) > _MOST_NAMED else "")
    words = ngettext(
        "characters that cannot be seen were removed from %(count)s row: %(rows)s",
        "characters that cannot be seen were removed from %(count)s rows: %(rows)s",
        len(rows),
    )
    return ", " + words % {"count": number(len(rows)), "rows": listed}


def _place_of_head(lines: Sequence[SheetRow], headings: Collection[str]) -> int:
    """Returns the place of the first line with most of the headings: at least two of them, or one
    alone in its line."""
    most, place = 0, 0
    for at, line in enumerate(lines):
        cells = {normal(cell) for cell in line.cells if cell.strip()}
        count = len(cells & set(headings))
        if count > most and (at == 0 or count > 1 or len(cells) == 1):
            most, place = count, at
    return place


def _check_head(headers: list[str], head: SheetRow, limits: Limits) -> None:
    if head.problem or any(len(cell) > limits.cell for cell in headers):
        raise SheetUnreadable(
            _("The header row (row %(number)s) cannot be read. %(problem)s")
            % {"number": head.number, "problem": head.problem}
        )
    value = next((cell for cell in headers if _is_value(cell)), None)
    if value:
        raise SheetUnreadable(
            _(
                "The first row has to name the columns, and holds “%(cell)s”. Put a row above it "
                "with a name for each column, such as those in the template."
            )
            % {"cell": value[:60]}
        )


def _is_value(cell: str) -> bool:
    """Returns whether a heading looks like a value, which years and other short numbers do not."""
    name, at, domain = cell.partition("@")
    return bool(name and at and "." in domain) or (cell.isdigit() and len(cell) > 4)


def _body(lines: Iterable[SheetRow], width: int, limits: Limits) -> Iterable[SheetRow]:
    characters = 0
    met: dict[str, str] = {}  # texts of many cells are stored once
    for count, line in enumerate(lines, start=1):
        characters += sum(map(len, line.cells))
        if count > limits.rows:
            words = _("The table has more than %(rows)s rows. Split it into several files.")
            raise SheetUnreadable(words % {"rows": number(limits.rows)})
        if characters > limits.characters:
            raise SheetUnreadable(_("The table contains too much text. Split it."))
        if count * width > limits.cells:
            words = _(
                "The table has more than %(cells)s cells. Remove columns that are not needed, or "
                "split the file."
            )
            raise SheetUnreadable(words % {"cells": number(limits.cells)})
        cells, problem = _row(line, width, limits)
        same = tuple(met.setdefault(cell, cell) for cell in cells)
        yield SheetRow(line.number, same, problem)


def _row(line: SheetRow, width: int, limits: Limits) -> tuple[tuple[str, ...], str]:
    """Returns the cells of a row within the limits, and the problem of the row."""
    whole = (*map(as_typed, line.cells[:width]), *("",) * (width - len(line.cells)))
    clean = tuple(cell[: limits.cell].translate(_CONTROLS) for cell in whole)
    if line.problem or (clean == whole and not any(map(str.strip, line.cells[width:]))):
        return clean, line.problem
    if any(map(str.strip, line.cells[width:])):
        words = _(
            "The row has %(count)s cells, for columns with a name: %(width)s. A text with a "
            "separator in it needs quotation marks around it."
        )
        return clean, words % {"count": len(line.cells), "width": width}
    if any(len(cell) > limits.cell for cell in whole):
        words = _("A cell contains more than %(most)s characters.")
        return clean, words % {"most": number(limits.cell)}
    return clean, _("A cell contains a control character. Type the text again.")


def plain(cell: str) -> str:
    """Returns a cell without surrounding space and invisible characters."""
    return cell.strip() if cell.isascii() else visible(cell).strip()


def lost_zeros(table: Sheet, place: int, digits: int) -> list[SheetRow]:
    """Returns the rows that lack zeros in a column of so many digits, as spreadsheets drop them."""
    return [
        row
        for row in table.rows
        if 0 < len(cell := row.cells[place].strip()) < digits and cell.isascii() and cell.isdigit()
    ]
