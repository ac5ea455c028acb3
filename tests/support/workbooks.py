"""Workbooks as people and other programs make them, good and bad."""

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from openpyxl import Workbook


def workbook(*rows: Sequence[Any], edit: Callable[[Any], None] | None = None) -> bytes:
    """An XLSX file; `edit` gets the workbook before it is saved."""
    book: Any = Workbook()
    for row in rows:
        book.active.append(list(row))
    if edit:
        edit(book)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def changed(content: bytes, **parts: bytes | None) -> bytes:
    """The same file with other parts, named with `__` for a slash; None takes one away."""
    wanted = {name.replace("__", "/"): data for name, data in parts.items()}
    kept = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            if part not in wanted:
                new.writestr(part, old.read(part))
        for part, data in wanted.items():
            if data is not None:
                new.writestr(part, data)
    return kept.getvalue()


def sheet_xml(rows: bytes) -> bytes:
    return (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b"<sheetData>" + rows + b"</sheetData></worksheet>"
    )


SHEET = "xl/worksheets/sheet1.xml"
