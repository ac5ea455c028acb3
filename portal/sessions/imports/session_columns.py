"""The columns that a table of sessions may have, and the headings that mean them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Self

from portal.imports.columns import (
    Choice,
    Column,
    by_name,
    choices_of,
    column_of,
    field_specs,
    password,
    time_zone,
    worded,
)
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import Sheet
from portal.imports.sheets.dates import day_order
from portal.imports.sheets.headings import OF_REPORTS, headed, meant, normal
from portal.sessions.imports.parted_times import in_two_columns
from portal.sessions.imports.session_values import (
    WORDS,
    day_in,
    days_in,
    end_in,
    hosts_in,
    minutes_in,
    number_in,
    start_in,
    tracking_in,
    week_in,
    zone_of,
)
from portal.sessions.kinds import all_kinds
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.ui.addresses import address_in

TRACKING = "tracking:"
# Other columns of exports, which cannot be changed.
EXPORT_ONLY = OF_REPORTS | headed(
    "created_at",
    "join_url",
    "uuid",
    "host_id",
    gettext_lazy("Created"),
    gettext_lazy("Join link"),
    "has_password",
    gettext_lazy("Has password"),
)
_NONE_OF = gettext_lazy("“%(text)s” is not one of: %(listed)s.")
# Properties of columns that the contract does not declare, in the order of the columns.
_FIELDS: dict[str, dict[str, Any]] = {
    "topic": {
        "hint": gettext_lazy("Required for new ones."),
        "example": gettext_lazy("Budget review"),
    },
    "type": {
        "hint": gettext_lazy("The name or the number of the type. The default is a scheduled one.")
    },
    "start_time": {
        "hint": gettext_lazy("2027-03-01 09:00 is in the time zone; 2027-03-01T08:00:00Z is GMT."),
        "example": "2027-03-01 09:00",
        "reader": start_in,
    },
    "timezone": {
        "hint": gettext_lazy("Required for a local start."),
        "example": "Europe/Berlin",
        "reader": time_zone,
    },
    "duration": {"example": "60", "reader": minutes_in},
    "agenda": {"example": gettext_lazy("Figures of the year")},
    "password": {"hint": gettext_lazy("Stored encrypted until it is sent."), "reader": password},
    "recurrence.type": {"hint": gettext_lazy("Leave empty if it does not repeat.")},
    "recurrence.repeat_interval": {},
    "recurrence.weekly_days": {"hint": gettext_lazy("Or names: Mon, Wed."), "reader": days_in},
    "recurrence.monthly_day": {},
    "recurrence.monthly_week": {
        "hint": gettext_lazy(
            "“second Monday” or “last Friday”, or the week alone, as in second or 2, last or -1, "
            "with the day in the next column."
        ),
        "reader": week_in,
    },
    "recurrence.monthly_week_day": {
        "title": pgettext_lazy("of a month", "Weekday"),
        "hint": gettext_lazy("Mon or Monday, or a number, where 1 is Sunday."),
        "reader": day_in,
    },
    "recurrence.end_times": {},
    "recurrence.end_date_time": {
        "hint": gettext_lazy("A date, or a time as for the start."),
        "reader": end_in,
    },
    "settings.approval_type": {},
}
# The same after the settings that only one kind has.
_LAST: dict[str, dict[str, Any]] = {
    "settings.auto_recording": {},
    "settings.alternative_hosts": {"reader": hosts_in},
}
_ID = Column(
    "id",
    "ID",
    gettext_lazy(
        "Leave empty to schedule a new one. With an ID, the row edits that one and changes only "
        "the filled cells."
    ),
    reader=number_in,
)
_HOST = Column(
    "host",
    gettext_lazy("Host"),
    gettext_lazy("Email or ID of a user on the account. Required for new ones."),
    example="ada@example.com",
    reader=address_in,
)
_TRACKING_FIELDS = Column(
    "tracking_fields",
    gettext_lazy("Tracking fields"),
    gettext_lazy(
        "As in exports: “Cost centre: 4711; Unit: East”. Or one column per field, such as "
        "“tracking:Cost centre”."
    ),
    reader=tracking_in,
)


_BESIDE = (
    Column(
        "start_clock",
        gettext_lazy("Start: time of day"),
        gettext_lazy("Where the start has its date and its time in two columns."),
    ),
    Column(
        "ends",
        gettext_lazy("Ends at"),
        gettext_lazy("In the place of a duration: a time of day, or a date with one."),
    ),
    Column(
        "end_day",
        gettext_lazy("Ends on"),
        gettext_lazy("The date, where the end has its date and its time in two columns."),
    ),
)


@cache
def columns_for(spec: SessionSpec) -> dict[str, Column]:
    """Returns the columns by their names, with the words of all kinds: a table of one may have been
    made for another."""
    kinds = [spec, *(one for one in all_kinds() if one is not spec)]
    columns = dict(_columns(spec))
    for one in kinds:
        columns = {name: worded(column, one.words) for name, column in columns.items()}
    # As people write it.
    series = ("recurring", "series", "repeating", *(f"recurring {one.code}" for one in kinds))
    once = ("once", "scheduled", "single", spec.code)
    columns["type"] = replace(
        columns["type"],
        # Types that start at once cannot be planned.
        options=tuple(one for one in spec.types if one != spec.instant),
        words=dict.fromkeys(series, spec.series) | dict.fromkeys(once, spec.once),
        decides=True,
    )
    return columns


def column_names(spec: SessionSpec) -> tuple[str, ...]:
    return tuple(_columns(spec))


@cache
def _columns(spec: SessionSpec) -> dict[str, Column]:
    of = partial(column_of, spec.new, table_words=WORDS, none_of=_NONE_OF)
    own: dict[str, dict[str, Any]] = {f"settings.{name}": {} for name in spec.imported}
    given = {**_FIELDS, **own, **_LAST}
    dotted = [name for name in given if name in field_specs(spec.new)]
    return by_name(
        (
            worded(_ID, WORDS),
            worded(_HOST, WORDS),
            *(of(name, name=_name_of(name), **given[name]) for name in dotted),
            *(worded(column, WORDS) for column in _BESIDE),
            _TRACKING_FIELDS,
        )
    )


def _name_of(dotted: str) -> str:
    return "recurrence_type" if dotted == "recurrence.type" else dotted.rpartition(".")[2]


@dataclass(frozen=True)
class SessionMapping(ImportMapping):
    """The meaning of each column: a name of `columns_for`, `tracking:NAME`, or nothing."""

    spec: SessionSpec = field(kw_only=True)

    def of_table(self, table: Sheet) -> Self:
        """Returns the same with the order of day and month that the columns tell."""
        start = partial(start_in, zone=zone_of(self.heading("start_time")))
        columns = dict(self.columns)
        for name, reader in (("start_time", start), ("end_date_time", end_in)):
            place = self.place(name)
            order = None if place is None else day_order(table.column(place))
            columns[name] = replace(columns[name], reader=partial(reader, order=order))
        return replace(super().of_table(table), columns=columns)

    def title(self, name: str) -> str:
        return super().title(name).removeprefix(TRACKING)

    def field_of(self, name: str) -> tuple[str, str]:
        """Returns where in the service's object a column's value stands: an object within it, or
        nothing, and the name there."""
        spec = self.columns[name].spec
        section, _dot, field = (spec.name if spec else name).rpartition(".")
        return section, field


def mapping_of(
    spec: SessionSpec, names: Sequence[str], headings: Sequence[str] = ()
) -> SessionMapping:
    """The meaning of a table's columns, those of single tracking fields too."""
    tracked = {name: _tracked(name) for name in names if name.startswith(TRACKING)}
    columns, needed = columns_for(spec) | tracked, (("host", "id"),)
    return SessionMapping(names, headings, columns, needed, EXPORT_ONLY, spec=spec)


