"""What the rows of a table of sessions ask for, held to the contract: all that is wrong at once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.recurrence import Recurrence, RecurrenceType
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_columns import (
    OWN,
    PLAN,
    RECURRENCE,
    TRACKING,
    Column,
    Reading,
    columns_for,
)
from portal.sessions.imports.session_values import end_of, tracking_in, value_of, week_in
from portal.sessions.kinds import Kind
from portal.sessions.times import Start, known_zone, start_of
from portal.ui.sheets import Row, Table, plain

_HIDDEN = re.compile(r"[*•·]{3,}")  # how exports show a password they do not have
_OF_SERVICE = {"recurrence.type": "recurrence_type"}
_GOES_WITH = {"weekly_days": (RecurrenceType.WEEKLY.value, "weekly")} | dict.fromkeys(
    ("monthly_day", "monthly_week", "monthly_week_day"), (RecurrenceType.MONTHLY.value, "monthly")
)


@dataclass
class Wanted:
    """A session to schedule, or to change where there is an `id`.

    `body` is what the interface takes, as JSON has it, but for the `password`. `cells` are those of
    the row by their columns, without what is secret. `day_of_week` is that which the week of the
    month names. `problems` are pairs of a heading and words.
    """

    row: Row
    reading: Reading
    kind: Kind
    id: str = ""
    host: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    cells: dict[str, str] = field(default_factory=dict)
    day_of_week: int | None = None
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        return not self.id

    @property
    def label(self) -> str:
        named = self.body.get("topic") or (f"{self.kind.noun.capitalize()} {self.id}".strip())
        told = str(self.body.get("start_time", ""))
        start = told[:16].replace("T", " ") + (" GMT" if told.endswith("Z") else "")
        return f"{named}, {start}" if start else str(named)

    @property
    def type(self) -> int:
        """That of a new one."""
        return int(self.body.get("type", self.kind.once))

    @property
    def recurrence(self) -> Recurrence | None:
        told = self.body.get("recurrence")
        return Recurrence.model_validate(told) if told else None

    def start(self, zone: str = "") -> Start | None:
        """When it begins; `zone` is that of the session, where the row does not say one."""
        told = self.body.get("start_time")
        if not told:
            return None
        return start_of(
            datetime.fromisoformat(told), known_zone(self.body.get("timezone", zone) or "UTC")
        )

    def moments(self, zone: str = "") -> list[datetime]:
        """When it takes place, as far as the row says; for rows without a problem."""
        start = self.start(zone)
        if start is None:
            return []
        told = self.recurrence
        return recurring.starts(start.moment, start.zone, told) if told else [start.moment]

    def problem(self, name: str, words: str) -> None:
        self.problems.append((self.reading.heading(name), words))


def interpret(table: Table, reading: Reading, kind: Kind) -> Iterator[Wanted]:
    """Each row of the table, checked against the contract and against the rows before it."""
    seen: dict[str, int] = {}
    for row in table.rows:
        wanted = _wanted(row, reading, kind)
        if wanted.id in seen:
            wanted.problem("id", f"Row {seen[wanted.id]} has the same ID.")
        elif wanted.id:
            seen[wanted.id] = row.number
        yield wanted


def _wanted(row: Row, reading: Reading, kind: Kind) -> Wanted:
    wanted = Wanted(row, reading, kind)
    tracking: dict[str, str] = {}
    columns = {column.name: column for column in columns_for(kind)}
    for name, cell in zip(reading.names, row.cells, strict=True):
        text = plain(cell)
        if name and name != "password":
            wanted.cells[name] = text
        if not text:
            continue
        if name.startswith(TRACKING):
            tracking[name.removeprefix(TRACKING)] = text
        elif name:
            _take(wanted, columns[name], text, tracking)
    if row.problem:
        wanted.problems = [("", row.problem)]
        return wanted
    if tracking:
        told = [{"field": name, "value": value} for name, value in tracking.items() if value]
        wanted.body["tracking_fields"] = told
    _complete(wanted)
    _check(wanted)
    return wanted


def _take(wanted: Wanted, column: Column, text: str, tracking: dict[str, str]) -> None:
    """Reads one cell. The end of a recurrence waits until the zone is known."""
    try:
        if column.name == "tracking_fields":
            tracking |= tracking_in(text)
        elif column.name == "id":
            wanted.id = _number(text)
        elif column.name == "password":
            wanted.password = "" if _HIDDEN.fullmatch(text) else text
        elif column.part == OWN:
            wanted.host = text
        elif column.name == "monthly_week":
            _take_week(wanted, text)
        elif column.part == PLAN:
            wanted.body[column.name] = value_of(column, text, wanted.kind)
        else:
            inner = wanted.body.setdefault(column.part, {})
            is_end = column.name == "end_date_time"
            inner[column.field] = text if is_end else value_of(column, text, wanted.kind)
    except ValueError as wrong:
        wanted.problem(column.name, str(wrong))


def _take_week(wanted: Wanted, text: str) -> None:
    """“Second Monday” says the day as well, which then no other column may say otherwise."""
    week, day = week_in(text)
    told = wanted.body.setdefault(RECURRENCE, {})
    told["monthly_week"] = week
    if day is not None:
        wanted.day_of_week = day


def _number(text: str) -> str:
    number = re.sub(r"[\s-]|\.0$", "", text)
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"“{text}” is not a valid ID.")
    return number


def _complete(wanted: Wanted) -> None:
    told = wanted.body.get("recurrence")
    if not told:
        return
    if wanted.is_new and "type" not in wanted.body:
        wanted.body["type"] = int(wanted.kind.series)
    for name, (kind, word) in _GOES_WITH.items():
        if name in told and told.get("type", kind) != kind:
            wanted.problem(name, f"This applies only to {word}.")
    if wanted.day_of_week:
        day = told.setdefault("monthly_week_day", wanted.day_of_week)
        if day != wanted.day_of_week:
            wanted.problem("monthly_week_day", "The week of the month has a different weekday.")
    if "end_date_time" in told:
        try:
            zone = wanted.body.get("timezone", "")
            told["end_date_time"] = end_of(told["end_date_time"], zone)
        except ValueError as wrong:
            del told["end_date_time"]
            wanted.problem("end_date_time", str(wrong))
    elif "end_times" not in told and not wanted.problems:
        wanted.problem("end_times", "Enter the number of occurrences or an end date.")


def _check(wanted: Wanted) -> None:
    """What is wrong by the contract; what a cell cannot stand for was told already."""
    told = {heading for heading, _words in wanted.problems}
    body = dict(wanted.body)
    if wanted.password:
        body["password"] = wanted.password
    model = wanted.kind.new if wanted.is_new else wanted.kind.change
    try:
        wanted.body = model.model_validate(body).sent()
        wanted.body.pop("password", None)
    except ValidationError as error:
        for found in problems(error):
            name = _OF_SERVICE.get(found.field, found.field.rpartition(".")[2])
            if found.field.startswith("tracking_fields"):
                name = "tracking_fields"
            if wanted.reading.heading(name) not in told:
                wanted.problem(name, found.message)
    if wanted.is_new:
        _check_new(wanted, body)


def _check_new(wanted: Wanted, body: dict[str, Any]) -> None:
    """What a new one needs beside what the contract says."""
    told = {heading for heading, _words in wanted.problems}
    needed = {"host": (wanted.host, "This field is required.")}
    needed["topic"] = (body.get("topic", ""), "This field is required.")
    if any(int(one) == wanted.type for one in wanted.kind.fixed):
        words = "A start is required for this type."
        needed["start_time"] = (body.get("start_time", ""), words)
    if wanted.type == wanted.kind.series:
        needed["recurrence_type"] = (str(body.get(RECURRENCE, "")), "Enter how it repeats.")
    for name, (value, words) in needed.items():
        if not value and wanted.reading.heading(name) not in told:
            wanted.problem(name, words)
