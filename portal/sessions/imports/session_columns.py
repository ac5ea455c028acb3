"""The columns that a table of meetings or webinars may have, and the headings that mean them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import submodel
from portal.contract.recurrence import RecurrenceType, WeekOfMonth
from portal.contract.sessions import ApprovalType
from portal.contract.user_settings import AutoRecording
from portal.imports.sheets.headings import OF_REPORTS, meant, normal, repeated
from portal.sessions.imports.session_headings import ALSO
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.translation import gettext_lazy, in_all_languages, pgettext_lazy

RECURRENCE, SETTINGS, PLAN, OWN = "recurrence", "settings", "", "own"
TRACKING = "tracking:"
# What exports hold beside, and nobody can change.
EXPORT_ONLY = OF_REPORTS | frozenset(
    normal(name) for name in ("created_at", "join_url", "uuid", "host_id")
)


@dataclass(frozen=True)
class SessionColumn:
    """One column. `part` is where its value goes in the interface's object: a key of it, its top,
    or nowhere (`OWN`). `choices` are those of the interface, if it is a choice."""

    name: str
    title: str
    help: str
    example: str = ""
    part: str = PLAN
    choices: type[NumberChoice] | type[TextChoice] | None = None

    @property
    def field(self) -> str:
        """Its name in the interface."""
        return "type" if self.name == "recurrence_type" else self.name

    @property
    def headings(self) -> list[str]:
        """Headings that mean this column, the likeliest first."""
        titles = in_all_languages(self.title)
        known = (self.name, *titles, *ALSO.get(self.name, ()))
        return list(dict.fromkeys(map(normal, known)))


_COLUMNS = (
    SessionColumn(
        "id",
        "ID",
        gettext_lazy(
            "Leave empty to schedule a new one. With an ID, the row edits that one and changes "
            "only the filled cells."
        ),
        part=OWN,
    ),
    SessionColumn(
        "host",
        gettext_lazy("Host"),
        gettext_lazy("Email or ID of a user on the account. Required for new ones."),
        "ada@example.com",
        OWN,
    ),
    SessionColumn(
        "topic",
        gettext_lazy("Topic"),
        gettext_lazy("Required for new ones."),
        gettext_lazy("Budget review"),
    ),
    SessionColumn(
        "type",
        gettext_lazy("Type"),
        gettext_lazy("The name or the number of the type. The default is a scheduled one."),
    ),
    SessionColumn(
        "start_time",
        gettext_lazy("Start"),
        gettext_lazy("2027-03-01 09:00 is in the time zone; 2027-03-01T08:00:00Z is GMT."),
        "2027-03-01 09:00",
    ),
    SessionColumn(
        "timezone",
        gettext_lazy("Time zone"),
        gettext_lazy("Required for a local start."),
        "Europe/Berlin",
    ),
    SessionColumn(
        "duration",
        gettext_lazy("Duration"),
        gettext_lazy("Minutes."),
        "60",
    ),
    SessionColumn(
        "agenda",
        gettext_lazy("Agenda"),
        gettext_lazy("A description."),
        gettext_lazy("Figures of the year"),
    ),
    SessionColumn(
        "password",
        pgettext_lazy("meeting", "Password"),
        gettext_lazy(
            "At most 10 letters, digits and the characters @ - _ *. Stored encrypted until it is "
            "sent."
        ),
    ),
    SessionColumn(
        "recurrence_type",
        gettext_lazy("Repeats"),
        gettext_lazy("Daily, weekly or monthly. Leave empty if it does not repeat."),
        part=RECURRENCE,
        choices=RecurrenceType,
    ),
    SessionColumn(
        "repeat_interval",
        gettext_lazy("Every"),
        gettext_lazy("2 is every second day, week or month."),
        part=RECURRENCE,
    ),
    SessionColumn(
        "weekly_days",
        gettext_lazy("Days of the week"),
        gettext_lazy("For weekly: Mon, Wed, or numbers, where 1 is Sunday."),
        part=RECURRENCE,
    ),
    SessionColumn(
        "monthly_day",
        gettext_lazy("Day of the month"),
        gettext_lazy("For monthly: 1 to 31."),
        part=RECURRENCE,
    ),
    SessionColumn(
        "monthly_week",
        gettext_lazy("Week of the month"),
        gettext_lazy(
            "For monthly, instead of a day: “second Monday” or “last Friday”. Or the week alone, "
            "as in second or 2, last or -1, with the day in the next column."
        ),
        part=RECURRENCE,
        choices=WeekOfMonth,
    ),
    SessionColumn(
        "monthly_week_day",
        pgettext_lazy("of a month", "Weekday"),
        gettext_lazy("For monthly: Mon or Monday, or a number, where 1 is Sunday."),
        part=RECURRENCE,
    ),
    SessionColumn(
        "end_times",
        gettext_lazy("Occurrences"),
        gettext_lazy("The number of occurrences, at most 50."),
        part=RECURRENCE,
    ),
    SessionColumn(
        "end_date_time",
        gettext_lazy("End date"),
        gettext_lazy(
            "The last date, instead of a number of occurrences. A date, or a time as for the start."
        ),
        part=RECURRENCE,
    ),
    SessionColumn(
        "approval_type",
        gettext_lazy("Registration"),
        gettext_lazy("Whether registration is required."),
        part=SETTINGS,
        choices=ApprovalType,
    ),
    SessionColumn(
        "join_before_host",
        gettext_lazy("Join before host"),
        gettext_lazy("Yes or no."),
        part=SETTINGS,
    ),
    SessionColumn(
        "waiting_room", gettext_lazy("Waiting room"), gettext_lazy("Yes or no."), part=SETTINGS
    ),
    SessionColumn(
        "mute_upon_entry", gettext_lazy("Mute on entry"), gettext_lazy("Yes or no."), part=SETTINGS
    ),
    SessionColumn(
        "practice_session",
        gettext_lazy("Practice session"),
        gettext_lazy("Yes or no."),
        part=SETTINGS,
    ),
    SessionColumn(
        "auto_recording",
        gettext_lazy("Automatic recording"),
        gettext_lazy("Where recordings are saved."),
        part=SETTINGS,
        choices=AutoRecording,
    ),
    SessionColumn(
        "alternative_hosts",
        gettext_lazy("Alternative hosts"),
        gettext_lazy("Emails or IDs, separated by commas."),
        part=SETTINGS,
    ),
    SessionColumn(
        "tracking_fields",
        gettext_lazy("Tracking fields"),
        gettext_lazy(
            "As in exports: “Cost centre: 4711; Unit: East”. Or one column per field, such as "
            "“tracking:Cost centre”."
        ),
    ),
)
TITLES = {column.name: column.title for column in _COLUMNS}
SECRETS = frozenset(("password",))
TRUTHS = frozenset(("join_before_host", "waiting_room", "mute_upon_entry", "practice_session"))


def columns_for(spec: SessionSpec) -> list[SessionColumn]:
    """The columns that a table of these sessions may have."""
    settings = submodel(spec.new.model_fields["settings"].annotation)
    known = settings.model_fields if settings else {}
    return [one for one in _COLUMNS if one.part != SETTINGS or one.name in known]


def choices_of(column: SessionColumn, spec: SessionSpec) -> list[NumberChoice | TextChoice]:
    """Returns the values of a column of choices; types that start at once cannot be planned."""
    if column.name == "type":
        return [one for one in spec.types if one != spec.instant]
    return list(column.choices or ())


@dataclass(frozen=True)
class SessionMapping:
    """The meaning of each column: a name of `columns_for`, `tracking:NAME`, or nothing."""

    headings: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def ignored(self) -> list[str]:
        return [
            heading or _("(no header)")
            for heading, name in zip(self.headings, self.names, strict=True)
            if not name and normal(heading) not in EXPORT_ONLY
        ]

    def heading(self, name: str) -> str:
        """Returns the table's heading of a column; its usual title if the table lacks it."""
        place = self.names.index(name) if name in self.names else len(self.headings)
        if place < len(self.headings):
            return self.headings[place] or title_of(name)
        return str(TITLES.get(name, name))

    def problems(self) -> list[str]:
        """Why no table can be read like that."""
        found = repeated(self.names, {name: title_of(name) for name in self.names})
        if not {"host", "id"} & set(self.names):
            words = _(
                "Map a column to “Host” to schedule new ones, or to “ID” to edit existing ones."
            )
            found.append(words)
        return found


def title_of(name: str) -> str:
    """Returns the title of a column, that of a tracking field too."""
    return str(TITLES.get(name, name.removeprefix(TRACKING)))


def recognised(
    headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]
) -> tuple[str, ...]:
    """Returns the meaning of the headings; `tracked` are the account's tracking fields."""
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
    """Returns the meanings that can be chosen for a column; tracking fields, of the account and
    those that headings name, are a group of their own."""
    choices: list[tuple[str, object]] = [(one.name, one.title) for one in columns_for(spec)]
    names = [f"{TRACKING}{field}" for field in tracked]
    names += filter(None, map(_tracked_by, headings))
    fields = [(name, title_of(name)) for name in dict.fromkeys(names)]
    return [*choices, (_("One tracking field"), fields)] if fields else choices


def _tracked_by(heading: str) -> str:
    """`tracking:Unit` for a heading that says so itself."""
    said = re.fullmatch(r"\s*tracking(?:[ _]fields?)?\s*:\s*(.+?)\s*", heading, re.IGNORECASE)
    return f"{TRACKING}{said[1]}" if said else ""
