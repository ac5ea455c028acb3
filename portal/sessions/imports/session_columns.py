"""The columns that a table of meetings or webinars may have, and the headings that mean them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Self

from portal.contract.model import submodel
from portal.contract.recurrence import RecurrenceType
from portal.contract.sessions import ApprovalType
from portal.contract.user_settings import AutoRecording
from portal.imports.columns import Column, worded
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import Sheet
from portal.imports.sheets.dates import DayOrder, day_order
from portal.imports.sheets.headings import OF_REPORTS, headed, meant, normal
from portal.imports.sheets.meanings import password, time_zone, truth
from portal.sessions.imports.session_values import (
    WORDS,
    day_in,
    days_in,
    hosts_in,
    minutes_in,
    number_in,
    start_in,
    tracking_in,
    week_in,
    zone_of,
)
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.translation import gettext_lazy, pgettext_lazy
from portal.ui.addresses import address_in

TRACKING = "tracking:"
# What exports hold beside, and nobody can change.
EXPORT_ONLY = OF_REPORTS | headed(
    "created_at",
    "join_url",
    "uuid",
    "host_id",
    gettext_lazy("Created"),
    gettext_lazy("Join link"),
)
_choice = partial(Column, none_of=gettext_lazy("“%(text)s” is not one of: %(listed)s."))


def _by_names(options: Iterable[Any], **also: str) -> dict[str, Any]:
    """Returns choices by their names, and by other words for these."""
    by = {each.name.lower(): each for each in options}
    return {**by, **{word: by[name] for word, name in also.items()}}


_DECLARED = (
    Column(
        "id",
        "ID",
        gettext_lazy(
            "Leave empty to schedule a new one. With an ID, the row edits that one and changes "
            "only the filled cells."
        ),
        reader=number_in,
    ),
    Column(
        "host",
        gettext_lazy("Host"),
        gettext_lazy("Email or ID of a user on the account. Required for new ones."),
        example="ada@example.com",
        reader=address_in,
    ),
    Column(
        "topic",
        gettext_lazy("Topic"),
        gettext_lazy("Required for new ones."),
        example=gettext_lazy("Budget review"),
    ),
    _choice(
        "type",
        gettext_lazy("Type"),
        gettext_lazy("The name or the number of the type. The default is a scheduled one."),
    ),
    Column(
        "start_time",
        gettext_lazy("Start"),
        gettext_lazy("2027-03-01 09:00 is in the time zone; 2027-03-01T08:00:00Z is GMT."),
        example="2027-03-01 09:00",
        reader=start_in,
    ),
    Column(
        "timezone",
        gettext_lazy("Time zone"),
        gettext_lazy("Required for a local start."),
        example="Europe/Berlin",
        reader=time_zone,
    ),
    Column(
        "duration",
        gettext_lazy("Duration"),
        gettext_lazy("Minutes."),
        example="60",
        reader=minutes_in,
    ),
    Column(
        "agenda",
        gettext_lazy("Agenda"),
        gettext_lazy("A description."),
        example=gettext_lazy("Figures of the year"),
    ),
    Column(
        "password",
        pgettext_lazy("meeting", "Password"),
        gettext_lazy(
            "At most 10 letters, digits and the characters @ - _ *. Stored encrypted until it is "
            "sent."
        ),
        reader=password,
        is_secret=True,
    ),
    _choice(
        "recurrence_type",
        gettext_lazy("Repeats"),
        gettext_lazy("Daily, weekly or monthly. Leave empty if it does not repeat."),
        options=tuple(RecurrenceType),
    ),
    Column(
        "repeat_interval",
        gettext_lazy("Every"),
        gettext_lazy("2 is every second day, week or month."),
    ),
    Column(
        "weekly_days",
        gettext_lazy("Days of the week"),
        gettext_lazy("For weekly: Mon, Wed, or numbers, where 1 is Sunday."),
        reader=days_in,
    ),
    Column("monthly_day", gettext_lazy("Day of the month"), gettext_lazy("For monthly: 1 to 31.")),
    Column(
        "monthly_week",
        gettext_lazy("Week of the month"),
        gettext_lazy(
            "For monthly, instead of a day: “second Monday” or “last Friday”. Or the week alone, "
            "as in second or 2, last or -1, with the day in the next column."
        ),
        reader=week_in,
    ),
    Column(
        "monthly_week_day",
        pgettext_lazy("of a month", "Weekday"),
        gettext_lazy("For monthly: Mon or Monday, or a number, where 1 is Sunday."),
        reader=day_in,
    ),
    Column(
        "end_times",
        gettext_lazy("Occurrences"),
        gettext_lazy("The number of occurrences, at most 50."),
    ),
    Column(
        "end_date_time",
        gettext_lazy("End date"),
        gettext_lazy(
            "The last date, instead of a number of occurrences. A date, or a time as for the start."
        ),
    ),
    _choice(
        "approval_type",
        gettext_lazy("Registration"),
        gettext_lazy("Whether registration is required."),
        options=tuple(ApprovalType),
        words=_by_names(ApprovalType, no="none", automatically="automatic"),
    ),
    Column(
        "join_before_host",
        gettext_lazy("Join before host"),
        gettext_lazy("Yes or no."),
        reader=truth,
    ),
    Column("waiting_room", gettext_lazy("Waiting room"), gettext_lazy("Yes or no."), reader=truth),
    Column(
        "mute_upon_entry", gettext_lazy("Mute on entry"), gettext_lazy("Yes or no."), reader=truth
    ),
    Column(
        "practice_session",
        gettext_lazy("Practice session"),
        gettext_lazy("Yes or no."),
        reader=truth,
    ),
    _choice(
        "auto_recording",
        gettext_lazy("Automatic recording"),
        gettext_lazy("Where recordings are saved."),
        options=tuple(AutoRecording),
        words=_by_names(AutoRecording, no="none", off="none"),
    ),
    Column(
        "alternative_hosts",
        gettext_lazy("Alternative hosts"),
        gettext_lazy("Emails or IDs, separated by commas."),
        reader=hosts_in,
    ),
    Column(
        "tracking_fields",
        gettext_lazy("Tracking fields"),
        gettext_lazy(
            "As in exports: “Cost centre: 4711; Unit: East”. Or one column per field, such as "
            "“tracking:Cost centre”."
        ),
        reader=tracking_in,
    ),
)
_COLUMNS = tuple(worded(column, WORDS) for column in _DECLARED)
TITLES = {column.name: column.title for column in _COLUMNS}
# Where in the service's object a column's value stands, if not at its top.
RECURRENCE = frozenset(
    (
        *("recurrence_type", "repeat_interval", "weekly_days", "monthly_day", "monthly_week"),
        *("monthly_week_day", "end_times", "end_date_time"),
    )
)
SETTINGS = frozenset(
    (
        *("approval_type", "join_before_host", "waiting_room", "mute_upon_entry"),
        *("practice_session", "auto_recording", "alternative_hosts"),
    )
)


@cache
def columns_for(spec: SessionSpec) -> dict[str, Column]:
    """The columns that a table of these sessions may have."""
    settings = submodel(spec.new.model_fields["settings"].annotation)
    known = settings.model_fields if settings else {}
    columns = {one.name: one for one in _COLUMNS if one.name not in SETTINGS - known.keys()}
    of = [f"recurring {code}" for code in ("meeting", "webinar")]
    series = ("recurring", "series", "repeating", *of)
    once = ("once", "scheduled", "single", spec.code)
    columns["type"] = replace(
        columns["type"],
        # Types that start at once cannot be planned.
        options=tuple(one for one in spec.types if one != spec.instant),
        words=dict.fromkeys(series, spec.series) | dict.fromkeys(once, spec.once),
    )
    return columns


@dataclass(frozen=True)
class SessionMapping(ImportMapping):
    """The meaning of each column: a name of `columns_for`, `tracking:NAME`, or nothing. `end_order`
    is that of day and month in the column of the end."""

    spec: SessionSpec = field(kw_only=True)
    end_order: DayOrder | None = None

    def of_table(self, table: Sheet) -> Self:
        """Returns the same with the order of day and month that the columns tell."""
        order, end_order = (
            None if (place := self.place(name)) is None else day_order(table.column(place))
            for name in ("start_time", "end_date_time")
        )
        reader = partial(start_in, order=order, zone=zone_of(self.heading("start_time")))
        start = replace(self.columns["start_time"], reader=reader)
        mapping = replace(super().of_table(table), end_order=end_order)
        return replace(mapping, columns={**self.columns, "start_time": start})

    def title(self, name: str) -> str:
        return title_of(name)

    def column_of(self, field: str) -> str:
        """Tracking fields are one in the service's object, and `type` there may be another."""
        if field.startswith("tracking_fields"):
            return "tracking_fields"
        return "recurrence_type" if field == "recurrence.type" else super().column_of(field)

    def problems(self) -> list[str]:
        found = super().problems()
        if not {"host", "id"} & set(self.names):
            words = _(
                "Map a column to “Host” to schedule new ones, or to “ID” to edit existing ones."
            )
            found.append(words)
        return found


