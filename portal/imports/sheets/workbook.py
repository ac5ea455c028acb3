"""Tables in XLSX workbooks, read within bounds."""

import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import ZipFile, ZipInfo

from portal.imports.sheets.ooxml import SheetLayout, TooMuch, is_strict, layout_of, usual
from portal.imports.sheets.table import (
    Limits,
    Sheet,
    SheetRow,
    SheetUnreadable,
    make,
    most_headings,
)
from portal.translation import gettext as _, gettext_lazy, ngettext, number as shown_number

DAMAGED = gettext_lazy("This workbook is damaged. Save it again as XLSX, or as CSV (UTF-8).")
PROTECTED = gettext_lazy("This workbook is protected by a password. Save it without one.")
_BOMB = gettext_lazy("This workbook is too large when unpacked. Save it as CSV (UTF-8).")
_CHUNK = 1_000_000
_MOST_MEMBERS = 2_000
_MOST_PACKED = 150  # how many times larger unpacked than packed
_ALWAYS_ALLOWED = 5_000_000
_MOST_ROWS = 1_048_576
_MOST_PASSED = 3 * _MOST_ROWS
_MOST_CELLS = 10_000_000
# Tags in a part: those of cells, of texts that cells share, and of all that is read at once.
_TAGS = {"xl/worksheets/": 25_000_000, "xl/sharedstrings.xml": 4_000_000, "": 300_000}
# Where the sheet is looked for that has the headings.
_MOST_SHEETS = 20
_MOST_LOOKED_AT = 100  # rows
_TAGS_IN_A_ROW = 100_000
_HALF = timedelta(milliseconds=500)
_ROW = re.compile(rb"<(?:\w+:)?row[\s/>]")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
# The language of a number format, as in [$-es-ES], and its literal text.
_NO_CODES = re.compile(r'\[[^]]*\]|"[^"]*"|\\.')


def read(content: bytes, limits: Limits, sheet: str = "", headings: Collection[str] = ()) -> Sheet:
    """Returns the table in a sheet, or in the first one that is not empty."""
    try:
        has_formulas = _measure(content, limits)
        with ZipFile(BytesIO(content)) as archive:
            strict = is_strict(archive)
        content = usual(content) if strict else content
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about features that are not read
            return _read(content, limits, sheet, headings, has_formulas=has_formulas)
    except SheetUnreadable:
        raise
    except TooMuch:
        raise SheetUnreadable(_BOMB) from None
    except Exception as error:
        # zipfile and openpyxl raise the errors of their parsers: BadZipFile, KeyError, ParseError…
        raise SheetUnreadable(DAMAGED) from error


def _measure(content: bytes, limits: Limits) -> bool:
    """Refuses a file that is no plain workbook within the limits. Returns whether it has
    formulas."""
    with ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        names = {member.filename.lower() for member in members}
        if words := _refused(names, archive):
            raise SheetUnreadable(words)
        data = sum(member.file_size for member in members)
        if len(members) > _MOST_MEMBERS or _is_too_much(data, len(content), limits):
            raise SheetUnreadable(_BOMB)
        if any(member.flag_bits & 1 for member in members):
            raise SheetUnreadable(PROTECTED)
        met, has_formulas = 0, False
        for member in members:
            for size, with_formula in _walk(archive, member):
                met += size
                has_formulas = has_formulas or with_formula
                if _is_too_much(met, len(content), limits):
                    raise SheetUnreadable(_BOMB)
        return has_formulas


def _refused(names: set[str], archive: ZipFile) -> str:
    """Returns why an archive with members of these names is not read; empty if it is."""
    if "xl/vbaproject.bin" in names:
        return _("This workbook contains macros (.xlsm). Save it as XLSX, without macros.")
    if "xl/workbook.bin" in names:
        return _("This is a binary workbook (.xlsb). Save it as XLSX.")
    if "xl/workbook.xml" not in names:
        kind = archive.read("mimetype")[:80] if "mimetype" in names else b""
        if b"opendocument" in kind:
            return _("This is an OpenDocument file. Save it as XLSX, or as CSV (UTF-8).")
        return _("This is not a table. Upload one CSV or XLSX file.")
    if b"macroEnabled" in archive.read("[Content_Types].xml")[:_CHUNK]:
        return _("This workbook may contain macros (.xlsm). Save it as XLSX.")
    return ""


