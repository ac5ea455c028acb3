"""Lists as files: CSV and XLSX, of any number of rows in little memory.

Both have the words of the screen, which imports recognise too. In CSV times are ISO. A workbook has
days, times and numbers as spreadsheets have them, and says on a sheet of its own what it is of.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import IO, Any

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from portal.access.cells import csv_line, harmless
from portal.access.http import PortalRequest, origin_of
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.translation import carried_over, gettext as _
from portal.ui.ranges import Range
from portal.ui.times import exact

KINDS = {
    "csv": "text/csv; charset=utf-8",  # untranslated: a type of content
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Facts = dict[str, str | int]
_DIGITS = 15  # of a number in a workbook
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_TOGETHER = 500  # rows that are sent in one piece
_LONGEST = 32_767  # characters that a cell of XLSX can hold
_WIDTH = 20
_LONGEST_NAME = 200  # bytes: most systems take 255, with what a browser adds
_LONGEST_SHEET = 31  # characters of its name
_NOT_IN_SHEETS = re.compile(r"[\[\]:*?/\\]")
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
_NUMBER = re.compile(r"\+?[0-9][0-9 ()/.-]{2,30}")


@dataclass(frozen=True)
class ExportColumn:
    """A column of a file: the interface's name of it, and what of a row stands in it. `title` is
    the screen's word for it; with `is_moment` it is a time, also if it comes as a text."""

    name: str
    value: Callable[[Any], Any]
    title: str = ""
    is_moment: bool = False

    @property
    def heading(self) -> str:
        return str(self.title or self.name)


def of(name: str, title: str, *, is_moment: bool = False) -> ExportColumn:
    """Returns the column of a field that rows have under the interface's name of it."""
    return ExportColumn(name, attrgetter(name), title, is_moment)


def file_name(*pieces: str) -> str:
    """Returns the name of a file by what it is of, without what no system takes in names."""
    named = (_NOT_IN_NAMES.sub(" ", piece).strip(" .") for piece in pieces)
    whole = " ".join(" ".join(named).split()).encode()
    return whole[:_LONGEST_NAME].decode(errors="ignore").rstrip()


def day_of(moment: datetime | None) -> str:
    """Returns a day as names of files have it, that of the reader; empty if it is not known."""
    if moment is None:
        return ""
    return str((timezone.localtime(moment) if moment.tzinfo else moment).date())


@dataclass(frozen=True, kw_only=True)
class Export:
    """A file of rows that a user takes out.

    `title` is what its page is called, `name` what the file is. `what` and `by`, in English, are
    what the audit trail calls the rows and by what they were narrowed, `narrowed` is the latter in
    the reader's words. `days` are those that it is of; what it shows was read at `read_at`, but for
    what `unread` says.
    """

    title: str
    name: str
    what: str
    columns: Sequence[ExportColumn]
    rows: Iterable[Any]
    count: int
    by: str = ""
    narrowed: str = ""
    days: Range | None = None
    read_at: datetime | None = None
    unread: Sequence[str] = ()

    @property
    def zone(self) -> tzinfo:
        """Returns the zone of the times of a workbook."""
        return self.days.zone if self.days else timezone.get_current_timezone()

    @property
    def sheet_name(self) -> str:
        return _NOT_IN_SHEETS.sub(" ", self.title).strip("' ")[:_LONGEST_SHEET]

    def heading(self, column: ExportColumn) -> str:
        return f"{column.heading} ({self.zone})" if column.is_moment else column.heading

    def value(self, column: ExportColumn, row: Any) -> object:
        """Returns a value as a workbook shows it: a time as the clocks of the zone do."""
        value = column.value(row)
        if column.is_moment and isinstance(value, str):
            with suppress(ValueError):
                value = datetime.fromisoformat(value)
        if isinstance(value, datetime) and value.tzinfo:
            return value.astimezone(self.zone).replace(tzinfo=None)
        return value


def send(request: PortalRequest, kind: str, export: Export) -> HttpResponseBase:
    """Records who takes how many rows out, and which; answers with the file."""
    names = [column.name for column in export.columns]
    record_export(request, export.what, kind, names, count=export.count, by=export.by)
    return answer(kind, export, facts_of(request.connection.name, str(request.user), export))


def record_export(
    request: PortalRequest, what: str, kind: str, columns: list[str], *, count: int, by: str
) -> None:
    """Records a file that a user takes out; `by` says by what its rows were narrowed."""
    sent = {
        "list": what,
        "file": kind,
        "rows": count,
        "filter": by or "everything",
        "columns": columns,
    }
    record(
        origin_of(request), Act.LIST_EXPORTED, label=what, connection=request.connection, sent=sent
    )


