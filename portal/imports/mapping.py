"""The mapping of a table's columns, and its rows, each with all of its problems."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, ClassVar, Self, TypeVar

from pydantic import ValidationError

from portal.contract.model import Model
from portal.contract.problems import problems
from portal.imports.columns import Column
from portal.imports.sheets import Sheet, SheetRow
from portal.imports.sheets.headings import FULL_NAME, OF_REPORTS, meant, normal
from portal.translation import gettext as _
from portal.ui.addresses import address_in

M = TypeVar("M", bound=Model)
R = TypeVar("R", bound="ImportRow")
NAMES = ("first_name", "last_name")
_MOST_TRIED = 50  # values of a column


def recognised(headings: Sequence[str], columns: Mapping[str, Column]) -> tuple[str, ...]:
    """Returns the name of the column that each heading means; empty if it means none."""
    return meant(headings, {name: column.headings for name, column in columns.items()})


def key_of(place: int) -> str:
    """Returns the name of a column that is not imported."""
    return f"column {place + 1}"


def _texts(table: Sheet, place: int) -> list[str]:
    """Returns some different values of a column; none of one that the sheet hides."""
    if place in table.hidden_columns:
        return []
    cells = dict.fromkeys(map(str.strip, table.column(place)))
    return list(filter(None, cells))[:_MOST_TRIED]


@dataclass(frozen=True)
class ImportMapping:
    """Mapping of a table's columns: for each the name of one of `columns`, or an empty text.
    `headings` are the table's.

    One name of each group in `needed` is required. A column that is not mapped is not reported if
    its normal heading is among `export_only`: exports have such columns, which cannot be changed.
    """

    names: Sequence[str]
    headings: Sequence[str] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    needed: Sequence[Sequence[str]] = ()
    export_only: Collection[str] = OF_REPORTS

    def unmapped(self, row: SheetRow) -> dict[str, str]:
        """Returns the cells of a row that are not imported, by `key_of`."""
        cells = enumerate(zip(self.names, row.cells, strict=True))
        return {key_of(at): cell for at, (name, cell) in cells if not name and cell.strip()}

    def title(self, name: str) -> str:
        return str(self.columns[name].title) if name in self.columns else name

    def place(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None

    def heading(self, name: str) -> str:
        """Returns the table's heading of a column; the column's title if the table has none."""
        place = self.place(name)
        called = "" if place is None else "".join(self.headings[place : place + 1])
        return called or self.title(name)

    @property
    def read_as(self) -> list[tuple[str, str]]:
        """Returns the headings, each with the title of its column."""
        pairs = zip(self.headings, self.names, strict=True)
        return [(heading, self.title(name)) for heading, name in pairs if name]

    @property
    def ignored(self) -> list[str]:
        pairs = zip(self.headings, self.names, strict=True)
        return [
            heading or _("(no header)")
            for heading, name in pairs
            if not name and normal(heading) not in self.export_only
        ]

    def problems(self) -> list[str]:
        """Returns why no table can be read with this mapping."""
        words = _("Several columns are mapped to “%(title)s”. Choose one.")
        several = (name for name, count in Counter(self.names).items() if name and count > 1)
        results = [words % {"title": self.title(name)} for name in several]
        words = _("Map a column to %(titles)s.")
        for missing in (one for one in self.needed if not {*one} & {*self.names}):
            quoted = (_("“%(title)s”") % {"title": self.title(name)} for name in missing)
            titles = _(" or ").join(quoted)
            results.append(words % {"titles": titles})
        return results

    def column_of(self, field: str) -> str:
        """Returns the name of the column that a field of the service came from; the field itself
        if there is none."""
        declared = (
            name for name, one in self.columns.items() if one.spec and one.spec.name == field
        )
        inner = (each for each in reversed(field.split(".")) if each in self.columns)
        return next(chain(declared, inner), field)

    def refused(self, field: str, message: str, cells: Mapping[str, str]) -> tuple[str, str]:
        """Returns the heading of the column that a refused field of the service came from, and the
        words with the cell; `cells` are those of the row, by the names of columns."""
        name = self.column_of(field)
        if name not in self.columns:
            return field, message
        if cell := cells.get(name, ""):
            message = _("%(message)s The table has “%(cell)s”.") % {
                "message": message,
                "cell": cell,
            }
        return self.heading(name), message

    def of_table(self, table: Sheet) -> Self:
        """Returns the same with the table's headings, and with the results of whole columns."""
        return replace(self, headings=table.headers)

    def fitted(self, table: Sheet) -> Self:
        """Returns what is proposed for a table.

        A column that its sheet hides, and one none of whose values is understood, as other products
        call other things so, means nothing; one without values leaves its name to the next heading
        for the same that has some. A column that is needed, or decides what a row makes, keeps its
        name if there is no other. Columns of a table that is headed as the templates are mean what
        they say: a value that is not understood is wrong there.
        """
        texts = [_texts(table, place) for place in range(len(table.headers))]
        names = [
            "" if place in table.hidden_columns else name for place, name in enumerate(self.names)
        ]
        if FULL_NAME in self.columns and not any(
            texts[place] for place, name in enumerate(names) if name in NAMES
        ):
            names = ["" if name in NAMES else name for name in names]
            self._give(FULL_NAME, names, texts)
        if all(one in self.columns or normal(one) in self.export_only for one in table.headers):
            return replace(self, names=tuple(names))
        for place, name in enumerate(names):
            column = self.columns.get(name)
            if column and not column.fits(texts[place]):
                names[place] = ""
                is_needed = column.decides or any(name in group for group in self.needed)
                if not self._give(name, names, texts) and (is_needed or not texts[place]):
                    names[place] = name
        return replace(self, names=tuple(names))

    def _give(self, name: str, names: list[str], texts: Sequence[Sequence[str]]) -> bool:
        """Gives the name to the likeliest column without one that has values for it."""
        column = self.columns[name]
        order = {normal(heading): place for place, heading in reversed([*enumerate(self.headings)])}
        for heading in column.headings:
            place = order.get(heading)
            if place is not None and not names[place] and column.fits(texts[place]):
                names[place] = name
                return True
        return False

    def rows(self, table: Sheet, kind: type["R"]) -> Iterator["R"]:
        """Yields each row of a table, read by a class and checked against the rows before it."""
        met = Repetitions()
        for sheet_row in table.rows:
            row = kind(self, sheet_row)
            try:
                row.read()
                row.complete()
                for name, value in row.unique():
                    if first := met.first(row, name, value):
                        row.problem(name, row.repeated % {"row": first, "value": value})
            except Exception as error:  # whatever a cell holds, the table's other rows are read
                row.error = error
            yield row