def _is_too_much(unpacked: int, packed: int, limits: Limits) -> bool:
    is_bomb = unpacked > _ALWAYS_ALLOWED and unpacked > packed * _MOST_PACKED
    return is_bomb or unpacked > limits.unpacked


def _walk(archive: ZipFile, member: ZipInfo) -> Iterator[tuple[int, bool]]:
    """Yields the size of each chunk of a member, and whether it has a formula.

    Tags are counted before a parser makes objects of them, which take many times the memory.
    """
    name = member.filename.lower()
    most = next(count for start, count in _TAGS.items() if name.startswith(start))
    is_sheet = name.startswith("xl/worksheets/")
    tags = in_row = 0
    with archive.open(member) as stream:
        while piece := stream.read(_CHUNK):
            tags += piece.count(b"<")
            if is_sheet:
                rows = _ROW.split(piece)
                counts = [row.count(b"<") for row in rows]
                counts[0] += in_row
                in_row = counts[-1]
                if max(counts) > _TAGS_IN_A_ROW:
                    raise SheetUnreadable(_BOMB)
            if tags > most or b"<!DOCTYPE" in piece or b"<!ENTITY" in piece:
                raise SheetUnreadable(_BOMB)
            yield len(piece), is_sheet and bool(_FORMULA.search(piece))


def _read(
    content: bytes, limits: Limits, wanted: str, headings: Collection[str], *, has_formulas: bool
) -> Sheet:
    book: Any = _opened(content, data_only=True)
    try:
        passed = _Passed()
        filled = [sheet for sheet in book.worksheets if _holds_something(sheet, passed)]
        offered = [sheet for sheet in filled if sheet.sheet_state == "visible"] or filled
        if not offered:
            raise SheetUnreadable(_("The file is empty: no sheet has any data."))
        names = tuple(sheet.title for sheet in offered)
        chosen = next((sheet for sheet in offered if sheet.title == wanted), None)
        chosen = chosen or _with_headings(offered, headings)
        lost = _without_result(content, chosen.title) if has_formulas else frozenset()
        text = _("Sheet “%(title)s” of the workbook") % {"title": chosen.title}
        layout = _layout(book, chosen, limits)
        spread: set[int] = set()
        lines = _lines(layout.spread(_rows(chosen), spread), lost)
        described = {"description": text, "sheet": chosen.title, "sheets": names}
        return _as_shown(make(lines, limits, headings, **described), layout, len(spread))
    finally:
        book.close()


def _with_headings(sheets: Sequence[Any], headings: Collection[str]) -> Any:
    """Returns the first sheet; if no row of it has any of these headings, the one with the most."""
    counts = [
        most_headings(islice(_texts_of(sheet), _MOST_LOOKED_AT), headings)
        for sheet in sheets[:_MOST_SHEETS]
    ]
    return sheets[0 if counts[0] else counts.index(max(counts))]


def _texts_of(sheet: Any) -> Iterator[list[str]]:
    for _number, row in _rows(sheet, _Passed()):
        yield [cell.value for cell in row if isinstance(cell.value, str)]


def _layout(book: Any, sheet: Any, limits: Limits) -> SheetLayout:
    archive = book._archive
    with archive.open(sheet._worksheet_path) as stream:
        return layout_of(stream, limits.columns)


def _as_shown(table: Sheet, layout: SheetLayout, merged: int) -> Sheet:
    """Returns the table with what its sheet hides; `merged` counts the cells that several of its
    rows share."""
    description = table.description
    if merged:
        words = ngettext(
            "%(count)s merged cell counts for each of its rows",
            "%(count)s merged cells count for each of their rows",
            merged,
        )
        description += ", " + words % {"count": shown_number(merged)}
    places = range(len(table.headers))
    return replace(
        table,
        description=description,
        hidden_rows=tuple(row.number for row in table.rows if layout.hides(row.number)),
        hidden_columns=tuple(place for place in places if place in layout.hidden_columns),
    )