def mapping_of(
    spec: SessionSpec, names: Sequence[str], headings: Sequence[str] = ()
) -> SessionMapping:
    """The meaning of a table's columns, those of single tracking fields too."""
    tracked = {name: Column(name, title_of(name)) for name in names if name.startswith(TRACKING)}
    columns = columns_for(spec) | tracked
    return SessionMapping(names, headings, columns, export_only=EXPORT_ONLY, spec=spec)


def title_of(name: str) -> str:
    """Returns the title of a column, that of a tracking field too."""
    return str(TITLES.get(name, name.removeprefix(TRACKING)))


def recognised(
    headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]
) -> tuple[str, ...]:
    """Returns the meaning of the headings; `tracked` are the account's tracking fields."""
    known = {name: column.headings for name, column in columns_for(spec).items()}
    known |= {f"{TRACKING}{field}": (normal(field),) for field in tracked}
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
    choices: list[tuple[str, object]] = [
        (one.name, one.title) for one in columns_for(spec).values()
    ]
    names = [f"{TRACKING}{field}" for field in tracked]
    names += filter(None, map(_tracked_by, headings))
    fields = [(name, title_of(name)) for name in dict.fromkeys(names)]
    return [*choices, (_("One tracking field"), fields)] if fields else choices


def _tracked_by(heading: str) -> str:
    """`tracking:Unit` for a heading that says so itself."""
    said = re.fullmatch(r"\s*tracking(?:[ _]fields?)?\s*:\s*(.+?)\s*", heading, re.IGNORECASE)
    return f"{TRACKING}{said[1]}" if said else ""
