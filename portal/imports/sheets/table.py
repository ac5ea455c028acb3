"""A table of text, and its making from rows of cells."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, dropwhile, islice
from typing import Any, Self

from pydantic_core import from_json, to_json

from portal.access.cells import as_typed
from portal.imports.sheets.garbled import is_garbled
from portal.imports.sheets.headings import normal
from portal.translation import gettext as _, ngettext, number
from portal.translation.phrases import Phrase
from portal.ui.addresses import has_unseen, visible
from portal.ui.uploads import MOST

MEGABYTE = 1_000_000
_MOST_NAMED = 5  # rows
_MOST_FOREIGN = 12  # cells by which users judge an encoding
SAMPLES = 3  # values of a column
_SHOWN = 60  # characters of a sample
_HIDDEN = ("hidden_rows", "hidden_columns")
_LATER = {*_HIDDEN, "is_doubtful"}  # which the release before does not know
_MOST_ABOVE = 1_000  # rows among which the headings stand
_MOST_CELLS_ABOVE = 200_000
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

    `encoding` is a key of `ENCODINGS`, empty for a workbook; `is_guess` says that it may be wrong,
    `is_doubtful` that another makes as likely names of the same file.
    `sheet` is the name of the sheet that was read, and `sheets` are all that are not empty.
    `hidden_rows` are the numbers of rows that it hides, as by a filter, and `hidden_columns` the
    places of such columns. `words` has what the description and the problems of rows are made of,
    by text; it is stored beside the table.
    """

    headers: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    description: str = ""
    encoding: str = ""
    is_guess: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = field(default=())
    hidden_rows: tuple[int, ...] = field(default=())
    hidden_columns: tuple[int, ...] = field(default=())
    is_doubtful: bool = False
    words: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def shown(self) -> Self:
        """Returns the table without the rows that its sheet hides."""
        hidden = frozenset(self.hidden_rows)
        rows = tuple(row for row in self.rows if row.number not in hidden)
        return replace(self, rows=rows) if hidden else self

    @property
    def hidden_numbers(self) -> str:
        return listed_rows(self.hidden_rows)

    @property
    def hidden_in_words(self) -> str:
        """Returns what became of the rows that the sheet hides; empty if it hides none."""
        if not self.hidden_rows:
            return ""
        count = len(self.hidden_rows)
        if {row.number for row in self.rows} & set(self.hidden_rows):
            words = ngettext(
                "%(count)s row that the sheet hides is imported too: %(rows)s.",
                "%(count)s rows that the sheet hides are imported too: %(rows)s.",
                count,
            )
        else:
            words = ngettext(
                "%(count)s row that the sheet hides is left out: %(rows)s.",
                "%(count)s rows that the sheet hides are left out: %(rows)s.",
                count,
            )
        return words % {"count": number(count), "rows": self.hidden_numbers}

    def remembered(self) -> Self:
        """Returns the table with its texts as phrases, by its `words`."""
        if not self.words:
            return self
        rows = tuple(
            replace(row, problem=self._phrase(row.problem)) if row.problem else row
            for row in self.rows
        )
        return replace(self, description=self._phrase(self.description), rows=rows)

    def _phrase(self, text: str) -> str:
        return Phrase(text, self.words[text]) if text in self.words else text

    def column(self, place: int) -> list[str]:
        return [row.cells[place] for row in self.rows]

    def foreign(self) -> list[str]:
        """Returns some of the cells with letters that encodings differ in, garbled ones first."""
        cells = [cell for row in self.rows for cell in row.cells if not cell.isascii()]
        first = chain(filter(is_garbled, cells), cells)
        return list(dict.fromkeys(islice(first, _MOST_FOREIGN)))

    def samples(self, place: int) -> list[str]:
        """Returns a few different values of a column, by which users map it."""
        cells = list(dict.fromkeys(filter(None, map(str.strip, self.column(place)))))
        if self.is_guess:  # a mistake in the encoding shows in what is no plain letter
            cells.sort(key=str.isascii)
        return [cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…" for cell in cells[:SAMPLES]]

    def dump(self) -> bytes:
        """Returns the table as JSON, which the release before reads unless it has
        something of what is new."""
        rows = [(row.number, row.cells, row.problem) for row in self.rows]
        values = {name: each for name, each in vars(self).items() if each or name not in _LATER}
        del values["words"]
        return to_json({**values, "rows": rows})

    @classmethod
    def load(cls, content: bytes) -> Self:
        """Returns the table that `dump` wrote."""
        data = from_json(content)
        rows = tuple(_loaded(data["rows"]))
        named = {
            name: tuple(data[name]) for name in ("headers", "sheets", *_HIDDEN) if name in data
        }
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
    filled: Iterator[SheetRow] = dropwhile(
        _is_blank, (line for line in lines if line.problem or not _is_blank(line))
    )
    top = _top(filled)
    if not top:
        raise SheetUnreadable(_("The file is empty."))
    place = _place_of_head(top, headings)
    head, rest = top[place], chain(top[place + 1 :], filled)
    if place:
        above = _("the rows above row %(number)s are left out") % {"number": head.number}
        description = description + ", " + above
    elif headings and not most_headings([head.cells], headings):
        words = _(
            "no heading was recognised down to row %(last)s, so row %(first)s is taken for it"
        )
        description += ", " + words % {"first": head.number, "last": top[-1].number}
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


def _top(lines: Iterator[SheetRow]) -> list[SheetRow]:
    """Takes the first lines, as many as headings are looked for in."""
    top: list[SheetRow] = []
    cells = 0
    while len(top) < _MOST_ABOVE and cells < _MOST_CELLS_ABOVE and (line := next(lines, None)):
        top.append(line)
        cells += len(line.cells)
    return top


def _is_blank(line: SheetRow) -> bool:
    return not any(cell.strip() for cell in line.cells)


def unseen_in_words(numbers: Iterable[int]) -> str:
    """Returns the words of a description about rows with invisible characters, which `plain`
    removes; empty if there are none."""
    rows = list(numbers)
    if not rows:
        return ""
    words = ngettext(
        "characters that cannot be seen were removed from %(count)s row: %(rows)s",
        "characters that cannot be seen were removed from %(count)s rows: %(rows)s",
        len(rows),
    )
    return ", " + words % {"count": number(len(rows)), "rows": listed_rows(rows)}


def listed_rows(numbers: Sequence[int]) -> str:
    """Returns the first of these numbers of rows in words."""
    more = ", …" if len(numbers) > _MOST_NAMED else ""
    return ", ".join(map(str, numbers[:_MOST_NAMED])) + more


def _place_of_head(lines: Sequence[SheetRow], headings: Collection[str]) -> int:
    """Returns the place of the first line with most of the headings: at least two of them, or one
    alone in its line."""
    most, place = 0, 0
    for at, line in enumerate(lines):
        count, cells = _headings_in(line.cells, headings)
        if count > most and (at == 0 or count > 1 or cells == 1):
            most, place = count, at
    return place


def _headings_in(texts: Iterable[str], headings: Collection[str]) -> tuple[int, int]:
    """Returns the count of headings among these texts, and that of different texts."""
    cells = {normal(cell) for cell in texts if cell.strip()}
    return len(cells.intersection(headings)), len(cells)


def most_headings(lines: Iterable[Iterable[str]], headings: Collection[str]) -> int:
    """Returns the most headings that one of these lines has."""
    return max((_headings_in(line, headings)[0] for line in lines), default=0)


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