def _opened(content: bytes, *, data_only: bool = False) -> Any:
    from openpyxl import load_workbook  # noqa: PLC0415 - large, and workers never see a workbook

    return load_workbook(BytesIO(content), read_only=True, data_only=data_only)


def _unescaped(text: str) -> str:
    """Returns the text without a workbook's escapes such as `_x000D_`."""
    if "_x" not in text:
        return text
    from openpyxl.utils.escape import unescape  # noqa: PLC0415 - as above

    return str(unescape(text))


@dataclass
class _Passed:
    """Counts of rows and cells that were read: few bytes can put a cell into the last row or
    column, and all before it are read too."""

    rows: int = 0
    cells: int = 0


def _holds_something(sheet: object, passed: _Passed) -> bool:
    rows = _rows(sheet, passed)
    return any(cell.value not in (None, "") for _number, row in rows for cell in row)


def _rows(sheet: Any, passed: _Passed | None = None) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yields the rows of the sheet that are not empty, with their numbers."""
    passed = passed or _Passed()
    sheet.reset_dimensions()  # the size that a workbook declares is often wrong
    for number, row in enumerate(sheet.iter_rows(), start=1):
        passed.rows += 1
        passed.cells += len(row)
        is_too_much = passed.rows > _MOST_PASSED or passed.cells > _MOST_CELLS
        if number > _MOST_ROWS or is_too_much:
            raise SheetUnreadable(_BOMB)
        if row:
            yield number, row


def _without_result(content: bytes, title: str) -> frozenset[str]:
    """Returns the cells with a formula whose result the workbook lacks."""
    worked: Any = _opened(content, data_only=True)
    written: Any = _opened(content)
    try:
        pairs = zip(_rows(worked[title]), _rows(written[title]), strict=True)
        return frozenset(
            cell.coordinate
            for (_number, results), (_same, cells) in pairs
            for result, cell in zip(results, cells, strict=True)
            if cell.data_type == "f" and result.value is None
        )
    finally:
        worked.close()
        written.close()


def _lines(
    rows: Iterable[tuple[int, tuple[Any, ...]]], without_result: frozenset[str]
) -> Iterator[SheetRow]:
    for number, row in rows:
        yield SheetRow(number, [_text(cell) for cell in row], _problem(row, without_result))


def _problem(row: tuple[Any, ...], without_result: frozenset[str]) -> str:
    for cell in row:
        if cell.data_type == "e":
            words = _("Cell %(coordinate)s contains the error %(value)s.")
            return words % {"coordinate": cell.coordinate, "value": cell.value}
        # A cell that is not in the file has no coordinate.
        is_empty = without_result and cell.value is None
        if is_empty and getattr(cell, "coordinate", "") in without_result:
            return _(
                "Cell %(coordinate)s contains a formula without a result. Open the workbook in a "
                "spreadsheet program and save it."
            ) % {"coordinate": cell.coordinate}
    return ""


def _text(cell: Any) -> str:
    """Returns a cell as users read it, and dates in the form of ISO 8601."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return _unescaped(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, cell)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, time):
        return _to_second(datetime.combine(date(1, 1, 1), value)).time().isoformat()
    if isinstance(value, datetime):
        value = _to_second(value)
        is_day = value.time() == time() and not _shows_time(cell)
        return value.date().isoformat() if is_day else value.isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


def _to_second(value: datetime) -> datetime:
    """Returns what a sheet shows of a time, which formulas make a little earlier or later."""
    return (value + _HALF).replace(microsecond=0)


def _shows_time(cell: Any) -> bool:
    """Returns whether a cell's format shows a time of day, such as that of midnight."""
    codes = _NO_CODES.sub("", cell.number_format or "").lower()
    return "h" in codes or "s" in codes


def _number(value: float, cell: Any) -> str:
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    digits = str(int(value))
    form = cell.number_format
    # A format of zeros alone is how a sheet shows zeros that the number has not.
    return digits.zfill(len(form)) if form and not form.strip("0") else digits
