"""Parts of a workbook that openpyxl's read-only mode does not see: hidden rows and columns, merged
cells, and the names of Strict Open XML."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import IO, Any
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZipFile

_CHUNK = 1_000_000
_MOST_ROWS = 1_048_576
_MOST_MERGED = 100_000
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
# The names of Strict Open XML, each with that of usual workbooks.
_STRICT = {
    b"http://purl.oclc.org/ooxml/spreadsheetml/main": _MAIN.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": _RELATIONSHIPS.encode(),
}
_ROW, _COLUMN, _MERGED = (" ".join((_MAIN, name)) for name in ("row", "col", "mergeCell"))
_YES = {"1", "true"}
Cells = tuple[Any, ...]
NumberedCells = tuple[int, Cells]


class TooMuch(ValueError):
    """Raised for a sheet that says more than a table can need."""


@dataclass
class SheetLayout:
    """Layout of a sheet: which rows, by number, and columns, by place, are hidden, and which cells
    are merged over several rows: first and last row, and place of the column."""

    hidden_rows: bytearray = field(default_factory=lambda: bytearray(_MOST_ROWS + 1))
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)

    def hides(self, number: int) -> bool:
        return number <= _MOST_ROWS and bool(self.hidden_rows[number])

    def spread(self, rows: Iterable[NumberedCells], used: set[int]) -> Iterator[NumberedCells]:
        """Yields the rows, with the merged cells in each of theirs that has cells of its own.

        Adds to `used` the places in `merged` of those that were needed.
        """
        waiting = sorted(enumerate(self.merged), key=lambda each: each[1], reverse=True)
        begun: dict[int, tuple[int, int, Any]] = {}  # by column: last row, which one, the cell
        for number, cells in rows:
            present = {place for place, cell in enumerate(cells) if cell.value not in (None, "")}
            while waiting and waiting[-1][1][0] <= number:
                which, (first, last, place) = waiting.pop()
                if first == number and place in present:
                    begun[place] = last, which, cells[place]
            begun = {place: one for place, one in begun.items() if one[0] >= number}
            missing = [place for place in begun if place not in present] if present else []
            yield number, _filled(cells, {place: begun[place][2] for place in missing})
            used.update(begun[place][1] for place in missing)


def _filled(cells: Cells, values: Mapping[int, Any]) -> Cells:
    if not values:
        return cells
    from openpyxl.cell.read_only import EMPTY_CELL  # noqa: PLC0415 - large, as in `workbook`

    results = [*cells, *[EMPTY_CELL] * (max(values) + 1 - len(cells))]
    for place, cell in values.items():
        results[place] = cell
    return tuple(results)


def layout_of(stream: IO[bytes], columns: int) -> SheetLayout:
    """Returns the layout of a sheet's first `columns`, by the stream of its XML, and keeps
    nothing else. Raises `TooMuch`."""
    from openpyxl.utils.cell import range_boundaries  # noqa: PLC0415 - as above

    result, number = SheetLayout(), 0

    def begin(name: str, values: dict[str, str]) -> None:
        nonlocal number
        if name == _ROW:
            number = int(float(values["r"])) if "r" in values else number + 1
            if 0 < number <= _MOST_ROWS and _is_hidden(values, "ht"):
                result.hidden_rows[number] = 1
        elif name == _COLUMN and _is_hidden(values, "width"):
            last = min(int(values["max"]), columns)
            result.hidden_columns.update(range(int(values["min"]) - 1, last))
        elif name == _MERGED:
            with suppress(ValueError, TypeError):  # no range, or one without an end
                bounds: Any = range_boundaries(values.get("ref", ""))
                column, first, _column, last = bounds
                if last > first and column <= columns:
                    result.merged.append((first, last, column - 1))
            if len(result.merged) > _MOST_MERGED:
                raise TooMuch

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = _refuse
    while piece := stream.read(_CHUNK):
        parser.Parse(piece)
    parser.Parse(b"", True)
    return result


def _refuse(*_args: object) -> None:
    raise TooMuch


def _is_hidden(values: dict[str, str], size: str) -> bool:
    return values.get("hidden") in _YES or values.get(size) in {"0", "0.0"}


def is_strict(archive: ZipFile) -> bool:
    with archive.open("xl/workbook.xml") as stream:
        return any(name in stream.read(_CHUNK) for name in _STRICT)


def usual(content: bytes) -> bytes:
    """Returns a workbook in Strict Open XML with the names of usual ones, which stand in the heads
    of its parts."""
    buffer = BytesIO()
    with (
        ZipFile(BytesIO(content)) as old,
        ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for member in old.infolist():
            with old.open(member) as source, new.open(member.filename, "w") as target:
                target.write(_renamed(source.read(_CHUNK)))
                while piece := source.read(_CHUNK):
                    target.write(piece)
    return buffer.getvalue()


def _renamed(head: bytes) -> bytes:
    for strict, name in _STRICT.items():
        head = head.replace(strict, name)
    return head
