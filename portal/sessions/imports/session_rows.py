"""Rows of a table of sessions: what they request, checked by the contract, and what they change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from portal.contract.model import MASK, JsonDict
from portal.contract.recurrence import Recurrence, RecurrenceType
from portal.imports import columns
from portal.imports.mapping import ImportRow
from portal.imports.sheets import plain
from portal.sessions import recurrence as recurring
from portal.sessions.imports.parted_times import joined_end, joined_start, minutes_between
from portal.sessions.imports.session_columns import TRACKING, SessionMapping
from portal.sessions.imports.session_values import end_of
from portal.sessions.likely import unlikely_day, unlikely_duration
from portal.sessions.services.losses import TIMES, LostSession, Replacement, replaced_by
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import SessionSpec
from portal.sessions.times import Start, in_words, start_of, zone_or_utc
from portal.translation import gettext as _, gettext_lazy
from portal.translation.phrases import joined, phrase

_GOES_WITH = {
    "weekly_days": (RecurrenceType.WEEKLY.value, gettext_lazy("This applies only to weekly."))
} | dict.fromkeys(
    ("monthly_day", "monthly_week", "monthly_week_day"),
    (RecurrenceType.MONTHLY.value, gettext_lazy("This applies only to monthly.")),
)
Change = tuple[str, str, str]
_TIMES = ("start_time", "timezone")  # shown together for new ones


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
        return not self.id and not self.cells.get("id")

    @property
    def label(self) -> str:
        named = self.body.get("topic") or self.spec.called(self.id).strip()
        start_time = str(self.body.get("start_time", ""))
        start = start_time[:16].replace("T", " ") + (" GMT" if start_time.endswith("Z") else "")
        return joined(", ", named, start) if start else str(named)

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
        return recurring.starts(start.moment, start.zone, recurrence, wall=start.typed)

    def read(self) -> None:
        """Reads each cell, and times that stand in several of them."""
        super().read()
        if text := joined_start(self.cells):
            self._read_again("start_time", text)
        start = str(self.values.get("start_time", ""))
        if start and "duration" not in self.values and (end := joined_end(self.cells, start)):
            self._read_end(start, end)
        for name in ("start_clock", "ends", "end_day"):
            self.values.pop(name, None)

    def _read_again(self, name: str, text: str) -> None:
        heading = self.mapping.heading(name)
        self.problems = [one for one in self.problems if one[0] != heading]
        try:
            self.values[name] = self.mapping.columns[name].value(text)
        except ValueError as wrong:
            self.values.pop(name, None)
            self.problem(name, str(wrong))

    def _read_end(self, start: str, text: str) -> None:
        is_same_day = text != self.cells.get("ends") and not self.cells.get("end_day")
        try:
            end = str(self.mapping.columns["start_time"].value(text))
            self.values["duration"] = minutes_between(start, end, is_same_day=is_same_day)
            self.cells.setdefault("duration", "")
        except (ValueError, TypeError) as wrong:  # or one has a time zone and the other none
            self.problem("ends", str(wrong))

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
            if name == "monthly_week":  # “second Monday” names the day as well
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
        elif not self.is_new:
            refused = {heading for heading, _words in self.problems}
            for name, words in _unlikely(body):
                if self.mapping.heading(name) in refused:
                    self._replace_problem(name, words)
        if self.is_new:
            self._check_new(body)

    def _replace_problem(self, name: str, words: str) -> None:
        """Adds the problem of a column in the place of those that it has."""
        heading = self.mapping.heading(name)
        self.problems = [one for one in self.problems if one[0] != heading]
        self.problems.append((heading, words))

    def check_likely(self, body: Mapping[str, Any]) -> None:
        """Adds what cannot be meant of the values that are to be sent."""
        for name, words in _unlikely(body):
            self._replace_problem(name, words)

    def _check_new(self, body: dict[str, Any]) -> None:
        """Adds the faults of a new session that the contract does not find."""
        self.check_likely(body)
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


def _unlikely(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the columns whose values cannot be meant, each with the reason."""
    end = (body.get("recurrence") or {}).get("end_date_time")
    for name, moment in (("start_time", body.get("start_time")), ("end_date_time", end)):
        if moment and (words := unlikely_day(date.fromisoformat(str(moment)[:10]))):
            yield name, words
    minutes = body.get("duration")
    if isinstance(minutes, int) and (words := unlikely_duration(minutes)):
        yield "duration", words


@phrase
def session_start(moment: datetime, zone: str) -> str:
    """Returns the start of a session in its own zone."""
    return in_words(moment, zone)


def of_new(import_row: SessionImportRow, host: str) -> list[Change]:
    """All that a new session comes with."""
    title = import_row.mapping.title
    changes = [(_("Host"), "", host)]
    if start := import_row.start():
        words = joined(", ", session_start(start.moment, start.zone), start.zone)
        changes.append((title("start_time"), "", words))
        if import_row.recurrence:
            words = recurring.in_words(start.moment, start.zone, import_row.recurrence)
            changes.append((title("recurrence_type"), "", words))
    for name, _within, _field, value in _single(import_row):
        if name not in _TIMES:
            changes.append((title(name), "", _words(import_row, name, value)))
    changes += [
        (each["field"], "", each["value"]) for each in import_row.body.get("tracking_fields", ())
    ]
    if import_row.password:
        changes.append((title("password"), "", MASK))
    return changes


