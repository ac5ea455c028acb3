"""Lists as files: CSV and XLSX, of any number of rows in little memory.

Headers are the interface's own names of fields, so that an import recognises them; times are ISO.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import IO, Any

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse

from portal.access.audit import Act, record
from portal.access.cells import csv_line, harmless
from portal.access.http import PortalRequest
from portal.access.origin import origin_of

KINDS = {
    "csv": "text/csv; charset=utf-8",  # untranslated: a type of content
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_TOGETHER = 500  # rows that are sent in one piece
_LONGEST = 32_767  # characters that a cell of XLSX can hold
_WIDTH = 20


@dataclass(frozen=True)
class Column:
    """A column of a file: its header, and what of a row stands in it."""

    name: str
    value: Callable[[Any], Any]


def of(name: str) -> Column:
    """The column of a field that rows have under the name that the file has it."""
    return Column(name, attrgetter(name))


def note(
    request: PortalRequest, what: str, kind: str, columns: Sequence[Column], *, count: int, by: str
) -> None:
    """Records who took how many rows out, and which; `by` says by what the list was narrowed."""
    sent = {
        "list": what,
        "file": kind,
        "rows": count,
        "filter": by or "everything",
        "columns": [column.name for column in columns],
    }
    record(
        origin_of(request), Act.LIST_EXPORTED, label=what, connection=request.connection, sent=sent
    )


def answer(
    kind: str, name: str, columns: Sequence[Column], rows: Iterable[Any]
) -> HttpResponseBase:
    """The file `name` as a download. `kind` is a key of `KINDS`."""
    file_name = f"{name}.{kind}"
    response: HttpResponseBase
    if kind == "csv":
        response = StreamingHttpResponse(as_csv(columns, rows), content_type=KINDS[kind])
        response["Content-Disposition"] = (
            f'attachment; filename="{file_name}"'  # untranslated: HTTP
        )
    else:
        file = as_xlsx(columns, rows)
        response = FileResponse(
            file, as_attachment=True, filename=file_name, content_type=KINDS[kind]
        )
    response["Cache-Control"] = "no-store"
    return response


def as_csv(columns: Sequence[Column], rows: Iterable[Any]) -> Iterator[str]:
    """UTF-8 with the mark that spreadsheets know it by, in pieces."""
    yield _BOM + csv_line([column.name for column in columns])
    remaining = iter(rows)
    while some := list(islice(remaining, _TOGETHER)):
        yield "".join(csv_line([_cell(column.value(row)) for column in columns]) for row in some)


def as_xlsx(columns: Sequence[Column], rows: Iterable[Any]) -> IO[bytes]:
    """A workbook in a temporary file. Texts are texts: never formulas, links or numbers."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - large, and workers never write a workbook

    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    with Workbook(file, {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.set_column(0, len(columns) - 1, _WIDTH)
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for place, column in enumerate(columns):
            sheet.write_string(0, place, harmless(column.name)[:_LONGEST], bold)
        for line, row in enumerate(rows, start=1):
            for place, column in enumerate(columns):
                value = column.value(row)
                if isinstance(value, bool):
                    sheet.write_boolean(line, place, value)
                elif isinstance(value, int | float):
                    sheet.write_number(line, place, value)
                elif text := harmless(_text(value)):
                    sheet.write_string(line, place, text[:_LONGEST])
    file.seek(0)
    return file


def _cell(value: Any) -> str | int | float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else _text(value)


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.isoformat()
        case list() | tuple():
            return "; ".join(map(str, value))
        case _:
            return str(value)
