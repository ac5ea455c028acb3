"""Cells of a table of sessions to values of the interface, as JSON has them."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from enum import Enum
from functools import partial

from portal.contract.recurrence import RecurrenceType, WeekDay, WeekOfMonth
from portal.imports.sheets.dates import AmbiguousDate, DayOrder, NoDate, read_moment
from portal.imports.sheets.headings import normal
from portal.imports.sheets.meanings import time_zone, truth
from portal.sessions.imports.session_columns import TRUTHS, SessionColumn, choices_of
from portal.sessions.imports.session_headings import DAYS, EVERY
from portal.sessions.specs import SessionSpec
from portal.sessions.times import known_zone, start_of
from portal.translation import gettext as _
from portal.translation import gettext_lazy, in_all_languages, lazily
from portal.ui.addresses import people_in

_WRITE_TIME = gettext_lazy("Enter the time as 2027-03-01 09:00, or in GMT as 2027-03-01T08:00:00Z.")
_LAST_MINUTE = time(23, 59, 59)
_DAYS = {
    normal(word): day
    for day in WeekDay
    for name in (day.name.capitalize(),)
    for word in (str(day.value), name, name[:3], name[:2])
} | {normal(word): day for word, day in DAYS.items()}
# Spreadsheets write a number as 2.0.
_WEEK = re.compile(
    r"(?:on |am )?(?:the |der )?(?P<week>-?\w+)(?:\.0?)?(?: week)?(?: (?P<day>[^\W\d]+))?"
    r"(?: (?:of|in) (?:the|each|every) month)?"
)
_MINUTES = r"(?:min\.?|mins|minutes?|minuten|minutos?|minuti|minuut|m|')"
_HOURS = r"(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|ore|uur)"
_LENGTH = re.compile(
    rf"(?P<hours>\d{{1,2}}):(?P<minutes>\d{{2}})(?::00)?"
    rf"|(?:(?P<hour>\d{{1,2}}) ?{_HOURS} ?)?(?:(?P<minute>\d{{1,4}})(?: ?{_MINUTES})?)?"
)
_SHORT = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_GERMAN = {"erste": 1, "zweite": 2, "dritte": 3, "vierte": 4, "letzte": -1}
_WEEKS = (
    {week.name.lower(): week for week in WeekOfMonth}
    | {str(week.value): week for week in WeekOfMonth}
    | {word: WeekOfMonth(number) for word, number in _SHORT.items()}
    | {f"{word}{end}": WeekOfMonth(of) for word, of in _GERMAN.items() for end in ("", "r", "n")}
)


def value_of(
    column: SessionColumn, text: str, spec: SessionSpec, order: DayOrder | None = None
) -> object:
    """Returns the value that a text stands for. Raises `ValueError` with the fault in words.

    `order` is that of day and month in the column, if its cells tell it. Limits are not checked
    here: the contract does that.
    """
    if column.name in TRUTHS:
        return truth(text)
    if column.name == "timezone":
        return time_zone(text)
    if column.name == "start_time":
        return iso(moment_in(text, order))
    if column.name == "duration":
        return minutes_in(text)
    if column.name == "weekly_days":
        return _days(text)
    if column.name == "monthly_week_day":
        return int(_day(text))
    if column.name == "alternative_hosts":
        return hosts_in(text)
    offered = choices_of(column, spec)
    return _choice(text, offered, _words(column, spec)) if offered else text


def moment_in(text: str, order: DayOrder | None = None) -> datetime:
    """Returns the time as it was written: aware if a zone was, and then in GMT. Raises
    `ValueError`."""
    moment, has_time = _read(text, order)
    if not has_time:
        raise ValueError(_("The time of day is missing. %(write)s") % {"write": _WRITE_TIME})
    return moment.astimezone(UTC) if moment.tzinfo else moment


def end_of(text: str, zone: str, order: DayOrder | None = None) -> str:
    """Until when something repeats, in GMT; a day alone means all of it, in the zone."""
    end, has_time = _read(text, order)
    # A workbook may show a day with a time, that of midnight.
    if not has_time or (end.tzinfo is None and end.time() == time()):
        end = datetime.combine(end, _LAST_MINUTE)
    if not zone and end.tzinfo is None:
        raise ValueError(_("An end date requires a time zone, unless it is in GMT."))
    return iso(start_of(end.astimezone(UTC) if end.tzinfo else end, known_zone(zone)).moment)


def _read(text: str, order: DayOrder | None) -> tuple[datetime, bool]:
    try:
        return read_moment(text, order)
    except AmbiguousDate:
        raise
    except NoDate:
        raise ValueError(str(_WRITE_TIME)) from None


def iso(moment: datetime) -> str:
    """As the interface takes it: with a `Z` where it is GMT."""
    return moment.isoformat().replace("+00:00", "Z")


def minutes_in(text: str) -> object:
    """Returns the minutes of `60 min`, `1 h 30` or `1:30`; the text where it is none of these,
    which the contract refuses."""
    said = _LENGTH.fullmatch(" ".join(text.casefold().split()))
    if said is None:
        return text
    hours = int(said["hours"] or said["hour"] or 0)
    return hours * 60 + int(said["minutes"] or said["minute"] or 0)


def hosts_in(text: str) -> str:
    """Addresses in any notation, or user IDs, with commas between. Raises `ValueError`."""
    if "@" not in text:
        return ",".join(filter(None, (part.strip() for part in re.split(r"[,;\n]", text))))
    found = people_in(text)
    if problem := next((one.problem for one in found if one.problem), ""):
        raise ValueError(problem)
    return ",".join(one.email for one in found)


def tracking_in(text: str) -> dict[str, str]:
    """`Cost centre: 4711; Unit: East` by field. Raises `ValueError`."""
    found = {}
    for part in re.split(r"[;\n]", text):
        if part.strip():
            name, colon, value = part.partition(":")
            if not colon or not name.strip():
                raise ValueError(_("Enter each as “Cost centre: 4711”, separated by semicolons."))
            found[name.strip()] = value.strip()
    return found


def week_in(text: str) -> tuple[int, int | None]:
    """A week of the month and, where the text names one, the day: `second Monday`, `last`, `-1`.

    Raises `ValueError`.
    """
    said = _WEEK.fullmatch(" ".join(text.casefold().split()))
    week = _WEEKS.get(said["week"]) if said else None
    if said is None or week is None:
        raise ValueError(
            _("“%(text)s” is not a week of the month. Enter it as “second Monday” or “last”.")
            % {"text": text}
        )
    return int(week), int(_day(said["day"])) if said["day"] else None


def _days(text: str) -> str:
    days: list[WeekDay] = sorted({_day(word) for word in re.split(r"[\s,;/]+", text) if word})
    return ",".join(str(int(day)) for day in days)


def _day(word: str) -> WeekDay:
    found = _DAYS.get(normal(re.sub(r"\.0$", "", word)))
    if found is None:
        raise ValueError(
            _("“%(text)s” is not a day of the week. Enter it as Mon or Monday.") % {"text": word}
        )
    return found


def _choice(text: str, offered: Sequence[Enum], also: Mapping[str, Enum]) -> object:
    known = {normal(name): each for name, each in also.items()}
    for each in offered:
        labels = in_all_languages(lazily(partial(_label, each)))
        known |= {normal(word): each for word in (*labels, str(each.value))}
    # Spreadsheets write a number as 2.0.
    found = known.get(normal(re.sub(r"\.0$", "", text)))
    if found is None:
        listed = ", ".join(map(_label, offered))
        raise ValueError(
            _("“%(text)s” is not one of: %(listed)s.") % {"text": text, "listed": listed}
        )
    return found.value


def _label(choice: Enum) -> str:
    return str(getattr(choice, "label", choice.name))


def _words(column: SessionColumn, spec: SessionSpec) -> dict[str, Enum]:
    if column.name == "type":
        of = [f"recurring {code}" for code in ("meeting", "webinar")]
        words = ("recurring", "series", "repeating", *of)
        once = ("once", "scheduled", "single", spec.code)
        return {**dict.fromkeys(words, spec.series), **dict.fromkeys(once, spec.once)}
    if column.name == "recurrence_type":
        every = {"day": RecurrenceType.DAILY, "week": RecurrenceType.WEEKLY}
        return {**EVERY, **every, "month": RecurrenceType.MONTHLY}
    if column.name == "approval_type":
        by = {each.name.lower(): each for each in column.choices or ()}
        return {**by, "no": by["none"], "automatically": by["automatic"]}
    if column.name == "auto_recording":
        by = {each.name.lower(): each for each in column.choices or ()}
        return {**by, "no": by["none"], "off": by["none"]}
    return {}