def of_existing(
    import_row: SessionImportRow, session: SessionRecord
) -> tuple[dict[str, Any], list[Change]]:
    """The body that changes what differs alone, without the password, and the words for it."""
    body: dict[str, Any] = {}
    changes: list[Change] = []
    title = import_row.mapping.title
    for name, within, named, value in _single(import_row):
        thing = session.details.settings if within else session.details
        present = getattr(thing, named, None)
        if name == "alternative_hosts" and _names(present) == _names(value):
            continue
        if name != "start_time" and present != value:
            (body.setdefault(within, {}) if within else body)[named] = value
            words = [_words(import_row, name, each) for each in (present, value)]
            changes.append((title(name), words[0], words[1]))
    _times(import_row, session, body, changes)
    _tracking(import_row, session, body, changes)
    if import_row.password and import_row.password != session.password:
        changes.append((title("password"), MASK if session.password else "", MASK))
    return body, changes


def _single(import_row: SessionImportRow) -> Iterator[tuple[str, str, str, Any]]:
    """Yields the values of columns but those of the recurrence, each with where it stands."""
    for name in import_row.mapping.columns:
        within, named = import_row.mapping.field_of(name)
        values = import_row.body.get(within, {}) if within else import_row.body
        if named in values and within != "recurrence" and name != "tracking_fields":
            yield name, within, named, values[named]


def _times(
    import_row: SessionImportRow,
    session: SessionRecord,
    body: dict[str, object],
    changes: list[Change],
) -> None:
    """A start goes with its zone, and a recurrence with both: together they say when."""
    start, recurrence = import_row.start(session.timezone), import_row.recurrence
    current_start = session.details.start_time
    zone = zone_or_utc(session.timezone)
    first = start.moment if start else current_start
    where = start.zone if start else zone
    # A list may show any occurrence of a series, and a row may begin it before the first of them.
    same = {current_start, *session.dates}
    if recurrence:
        wall = start.typed if start else None
        dates = recurring.starts(first, where, recurrence, wall=wall) if first else []
        if not first or dates != session.dates:
            same = {current_start}
            was = session.recurrence
            unknown = (was.model_extra or {}) if was else {}
            body["recurrence"] = {**unknown, **import_row.body["recurrence"]}
            before = recurring.in_words(current_start, zone, was) if current_start and was else ""
            after = recurring.in_words(first, where, recurrence) if first else _("Repeats")
            changes.append((import_row.mapping.title("recurrence_type"), before, after))
        else:
            same.add(first)
    if start and start.moment not in same:
        body["start_time"] = import_row.body["start_time"]
        before = session_start(current_start, zone) if current_start else ""
        changes.append(
            (
                import_row.mapping.title("start_time"),
                before,
                session_start(start.moment, start.zone),
            )
        )
    if "start_time" in body and "timezone" in import_row.body:
        body["timezone"] = import_row.body["timezone"]
    elif "timezone" in body and "start_time" in import_row.body:
        body["start_time"] = import_row.body["start_time"]


def _tracking(
    import_row: SessionImportRow,
    session: SessionRecord,
    body: dict[str, object],
    changes: list[Change],
) -> None:
    """The service takes them all together, so those that stay are sent as well."""
    current = {one.field or "": one.value or "" for one in session.details.tracking_fields}
    data = {each["field"]: each["value"] for each in import_row.body.get("tracking_fields", ())}
    different = {name: value for name, value in data.items() if current.get(name, "") != value}
    if different:
        rows = {one.field or "": one.sent() for one in session.details.tracking_fields}
        rows |= {name: {**rows.get(name, {}), "field": name, "value": data[name]} for name in data}
        body["tracking_fields"] = list(rows.values())
        changes += [(name, current.get(name, ""), value) for name, value in different.items()]


def _names(data: object) -> list[str]:
    return sorted(name.strip().casefold() for name in str(data or "").split(",") if name.strip())


def _words(import_row: SessionImportRow, name: str, value: object) -> str:
    if name == "duration" and value is not None:
        return _("%(minutes)s min") % {"minutes": value}
    if name == "type":
        return next((each.label for each in import_row.spec.types if each.value == value), "")
    return columns.in_words(import_row.mapping.columns[name], value)


def replacement_of(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, object]
) -> Replacement | None:
    """Returns the replacement of a series' dates; None if they stay. A start that comes without a
    recurrence is given the present one, so that the compared values are the sent ones."""
    if not session.dates or not TIMES & set(body):
        return None
    start, pattern = import_row.start(session.timezone), session.pattern
    kind = body.get("type", session.details.type)
    recurrence = import_row.recurrence or (pattern.recurrence if pattern else None)
    if kind == session.spec.series and recurrence and (start or session.details.start_time):
        body.setdefault("recurrence", recurrence.model_dump(mode="json", exclude_unset=True))
    zone = start.zone if start else session.timezone
    return replaced_by(session, kind, start, zone, recurrence)


def refusal(lost: LostSession) -> str:
    """Returns why a row is not carried out that would delete registrations, unasked."""
    return _(
        "Would be deleted with the dates that are replaced: %(registrations)s. Turn on to register "
        "them again when you import the table, or keep the dates."
    ) % {"registrations": lost.in_words}


def stored_with(
    row: SessionImportRow, session: SessionRecord, lost: LostSession, made: Replacement
) -> JsonDict:
    """Returns what an item has to know to keep the registrations that go with its dates."""
    start = row.start(session.timezone)
    return {
        "agreed": lost.signature,
        "gone": [str(one.occurrence_id) for one in made.gone],
        "follows": {old.isoformat(): new.isoformat() for old, new in made.follows.items()},
        "zones": [session.timezone, start.zone if start else session.timezone],
    }


def back_in_words(session: SessionRecord, replacement: Replacement | None) -> Iterator[str]:
    """Which deleted dates the service makes anew."""
    for was in replacement.back if replacement else ():
        yield _("%(when)s was deleted, and comes back with the new times.") % {
            "when": session_start(was, session.timezone)
        }