def _tracked(name: str) -> Column:
    title = name.removeprefix(TRACKING)
    return Column(name, title, reader=lambda text: {title: text})


def recognised(
    headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]
) -> tuple[str, ...]:
    """Returns the meaning of the headings; `tracked` are the account's tracking fields."""
    headings_of = {name: column.headings for name, column in columns_for(spec).items()}
    headings_of |= {f"{TRACKING}{field}": (normal(field),) for field in tracked}
    names: list[str] = []
    found = in_two_columns(headings, meant(headings, headings_of), headings_of["start_time"])
    for heading, name in zip(headings, found, strict=True):
        name_meant = _tracked_by(heading) or name
        names.append("" if name_meant in names else name_meant)
    return tuple(names)


def choices_in(headings: Sequence[str], spec: SessionSpec, tracked: Iterable[str]) -> list[Choice]:
    """Returns the meanings that can be chosen for a column; tracking fields are of the account, and
    those that headings name."""
    names = [*(f"{TRACKING}{field}" for field in tracked), *map(_tracked_by, headings)]
    fields = [(name, name.removeprefix(TRACKING)) for name in dict.fromkeys(filter(None, names))]
    return choices_of(columns_for(spec), _("One tracking field"), fields)


def _tracked_by(heading: str) -> str:
    """`tracking:Unit` for a heading that says so itself."""
    match = re.fullmatch(r"\s*tracking(?:[ _]fields?)?\s*:\s*(.+?)\s*", heading, re.IGNORECASE)
    return f"{TRACKING}{match[1]}" if match else ""
