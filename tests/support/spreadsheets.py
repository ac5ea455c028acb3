"""Files as spreadsheet programs take them, whatever they split rows at."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator

from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
_SIGNS = ("=", "+", "-", "@")


def formulas_in_csv(content: bytes) -> list[str]:
    """Cells that would be run: split at commas, at semicolons, at tabs, heeding quotation marks
    around cells and around lines, or not at all."""
    text = content.decode("utf-8-sig")
    return [cell for cell in _cells(text) if _is_formula(cell)]


def formulas_in_xlsx(content: bytes) -> list[str]:
    """Cells that are formulas, or would be when the sheet is saved as CSV."""
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    formulas = [cell.coordinate for cell in cells if cell.data_type == "f"]
    texts = [unescape(cell.value) for cell in cells if isinstance(cell.value, str)]
    return [*formulas, *(text for text in texts if _is_formula(text))]


def _cells(text: str) -> Iterator[str]:
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            yield from row
    # Commas are always within quotation marks, and readers split at others alone.
    yield from re.split("[;\t\r\n]", text)


def _is_formula(cell: str) -> bool:
    """Unlike the code under test this looks at each character, and knows them by their kind."""
    seen = "".join(
        char for char in cell if char != '"' and unicodedata.category(char) not in ("Cf", "Cc")
    )
    first = unicodedata.normalize("NFKC", seen.strip())
    return first.startswith(_SIGNS) and not _NUMBER.fullmatch(cell)
