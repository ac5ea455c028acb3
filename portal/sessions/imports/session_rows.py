"""Requests of the rows of a table of sessions, checked by the contract: all faults at once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.recurrence import Recurrence, RecurrenceType
from portal.imports.sheets import Sheet, SheetRow, plain
from portal.imports.sheets.dates import DayOrder, day_order
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_columns import (
    OWN,
    PLAN,
    RECURRENCE,
    TRACKING,
    SessionColumn,
    SessionMapping,
    columns_for,
)
from portal.sessions.imports.session_values import end_of, tracking_in, value_of, week_in
from portal.sessions.specs import SessionSpec
from portal.sessions.times import Start, known_zone, start_of
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.addresses import address_in

_DATES = ("start_time", "end_date_time")
_HIDDEN = re.compile(r"[*•·]{3,}")  # how exports show a password they do not have
_OF_SERVICE = {"recurrence.type": "recurrence_type"}
_GOES_WITH = {
    "weekly_days": (RecurrenceType.WEEKLY.value, gettext_lazy("This applies only to weekly."))
} | dict.fromkeys(
    ("monthly_day", "monthly_week", "monthly_week_day"),
    (RecurrenceType.MONTHLY.value, gettext_lazy("This applies only to monthly.")),
)


@dataclass
class SessionImportRow:
    """A session to schedule, or to change where there is an `id`.

    `body` is what the interface takes, as JSON has it, but for the `password`. `cells` are those of
    the row by their columns, without what is secret. `day_of_week` is that which the week of the
    month names. `problems` are pairs of a heading and words, `orders` those of day and month by the
    names of columns.
    """

    row: SheetRow
    reading: SessionMapping
    spec: SessionSpec
    id: str = ""
    host: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    cells: dict[str, str] = field(default_factory=dict)
    day_of_week: int | None = None
    problems: list[tuple[str, str]] = field(default_factory=list)
    orders: dict[str, DayOrder | None] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        return not self.id

    @property
    def label(self) -> str:
        named = self.body.get("topic") or self.spec.called(self.id).strip()
        start_time = str(self.body.get("start_time", ""))
        start = start_time[:16].replace("T", " ") + (" GMT" if start_time.endswith("Z") else "")
        return f"{named}, {start}" if start else str(named)

    @property
    def type(self) -> int:
        """That of a new one."""
        return int(self.body.get("type", self.spec.once))

    @property
    def recurrence(self) -> Recurrence | None:
        recurrence = self.body.get("recurrence")
        return Recurrence.model_validate(recurrence) if recurrence else None

    def start(self, zone: str = "") -> Start | None:
        """Returns the start; `zone` is that of the session, for a row that names none."""
        start_time = self.body.get("start_time")
        if not start_time:
            return None
        return start_of(
            datetime.fromisoformat(start_time), known_zone(self.body.get("timezone", zone) or "UTC")
        )

    def moments(self, zone: str = "") -> list[datetime]:
        """Returns the times, as far as the row names them; for rows without a problem."""
        start = self.start(zone)
        if start is None:
            return []
        recurrence = self.recurrence
        if recurrence is None:
            return [start.moment]
        return recurring.starts(start.moment, start.zone, recurrence, wall=start.typed)

    def problem(self, name: str, words: str) -> None:
        self.problems.append((self.reading.heading(name), words))


def interpret(
    table: Sheet, reading: SessionMapping, spec: SessionSpec
) -> Iterator[SessionImportRow]:
    """Each row of the table, checked against the contract and against the rows before it."""
    seen: dict[str, int] = {}
    orders = {
        name: day_order(table.column(place))
        for place, name in enumerate(reading.names)
        if name in _DATES
    }
    for row in table.rows:
        import_row = _import_row(row, reading, spec, orders)
        if import_row.id in seen:
            import_row.problem(
                "id", _("Row %(row)s has the same ID.") % {"row": seen[import_row.id]}
            )
        elif import_row.id:
            seen[import_row.id] = row.number
        yield import_row


def _import_row(
    row: SheetRow, reading: SessionMapping, spec: SessionSpec, orders: dict[str, DayOrder | None]
) -> SessionImportRow:
    import_row = SessionImportRow(row, reading, spec, orders=orders)
    tracking: dict[str, str] = {}
    columns = {column.name: column for column in columns_for(spec)}
    for name, cell in zip(reading.names, row.cells, strict=True):
        text = plain(cell)
        if name and name != "password":
            import_row.cells[name] = text
        if not text:
            continue
        if name.startswith(TRACKING):
            tracking[name.removeprefix(TRACKING)] = text
        elif name:
            _take(import_row, columns[name], text, tracking)
    if row.problem:
        import_row.problems = [("", row.problem)]
        return import_row
    if tracking:
        values = [{"field": name, "value": value} for name, value in tracking.items() if value]
        import_row.body["tracking_fields"] = values
    _complete(import_row)
    _check(import_row)
    return import_row


def _take(
    import_row: SessionImportRow, column: SessionColumn, text: str, tracking: dict[str, str]
) -> None:
    """Reads one cell. The end of a recurrence waits until the zone is known."""
    try:
        if column.name == "tracking_fields":
            tracking |= tracking_in(text)
        elif column.name == "id":
            import_row.id = _number(text)
        elif column.name == "password":
            import_row.password = "" if _HIDDEN.fullmatch(text) else text
        elif column.part == OWN:
            import_row.host = address_in(text)
        elif column.name == "monthly_week":
            _take_week(import_row, text)
        elif column.part == PLAN:
            order = import_row.orders.get(column.name)
            import_row.body[column.name] = value_of(column, text, import_row.spec, order)
        else:
            inner = import_row.body.setdefault(column.part, {})
            is_end = column.name == "end_date_time"
            inner[column.field] = text if is_end else value_of(column, text, import_row.spec)
    except ValueError as wrong:
        import_row.problem(column.name, str(wrong))


def _take_week(import_row: SessionImportRow, text: str) -> None:
    """“Second Monday” says the day as well, which then no other column may say otherwise."""
    week, day = week_in(text)
    recurrence = import_row.body.setdefault(RECURRENCE, {})
    recurrence["monthly_week"] = week
    if day is not None:
        import_row.day_of_week = day


def _number(text: str) -> str:
    number = re.sub(r"[\s-]|\.0$", "", text)
    if not (number.isascii() and number.isdigit()):
        raise ValueError(_("“%(text)s” is not a valid ID.") % {"text": text})
    return number


def _complete(import_row: SessionImportRow) -> None:
    recurrence = import_row.body.get("recurrence")
    if not recurrence:
        return
    if import_row.is_new and "type" not in import_row.body:
        import_row.body["type"] = int(import_row.spec.series)
    for name, (kind, words) in _GOES_WITH.items():
        if name in recurrence and recurrence.get("type", kind) != kind:
            import_row.problem(name, words)
    if import_row.day_of_week:
        day = recurrence.setdefault("monthly_week_day", import_row.day_of_week)
        if day != import_row.day_of_week:
            import_row.problem(
                "monthly_week_day", _("The week of the month has a different weekday.")
            )
    if "end_date_time" in recurrence:
        try:
            zone = import_row.body.get("timezone", "")
            order = import_row.orders.get("end_date_time")
            recurrence["end_date_time"] = end_of(recurrence["end_date_time"], zone, order)
        except ValueError as wrong:
            del recurrence["end_date_time"]
            import_row.problem("end_date_time", str(wrong))
    elif "end_times" not in recurrence and not import_row.problems:
        import_row.problem("end_times", _("Enter the number of occurrences or an end date."))


def _check(import_row: SessionImportRow) -> None:
    """Adds the faults by the contract; cells that could not be read were reported already."""
    headings = {heading for heading, _words in import_row.problems}
    body = dict(import_row.body)
    if import_row.password:
        body["password"] = import_row.password
    model = import_row.spec.new if import_row.is_new else import_row.spec.change
    try:
        import_row.body = model.model_validate(body).sent()
        import_row.body.pop("password", None)
    except ValidationError as error:
        for found in problems(error):
            name = _OF_SERVICE.get(found.field, found.field.rpartition(".")[2])
            if found.field.startswith("tracking_fields"):
                name = "tracking_fields"
            if import_row.reading.heading(name) not in headings:
                import_row.problem(name, found.message)
    if import_row.is_new:
        _check_new(import_row, body)


def _check_new(import_row: SessionImportRow, body: dict[str, Any]) -> None:
    """Adds the faults of a new session that the contract does not find."""
    headings = {heading for heading, _words in import_row.problems}
    needed = {"host": (import_row.host, _("This field is required."))}
    needed["topic"] = (body.get("topic", ""), _("This field is required."))
    start = str(body.get("start_time") or "")
    if start and not start.endswith("Z"):
        # The service would take the host's, whom a file of many may not think of.
        zone = body.get("timezone", "")
        needed["timezone"] = (zone, _("A local start time needs its time zone."))
    if any(int(one) == import_row.type for one in import_row.spec.fixed):
        words = _("A start is required for this type.")
        needed["start_time"] = (body.get("start_time", ""), words)
    if import_row.type == import_row.spec.series:
        needed["recurrence_type"] = (str(body.get(RECURRENCE, "")), _("Enter how it repeats."))
    for name, (value, words) in needed.items():
        if not value and import_row.reading.heading(name) not in headings:
            import_row.problem(name, words)