@dataclass
class ImportRow:
    """A row of a table: `values` by the names of columns, in the form of JSON.

    `cells` are as they were uploaded, without secrets; `problems` are pairs of a heading and words.
    A row with an `error` could not be read.
    """

    repeated: ClassVar[Any] = ""  # the problem of a value that the row `row` has as well

    mapping: ImportMapping = field(repr=False)
    row: SheetRow = field(repr=False)
    values: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)
    error: Exception | None = None

    @property
    def number(self) -> int:
        return self.row.number

    def read(self) -> None:
        """Reads each cell by its column."""
        if self.row.problem:
            self.problems.append(("", self.row.problem))
        columns = self.mapping.columns
        for name, cell in zip(self.mapping.names, self.row.cells, strict=True):
            if name not in columns:
                continue
            column = columns[name]
            if not column.is_secret:
                self.cells[name] = cell.strip()
            if text := column.text(cell):
                try:
                    self.values[name] = column.value(text)
                except ValueError as wrong:
                    self.problem(name, str(wrong))
        for name, part in zip(NAMES, self.values.pop(FULL_NAME, ()), strict=False):
            if part:
                self.values.setdefault(name, part)

    def read_beside(self, name: str, first_and_last: str) -> None:
        """Reads an address again that was refused for words around it: they may be the name in
        other columns."""
        cell, heading = self.cells.get(name, ""), self.mapping.heading(name)
        if name in self.values or not cell:
            return
        with suppress(ValueError):
            self.values[name] = address_in(cell, first_and_last)
            self.problems = [one for one in self.problems if one[0] != heading]

    def complete(self) -> None:
        """Checks the cells together, after each of them was read."""

    def unique(self) -> Iterable[tuple[str, str]]:
        """Returns the values that must be unique, each with the name of its column."""
        return ()

    def problem(self, name: str, words: str) -> None:
        self.problems.append((self.mapping.heading(name), words))

    def check(self, model: type[M], values: Mapping[str, object]) -> M | None:
        """Returns the values as a model of the contract. Adds the problems that it finds in columns
        without a problem so far."""
        met = {heading for heading, _words in self.problems}
        try:
            return model.model_validate(values)
        except ValidationError as error:
            for problem in problems(error):
                heading = self.mapping.heading(self.mapping.column_of(problem.field))
                if heading not in met:
                    self.problems.append((heading, problem.message))
        return None


class Repetitions:
    """Values of earlier rows, by which a second row about the same object is found."""

    def __init__(self) -> None:
        self._met: dict[tuple[str, str], int] = {}

    def first(self, row: ImportRow, name: str, value: str) -> int:
        """Returns the number of an earlier row with this value in a column; 0 if there is none, or
        the value is empty."""
        number = self._met.setdefault((name, value), row.number) if value else row.number
        return number if number != row.number else 0
