"""Templates: files with headings and an example, to be filled in and sent."""

from collections.abc import Sequence
from io import BytesIO
from operator import itemgetter

from portal.access.cells import harmless
from portal.ui.exports import ExportColumn, as_csv

_WIDTH = 18


def template(kind: str, headings: Sequence[str], example: Sequence[str]) -> bytes:
    """A template as `csv` or `xlsx`. In a workbook every cell is text, so that no zero is lost."""
    if kind == "xlsx":
        return _workbook(headings, example)
    columns = [ExportColumn(heading, itemgetter(at)) for at, heading in enumerate(headings)]
    return "".join(as_csv(columns, [example])).encode()


def _workbook(headings: Sequence[str], example: Sequence[str]) -> bytes:
    from xlsxwriter import Workbook  # noqa: PLC0415 - large, and workers never write a workbook

    kept = BytesIO()
    with Workbook(kept, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        text = book.add_format({"num_format": "@"})
        sheet.set_column(0, len(headings) - 1, _WIDTH, text)
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True, "num_format": "@"})
        for place, (heading, value) in enumerate(zip(headings, example, strict=True)):
            sheet.write_string(0, place, harmless(heading), bold)
            if value:
                sheet.write_string(1, place, harmless(value), text)
    return kept.getvalue()
