"""Tables from uploaded files: CSV in all its forms, XLSX, and pasted texts.

    table = sheets.read(content, file_name="people.xlsx")
    table.headers, table.rows[0].number, table.rows[0].cells

Raises `SheetUnreadable`, with words for the person who sent the file. No file, however hostile,
takes more memory than `Limits` allow.
"""

from collections.abc import Collection, Sequence
from io import BytesIO
from operator import itemgetter

from portal.access.cells import harmless
from portal.imports.sheets.encodings import ENCODINGS
from portal.imports.sheets.table import Limits, Sheet, SheetRow, SheetUnreadable, lost_zeros, plain
from portal.imports.sheets.text import read_bytes, read_text
from portal.imports.sheets.workbook import DAMAGED, PROTECTED, read as read_workbook
from portal.translation import gettext as _, gettext_lazy
from portal.ui.exports import ExportColumn, as_csv

__all__ = [
    "ENCODINGS",
    "Limits",
    "Sheet",
    "SheetRow",
    "SheetUnreadable",
    "lost_zeros",
    "plain",
    "read",
    "template",
]


_USUAL = Limits()
_ZIP = b"PK\x03\x04"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_OTHERS = (
    (b"%PDF-", gettext_lazy("a PDF")),
    (b"\x89PNG", gettext_lazy("a picture")),
    (b"\xff\xd8\xff", gettext_lazy("a picture")),
    (b"GIF8", gettext_lazy("a picture")),
    (b"\x1f\x8b", gettext_lazy("a compressed file")),
    (b"7z\xbc\xaf", gettext_lazy("a compressed file")),
    (b"Rar!", gettext_lazy("a compressed file")),
    (b"{\\rtf", gettext_lazy("a text document")),
)
_WIDTH = 18


def read(
    content: bytes | str,
    *,
    file_name: str = "",
    limits: Limits = _USUAL,
    encoding: str = "",
    sheet: str = "",
    headings: Collection[str] = (),
) -> Sheet:
    """Returns the table in a file, or in a pasted text. Raises `SheetUnreadable`.

    `headings` are those that its columns may have, in the form of `normal`: by these the header row
    is found below other rows, as in the reports of many products.

    `encoding` (a key of `ENCODINGS`) and `sheet` override the detection. The type of a file is
    detected by its content; its name is used in messages only.
    """
    limits.check_size(len(content))
    if isinstance(content, str):
        return read_text(content, limits, headings=headings)
    if words := _refused(content, file_name):
        raise SheetUnreadable(words)
    if content.startswith(_ZIP):
        return read_workbook(content, limits, sheet, headings)
    return read_bytes(content, limits, encoding, headings)


def _refused(content: bytes, file_name: str) -> str:
    """Returns why a file is no table, by its first bytes; empty if it may be one."""
    if not content.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        return _("The file is empty.")
    if content.startswith(_ZIP):
        return ""
    if content.startswith(_OLD_OFFICE):
        if _ENCRYPTED in content:
            return str(PROTECTED)
        return _("This is a workbook in the old format (.xls). Save it as XLSX, or as CSV (UTF-8).")
    if kind := next((kind for mark, kind in _OTHERS if content.startswith(mark)), ""):
        return _("This is %(kind)s. Upload a CSV or XLSX file.") % {"kind": kind}
    if content[:512].lstrip().lower().startswith((b"<html", b"<!doctype html", b"<table")):
        return _("This is a web page. Open it in a spreadsheet and save it as XLSX.")
    return str(DAMAGED) if file_name.lower().endswith((".xlsx", ".xlsm")) else ""


def template(kind: str, headings: Sequence[str], example: Sequence[str]) -> bytes:
    """Returns a template as `csv` or `xlsx`. In a workbook every cell is text, which keeps
    zeros."""
    if kind == "xlsx":
        return _workbook(headings, example)
    columns = [ExportColumn(heading, itemgetter(at)) for at, heading in enumerate(headings)]
    return "".join(as_csv(columns, [example])).encode()


def _workbook(headings: Sequence[str], example: Sequence[str]) -> bytes:
    from xlsxwriter import Workbook  # noqa: PLC0415 - large, and workers never write a workbook

    buffer = BytesIO()
    with Workbook(buffer, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        text = book.add_format({"num_format": "@"})
        sheet.set_column(0, len(headings) - 1, _WIDTH, text)
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True, "num_format": "@"})
        for place, (heading, value) in enumerate(zip(headings, example, strict=True)):
            sheet.write_string(0, place, harmless(heading), bold)
            if value:
                sheet.write_string(1, place, harmless(value), text)
    return buffer.getvalue()
