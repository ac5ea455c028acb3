"""Tables from files that people upload: CSV in all its forms, XLSX, and what they paste.

    table = sheets.read(content, file_name="people.xlsx")
    table.headers, table.rows[0].number, table.rows[0].cells

Raises `SheetUnreadable`, with words for the person who sent the file. No file, however hostile,
takes more memory than `Limits` allow.
"""

from portal.imports.sheets.reading import read, template
from portal.imports.sheets.table import Limits, Sheet, SheetRow, SheetUnreadable, lost_zeros, plain
from portal.imports.sheets.text import ENCODINGS

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