def facts_of(account: str, user: str, export: Export) -> Facts:
    """Returns what a workbook says of itself, on a sheet of its own."""
    facts: Facts = {
        _("Account"): account,
        _("Content"): export.title,
        _("Days"): export.days.in_words if export.days else "",
        _("Filter"): export.narrowed,
        _("Rows"): export.count,
        _("Missing"): " ".join(export.unread),
        _("Time zone"): str(export.zone),
        _("Loaded"): exact(export.read_at) if export.read_at else "",
        _("Created"): exact(clock.now()),
        _("Created by"): user,
    }
    return {title: value for title, value in facts.items() if value != ""}


def answer(kind: str, export: Export, facts: Facts) -> HttpResponseBase:
    """Returns the file as a download; its name says if some of the list is unread. `kind` is a key
    of `KINDS`."""
    name = " ".join([export.name, _("(incomplete)")]) if export.unread else export.name
    response: HttpResponseBase
    if kind == "csv":
        pieces = as_csv(export.columns, export.rows)
        response = StreamingHttpResponse(pieces, content_type=KINDS[kind])
    else:
        response = FileResponse(as_xlsx(export, facts), content_type=KINDS[kind])
    named = content_disposition_header(True, f"{name}.{kind}")
    response["Content-Disposition"] = str(named)
    response["Cache-Control"] = "no-store"
    return response


def as_csv(columns: Sequence[ExportColumn], rows: Iterable[object]) -> Iterator[str]:
    """UTF-8 with the mark that spreadsheets know it by, in pieces, which are made as they are sent:
    after the answer, and still in the language of the request."""
    pieces = _pieces(columns, rows)
    return iter(partial(carried_over(_next), pieces), None)


def _next(pieces: Iterator[str]) -> str | None:
    return next(pieces, None)


def _pieces(columns: Sequence[ExportColumn], rows: Iterable[object]) -> Iterator[str]:
    yield _BOM + csv_line([column.heading for column in columns])
    remaining = iter(rows)
    while some := list(islice(remaining, _TOGETHER)):
        yield "".join(csv_line([_cell(column.value(row)) for column in columns]) for row in some)


def as_xlsx(export: Export, facts: Facts) -> IO[bytes]:
    """Returns a workbook in a temporary file. Texts are texts: never formulas, links or numbers.
    The `facts` about it stand on a second sheet."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - large, and workers never write a workbook

    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    with Workbook(file, {"constant_memory": True}) as book:
        sheet = book.add_worksheet(export.sheet_name)
        sheet.set_column(0, len(export.columns) - 1, _WIDTH)
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})  # untranslated: a format
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for place, column in enumerate(export.columns):
            sheet.write_string(0, place, harmless(export.heading(column))[:_LONGEST], bold)
        for line, row in enumerate(export.rows, start=1):
            for place, column in enumerate(export.columns):
                value = export.value(column, row)
                if isinstance(value, date):
                    has_time = isinstance(value, datetime)
                    sheet.write_datetime(line, place, value, moment if has_time else day)
                elif _is_exact_number(value):
                    sheet.write_number(line, place, value)
                elif isinstance(value, int) and not isinstance(value, bool):
                    sheet.write_string(line, place, str(value))
                elif text := _text_cell(_text(value)):
                    sheet.write_string(line, place, text[:_LONGEST])
        _write_facts(book.add_worksheet(_("About")[:_LONGEST_SHEET]), bold, facts)
    file.seek(0)
    return file


def _write_facts(sheet: Any, bold: Any, facts: Facts) -> None:
    sheet.set_column(0, 1, 2 * _WIDTH)
    for line, (title, value) in enumerate(facts.items()):
        sheet.write_string(line, 0, title, bold)
        if _is_exact_number(value):
            sheet.write_number(line, 1, value)
        else:
            sheet.write_string(line, 1, harmless(str(value))[:_LONGEST])


def _is_exact_number(value: object) -> bool:
    """Returns whether a spreadsheet has the number as it is: it rounds those of more digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) < 10**_DIGITS


def _text_cell(text: str) -> str:
    """Returns the text as a workbook holds it; a telephone number stays as it is."""
    return text if _NUMBER.fullmatch(text) else harmless(text)


def _cell(value: Any) -> str | int | float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else _text(value)


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return _("Yes") if value else _("No")
        case datetime():
            return value.isoformat()
        case list() | tuple():
            return "; ".join(map(str, value))
        case _:
            return str(value)
