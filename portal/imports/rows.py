"""Reads the rows of an import: each cell by the field that its column is mapped to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from portal.contract.model import Model
from portal.contract.problems import problems
from portal.imports.columns import Column
from portal.imports.sheets import Sheet, SheetRow
from portal.imports.values import text_of, value_of
from portal.translation import gettext as _

ID = "id"


@dataclass
class ImportRow:
    """A row's request: `values` by the interface's names, as JSON has them.

    `cells` are as they came; `problems` are pairs of a heading and what is wrong.
    """

    number: int
    id: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class ImportMapping:
    """The meaning of each column of a table: the name of one of `columns`, or nothing."""

    columns: Mapping[str, Column]
    names: Sequence[str]
    headings: Sequence[str]

    def heading(self, name: str) -> str:
        """Returns the table's heading of a column; the column's title if the table has none."""
        called = dict(zip(self.names, self.headings, strict=True)).get(name)
        return called or (self.columns[name].title if name in self.columns else name)

    @property
    def ignored(self) -> list[str]:
        pairs = zip(self.headings, self.names, strict=True)
        return [heading or _("(no header)") for heading, name in pairs if not name]

    def rows(self, table: Sheet) -> Iterator[ImportRow]:
        return (self._row(row) for row in table.rows)

    def check(self, row: ImportRow, model: type[Model], values: Mapping[str, Any]) -> None:
        """Adds what the contract says against some values; one problem a column is enough."""
        met = {heading for heading, _words in row.problems}
        try:
            model.model_validate(values)
        except ValidationError as error:
            for problem in problems(error):
                heading = self.heading(problem.field.partition(".")[0])
                if heading not in met:
                    row.problems.append((heading, problem.message))

    def _row(self, row: SheetRow) -> ImportRow:
        read = ImportRow(row.number)
        if row.problem:
            read.problems.append(("", row.problem))
        for name, cell in zip(self.names, row.cells, strict=True):
            if not name:
                continue
            read.cells[name] = cell.strip()
            if text := text_of(cell):
                self._take(read, name, text)
        return read

    def _take(self, row: ImportRow, name: str, text: str) -> None:
        if name == ID:
            row.id = text
            return
        try:
            row.values[name] = value_of(self.columns[name], text)
        except ValueError as wrong:
            row.problems.append((self.heading(name), str(wrong)))
