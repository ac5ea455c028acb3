"""Requests of the rows of a table of sessions, checked by the contract: all faults at once."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from portal.contract.recurrence import Recurrence, RecurrenceType
from portal.imports.mapping import ImportRow
from portal.imports.sheets import plain
from portal.sessions.imports.session_columns import TRACKING, SessionMapping
from portal.sessions.imports.session_values import end_of
from portal.sessions.recurrence import starts
from portal.sessions.specs import SessionSpec
from portal.sessions.times import Start, start_of, zone_or_utc
from portal.translation import gettext as _, gettext_lazy

_GOES_WITH = {
    "weekly_days": (RecurrenceType.WEEKLY.value, gettext_lazy("This applies only to weekly."))
} | dict.fromkeys(
    ("monthly_day", "monthly_week", "monthly_week_day"),
    (RecurrenceType.MONTHLY.value, gettext_lazy("This applies only to monthly.")),
)


@dataclass
class SessionImportRow(ImportRow):
    """A session to schedule, or to change if there is an `id`.

    `body` is what the interface takes, as JSON has it, but for the `password`. `day_of_week` is
    that which the week of the month names.
    """

    repeated = gettext_lazy("Row %(row)s has the same ID.")
    mapping: SessionMapping = field(repr=False)

    id: str = ""
    host: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    day_of_week: int | None = None

    @property
    def spec(self) -> SessionSpec:
        return self.mapping.spec

    def unique(self) -> list[tuple[str, str]]:
        return [("id", self.id)]

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
            datetime.fromisoformat(start_time),
            zone_or_utc(self.body.get("timezone", zone) or "UTC"),
        )

    def moments(self, zone: str = "") -> list[datetime]:
        """Returns the times, as far as the row names them; for rows without a problem."""
        start = self.start(zone)
        if start is None:
            return []
        recurrence = self.recurrence
        if recurrence is None:
            return [start.moment]
        return starts(start.moment, start.zone, recurrence, wall=start.typed)

    def complete(self) -> None:
        """Makes the body of the cells, and checks it."""
        values = self.values
        self.id, self.host = values.pop("id", ""), values.pop("host", "")
        self.password = values.pop("password", "")
        self.cells = {name: plain(cell) for name, cell in self.cells.items()}
        if self.row.problem:
            self.problems = [("", self.row.problem)]
            return
        tracked: dict[str, str] = {}  # of two cells about one field the second counts
        for name, cell in self.cells.items():
            within, named = self.mapping.field_of(name)
            if within and cell:
                self.body.setdefault(within, {})  # also where no cell of it could be read
            if name not in values:
                continue
            value = values[name]
            if name == "tracking_fields" or name.startswith(TRACKING):
                tracked |= {title: text for title, text in value.items() if text}
                self.body["tracking_fields"] = [
                    {"field": title, "value": text} for title, text in tracked.items()
                ]
                continue
            if name == "monthly_week":  # “second Monday” says the day as well
                value, self.day_of_week = value
            (self.body[within] if within else self.body)[named] = value
        if recurrence := self.body.get("recurrence"):
            self._complete_recurrence(recurrence)
        self._check()

    def _complete_recurrence(self, recurrence: dict[str, Any]) -> None:
        if self.is_new and "type" not in self.body:
            self.body["type"] = int(self.spec.series)
        for name, (kind, words) in _GOES_WITH.items():
            if name in recurrence and recurrence.get("type", kind) != kind:
                self.problem(name, words)
        if self.day_of_week:
            day = recurrence.setdefault("monthly_week_day", self.day_of_week)
            if day != self.day_of_week:
                words = _("The week of the month has a different weekday.")
                self.problem("monthly_week_day", words)
        if "end_date_time" in recurrence:
            try:
                zone = self.body.get("timezone", "")
                recurrence["end_date_time"] = end_of(recurrence["end_date_time"], zone)
            except ValueError as wrong:
                del recurrence["end_date_time"]
                self.problem("end_date_time", str(wrong))
        elif "end_times" not in recurrence and not self.problems:
            self.problem("end_times", _("Enter the number of occurrences or an end date."))

    def _check(self) -> None:
        """Adds the faults by the contract; cells that could not be read were reported already."""
        body = dict(self.body)
        if self.password:
            body["password"] = self.password
        if checked := self.check(self.spec.new if self.is_new else self.spec.change, body):
            self.body = checked.sent()
            self.body.pop("password", None)
        if self.is_new:
            self._check_new(body)

    def _check_new(self, body: dict[str, Any]) -> None:
        """Adds the faults of a new session that the contract does not find."""
        headings = {heading for heading, _words in self.problems}
        needed = {"host": (self.host, gettext_lazy("This field is required."))}
        needed["topic"] = (body.get("topic", ""), gettext_lazy("This field is required."))
        start = str(body.get("start_time") or "")
        if start and not start.endswith("Z"):
            # The service would take the host's, whom a file of many may not think of.
            zone = body.get("timezone", "")
            needed["timezone"] = (zone, gettext_lazy("A local start time needs its time zone."))
        if any(int(one) == self.type for one in self.spec.fixed):
            words = gettext_lazy("A start is required for this type.")
            needed["start_time"] = (body.get("start_time", ""), words)
        if self.type == self.spec.series:
            recurrence = str(body.get("recurrence", ""))
            needed["recurrence_type"] = (recurrence, gettext_lazy("Enter how it repeats."))
        for name, (value, words) in needed.items():
            if not value and self.mapping.heading(name) not in headings:
                self.problem(name, str(words))
