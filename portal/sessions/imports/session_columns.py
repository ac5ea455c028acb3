"""The columns that a table of meetings or webinars may have, and the headings that mean them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import submodel
from portal.contract.recurrence import RecurrenceType, WeekOfMonth
from portal.contract.sessions import ApprovalType
from portal.contract.user_settings import AutoRecording
from portal.sessions.imports.session_headings import ALSO
from portal.sessions.specs import SessionSpec
from portal.ui.sheets.headings import OF_REPORTS, meant, normal, repeated

RECURRENCE, SETTINGS, PLAN, OWN = "recurrence", "settings", "", "own"
TRACKING = "tracking:"
# What exports hold beside, and nobody can change.
EXPORT_ONLY = OF_REPORTS | frozenset(
    normal(name) for name in ("created_at", "join_url", "uuid", "host_id")
)


@dataclass(frozen=True)
class Column:
    """One column. `part` is where its value goes in the interface's object: a key of it, its top,
    or nowhere (`OWN`). `choices` are those of the interface, if it is a choice."""

    name: str
    title: str
    help: str
    example: str = ""
    part: str = PLAN
    choices: type[NumberChoice] | type[TextChoice] | None = None
    also: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """Its name in the interface."""
        return "type" if self.name == "recurrence_type" else self.name

    @property
    def headings(self) -> list[str]:
        """Headings that mean this column, the likeliest first."""
        translated = ALSO.get(self.name, ())
        known = (self.name, self.title, *self.also, *translated)
        return list(dict.fromkeys(map(normal, known)))


_COLUMNS = (
    Column(
        "id",
        "ID",
        "Leave empty to schedule a new one. With an ID, the row edits that one and changes only "
        "the filled cells.",
        part=OWN,
        also=("meeting id", "webinar id", "meeting number", "webinar number", "number"),
    ),
    Column(
        "host",
        "Host",
        "Email or ID of a user on the account. Required for new ones.",
        "ada@example.com",
        OWN,
        also=("host_email", "host email", "host id or email", "organizer", "organiser", "email"),
    ),
    Column("topic", "Topic", "Required for new ones.", "Budget review", also=("title", "subject")),
    Column("type", "Type", "The name or the number of the type. The default is a scheduled one."),
    Column(
        "start_time",
        "Start",
        "2027-03-01 09:00 is in the time zone; 2027-03-01T08:00:00Z is GMT.",
        "2027-03-01 09:00",
        also=("start", "starts", "start time", "date and time", "begins"),
    ),
    Column(
        "timezone",
        "Time zone",
        "Required for a local start.",
        "Europe/Berlin",
        also=("time zone", "tz"),
    ),
    Column("duration", "Duration", "Minutes.", "60", also=("minutes", "length")),
    Column("agenda", "Agenda", "A description.", "Figures of the year", also=("description",)),
    Column(
        "password",
        "Password",
        "At most 10 letters, digits and the characters @ - _ *. Stored encrypted until it is sent.",
        also=("passcode",),
    ),
    Column(
        "recurrence_type",
        "Repeats",
        "Daily, weekly or monthly. Leave empty if it does not repeat.",
        part=RECURRENCE,
        choices=RecurrenceType,
        also=("recurrence", "repeats", "recurrence type"),
    ),
    Column(
        "repeat_interval",
        "Every",
        "2 is every second day, week or month.",
        part=RECURRENCE,
        also=("interval", "recurrence interval"),
    ),
    Column(
        "weekly_days",
        "Days of the week",
        "For weekly: Mon, Wed, or numbers, where 1 is Sunday.",
        part=RECURRENCE,
        also=("weekdays", "days", "week days"),
    ),
    Column(
        "monthly_day",
        "Day of the month",
        "For monthly: 1 to 31.",
        part=RECURRENCE,
        also=("month day",),
    ),
    Column(
        "monthly_week",
        "Week of the month",
        "For monthly, instead of a day: “second Monday” or “last Friday”. Or the week alone, as in "
        "second or 2, last or -1, with the day in the next column.",
        part=RECURRENCE,
        choices=WeekOfMonth,
        also=("monthly on", "weekday of the month", "week in month"),
    ),
    Column(
        "monthly_week_day",
        "Weekday",
        "For monthly: Mon or Monday, or a number, where 1 is Sunday.",
        part=RECURRENCE,
        also=("monthly weekday", "monthly week day", "day of that week"),
    ),
    Column(
        "end_times",
        "Occurrences",
        "The number of occurrences, at most 50.",
        part=RECURRENCE,
        also=("number of occurrences", "times"),
    ),
    Column(
        "end_date_time",
        "End date",
        "The last date, instead of a number of occurrences. A date, or a time as for the start.",
        part=RECURRENCE,
        also=("repeat until", "until", "end"),
    ),
    Column(
        "approval_type",
        "Registration",
        "Whether registration is required.",
        part=SETTINGS,
        choices=ApprovalType,
    ),
    Column("join_before_host", "Join before host", "Yes or no.", part=SETTINGS),
    Column("waiting_room", "Waiting room", "Yes or no.", part=SETTINGS),
    Column("mute_upon_entry", "Mute on entry", "Yes or no.", part=SETTINGS),
    Column("practice_session", "Practice session", "Yes or no.", part=SETTINGS),
    Column(
        "auto_recording",
        "Automatic recording",
        "Where recordings are saved.",
        part=SETTINGS,
        choices=AutoRecording,
        also=("recording",),
    ),
    Column(
        "alternative_hosts",
        "Alternative hosts",
        "Emails or IDs, separated by commas.",
        part=SETTINGS,
    ),
    Column(
        "tracking_fields",
        "Tracking fields",
        "As in exports: “Cost centre: 4711; Unit: East”. Or one column per field, such as "
        "“tracking:Cost centre”.",
    ),
)
TITLES = {column.name: column.title for column in _COLUMNS}
SECRETS = frozenset(("password",))
TRUTHS = frozenset(("join_before_host", "waiting_room", "mute_upon_entry", "practice_session"))


def columns_for(spec: SessionSpec) -> list[Column]:
    """The columns that a table of these sessions may have."""
    settings = submodel(spec.new.model_fields["settings"].annotation)
    known = settings.model_fields if settings else {}
    return [one for one in _COLUMNS if one.part != SETTINGS or one.name in known]


def choices_of(column: Column, spec: SessionSpec) -> list[NumberChoice | TextChoice]:
    """What can stand in a column of choices; what starts at once cannot be planned."""
    if column.name == "type":
        return [one for one in spec.types if one != spec.instant]
    return list(column.choices or ())


@dataclass(frozen=True)
class Reading:
    """What each column of a table means: a name of `columns_for`, `tracking:NAME`, or nothing."""

    headings: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def ignored(self) -> list[str]:
        return [
            heading or "(no header)"
            for heading, name in zip(self.headings, self.names, strict=True)
            if not name and normal(heading) not in EXPORT_ONLY
        ]

    def heading(self, name: str) -> str:
        """How the table calls what is meant; its usual title where the table lacks it."""
        if name in self.names:
            return self.headings[self.names.index(name)] or title_of(name)
        return TITLES.get(name, name)

    def problems(self) -> list[str]:
        """Why no table can be read like that."""
        found = repeated(self.names, {name: title_of(name) for name in self.names})
        if not {"host", "id"} & set(self.names):
            words = "Map a column to “Host” to schedule new ones, or to “ID” to edit existing ones."
            found.append(words)
        return found


def title_of(name: str) -> str:
    """What a column is called, that of a tracking field too."""
    return TITLES.get(name, name.removeprefix(TRACKING))


def recognised(
    headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]
) -> tuple[str, ...]:
    """What the headings mean; `tracked` are the tracking fields that the account asks for."""
    known = {column.name: column.headings for column in columns_for(spec)}
    known |= {f"{TRACKING}{field}": [normal(field)] for field in tracked}
    names: list[str] = []
    for heading, name in zip(headings, meant(headings, known), strict=True):
        said = _tracked_by(heading) or name
        names.append("" if said in names else said)
    return tuple(names)


def choices_in(
    headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]
) -> list[tuple[str, object]]:
    """What a column can be said to mean; tracking fields, of the account and those that headings
    name, are a group of their own."""
    choices: list[tuple[str, object]] = [(one.name, one.title) for one in columns_for(spec)]
    names = [f"{TRACKING}{field}" for field in tracked]
    names += filter(None, map(_tracked_by, headings))
    fields = [(name, title_of(name)) for name in dict.fromkeys(names)]
    return [*choices, ("One tracking field", fields)] if fields else choices


def _tracked_by(heading: str) -> str:
    """`tracking:Unit` for a heading that says so itself."""
    said = re.fullmatch(r"\s*tracking(?:[ _]fields?)?\s*:\s*(.+?)\s*", heading, re.IGNORECASE)
    return f"{TRACKING}{said[1]}" if said else ""
