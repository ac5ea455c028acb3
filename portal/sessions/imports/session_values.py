"""Cells of a table of sessions to values of the interface, as JSON has them."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from enum import Enum

from portal.contract.recurrence import RecurrenceType, WeekDay, WeekOfMonth
from portal.sessions.imports.session_columns import TRUTHS, Column, choices_of
from portal.sessions.imports.session_headings import DAYS, EVERY
from portal.sessions.recurrence import ORDINALS
from portal.sessions.specs import SessionSpec
from portal.sessions.times import known_zone, start_of
from portal.ui.sheets.headings import normal
from portal.ui.sheets.meanings import time_zone, truth

_WRITE_TIME = "Enter the time as 2027-03-01 09:00, or in GMT as 2027-03-01T08:00:00Z."
_LAST_MINUTE = time(23, 59, 59)
_DAYS = {
    normal(word): day
    for day in WeekDay
    for word in (str(day.value), day.label, day.label[:3], day.label[:2])
} | {normal(word): day for word, day in DAYS.items()}
# Spreadsheets write a number as 2.0.
_WEEK = re.compile(
    r"(?:on )?(?:the )?(?P<week>-?\w+)(?:\.0?)?(?: week)?(?: (?P<day>[^\W\d]+))?"
    r"(?: (?:of|in) (?:the|each|every) month)?"
)
_SHORT = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_WEEKS = (
    {word: week for week, word in ORDINALS.items()}
    | {str(week.value): week for week in WeekOfMonth}
    | {word: WeekOfMonth(number) for word, number in _SHORT.items()}
)


def value_of(column: Column, text: str, spec: SessionSpec) -> object:
    """What a text stands for. Raises `ValueError` with what is wrong.

    Limits are not checked here: the contract does that.
    """
    if column.name in TRUTHS:
        return truth(text)
    if column.name == "timezone":
        return time_zone(text)
    if column.name == "start_time":
        return iso(moment_in(text))
    if column.name == "weekly_days":
        return _days(text)
    if column.name == "monthly_week_day":
        return int(_day(text))
    offered = choices_of(column, spec)
    return _choice(text, offered, _words(column, spec)) if offered else text


def moment_in(text: str) -> datetime:
    """A time as it was written: aware where a zone was, which is then GMT."""
    try:
        found = datetime.fromisoformat(_year_first(text.strip().upper().replace("/", "-")))
    except ValueError:
        raise ValueError(_WRITE_TIME) from None
    if len(text.strip()) <= len("2027-03-01"):
        raise ValueError(f"The time of day is missing. {_WRITE_TIME}")
    return found.astimezone(UTC) if found.tzinfo else found


def _year_first(text: str) -> str:
    """A date with dots has its day first wherever it is written: 1.3.2027 is in March."""
    said = re.match(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b,?", text)
    if not said:
        return text
    day, month, year = said.groups()
    return f"{year}-{month:0>2}-{day:0>2}{text[said.end() :]}"


def end_of(text: str, zone: str) -> str:
    """Until when something repeats, in GMT; a day alone means all of it, in the zone."""
    is_day = len(text.strip()) <= len("2027-03-01")
    if is_day:
        try:
            day = datetime.fromisoformat(_year_first(text.strip()))
            found = datetime.combine(day, _LAST_MINUTE)
        except ValueError:
            raise ValueError(_WRITE_TIME) from None
    else:
        found = moment_in(text)
    if not zone and found.tzinfo is None:
        raise ValueError("An end date requires a time zone, unless it is in GMT.")
    return iso(start_of(found, known_zone(zone)).moment)


def iso(moment: datetime) -> str:
    """As the interface takes it: with a `Z` where it is GMT."""
    return moment.isoformat().replace("+00:00", "Z")


def tracking_in(text: str) -> dict[str, str]:
    """`Cost centre: 4711; Unit: East` by field. Raises `ValueError`."""
    found = {}
    for part in re.split(r"[;\n]", text):
        if part.strip():
            name, colon, value = part.partition(":")
            if not colon or not name.strip():
                raise ValueError("Enter each as “Cost centre: 4711”, separated by semicolons.")
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
            f"“{text}” is not a week of the month. Enter it as “second Monday” or “last”."
        )
    return int(week), int(_day(said["day"])) if said["day"] else None


def _days(text: str) -> str:
    days: list[WeekDay] = sorted({_day(word) for word in re.split(r"[\s,;/]+", text) if word})
    return ",".join(str(int(day)) for day in days)


def _day(word: str) -> WeekDay:
    found = _DAYS.get(normal(re.sub(r"\.0$", "", word)))
    if found is None:
        raise ValueError(f"“{word}” is not a day of the week. Enter it as Mon or Monday.")
    return found


def _choice(text: str, offered: Sequence[Enum], also: Mapping[str, Enum]) -> object:
    known = {normal(name): each for name, each in also.items()}
    for each in offered:
        label = str(getattr(each, "label", each.name))
        known |= {normal(label): each, normal(str(each.value)): each}
    # Spreadsheets write a number as 2.0.
    found = known.get(normal(re.sub(r"\.0$", "", text)))
    if found is None:
        listed = ", ".join(str(getattr(each, "label", each.name)) for each in offered)
        raise ValueError(f"“{text}” is not one of: {listed}.")
    return found.value


def _words(column: Column, spec: SessionSpec) -> dict[str, Enum]:
    if column.name == "type":
        words = ("recurring", "series", "recurring meeting", "recurring webinar", "repeating")
        once = ("once", "scheduled", "single", spec.noun)
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
