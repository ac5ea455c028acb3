"""Cells of a table of sessions to values of the service, as JSON has them."""

import re
from datetime import UTC, datetime, time, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from portal.contract.recurrence import WeekDay, WeekOfMonth
from portal.contract.types import time_zone_ids
from portal.imports.sheets.dates import AmbiguousDate, DayOrder, NoDate, read_moment
from portal.imports.sheets.headings import TableWords, normal
from portal.sessions.times import start_of, zone_or_utc
from portal.translation import gettext as _, gettext_lazy
from portal.ui.addresses import addresses_in

WORDS = TableWords.read(Path(__file__).with_name("sessions.toml"))
_WRITE_TIME = gettext_lazy("Enter the time as 2027-03-01 09:00, or in GMT as 2027-03-01T08:00:00Z.")
_ZONED = re.compile(r"\(([\w/+-]+)\)\s*\Z")
_LAST_MINUTE = time(23, 59, 59)
_DAYS = {
    normal(word): day
    for day in WeekDay
    for name in (day.name.capitalize(),)
    for word in (str(day.value), name, name[:3], name[:2])
} | {normal(word): day for word, day in WORDS.meanings("weekly_days", WeekDay).items()}
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


def start_in(text: str, order: DayOrder | None = None, zone: tzinfo | None = None) -> str:
    """Returns a start as the interface takes it. `zone` is that of times which name none. Raises
    `ValueError`."""
    moment, has_time = _read(text, order)
    if not has_time:
        raise ValueError(_("The time of day is missing. %(write)s") % {"write": _WRITE_TIME})
    return _iso(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def zone_of(heading: str) -> tzinfo | None:
    """Returns the zone that a heading names, as those of files do: `Starts (Europe/Berlin)`."""
    match = _ZONED.search(heading)
    return ZoneInfo(match[1]) if match and match[1] in time_zone_ids() else None


def number_in(text: str) -> str:
    """The number of a session. Raises `ValueError`."""
    number = re.sub(r"[\s-]|\.0$", "", text)
    if not (number.isascii() and number.isdigit()):
        raise ValueError(_("“%(text)s” is not a valid ID.") % {"text": text})
    return number


def end_in(text: str, order: DayOrder | None = None) -> datetime:
    """Until when something repeats: a day alone means all of it. Raises `ValueError`."""
    end, has_time = _read(text, order)
    # A workbook may show a day with a time, that of midnight.
    if not has_time or (end.tzinfo is None and end.time() == time()):
        return datetime.combine(end, _LAST_MINUTE)
    return end


def end_of(end: datetime, zone: str) -> str:
    """Returns the end in GMT. Raises `ValueError`."""
    if not zone and end.tzinfo is None:
        raise ValueError(_("An end date requires a time zone, unless it is in GMT."))
    return _iso(start_of(end.astimezone(UTC) if end.tzinfo else end, zone_or_utc(zone)).moment)


def _read(text: str, order: DayOrder | None) -> tuple[datetime, bool]:
    try:
        return read_moment(text, order)
    except AmbiguousDate:
        raise
    except NoDate:
        raise ValueError(str(_WRITE_TIME)) from None


def _iso(moment: datetime) -> str:
    """Returns it as the interface takes it: in GMT, with a `Z`, if it has a zone."""
    in_gmt = moment.astimezone(UTC) if moment.tzinfo else moment
    return in_gmt.isoformat().replace("+00:00", "Z")


def minutes_in(text: str) -> object:
    """Returns the minutes of `60 min`, `1 h 30` or `1:30`; the text if it is none of these,
    which the contract refuses."""
    match = _LENGTH.fullmatch(" ".join(text.casefold().split()))
    if match is None:
        return text
    hours = int(match["hours"] or match["hour"] or 0)
    return hours * 60 + int(match["minutes"] or match["minute"] or 0)


def hosts_in(text: str) -> str:
    """Addresses in any notation, or user IDs, with commas between. Raises `ValueError`."""
    words = [word.strip() for word in re.split(r"[,;\n]", text)]
    if not any(re.search(r"[\s<>:()\[\]\"]", word) for word in words):
        return ",".join(filter(None, words))
    return ",".join(addresses_in(text))


def tracking_in(text: str) -> dict[str, str]:
    """`Cost centre: 4711; Unit: East` by field. Raises `ValueError`."""
    values = {}
    for pair in re.split(r"[;\n]", text):
        if pair.strip():
            name, colon, value = pair.partition(":")
            if not colon or not name.strip():
                raise ValueError(_("Enter each as “Cost centre: 4711”, separated by semicolons."))
            values[name.strip()] = value.strip()
    return values


def week_in(text: str) -> tuple[int, int | None]:
    """Returns a week of the month and any day that the text names: `second Monday`, `last`, `-1`.

    Raises `ValueError`.
    """
    match = _WEEK.fullmatch(" ".join(text.casefold().split()))
    week = _WEEKS.get(match["week"]) if match else None
    if match is None or week is None:
        raise ValueError(
            _("“%(text)s” is not a week of the month. Enter it as “second Monday” or “last”.")
            % {"text": text}
        )
    return int(week), day_in(match["day"]) if match["day"] else None


def days_in(text: str) -> str:
    """Several days of the week. Raises `ValueError`."""
    days = sorted({day_in(word) for word in re.split(r"[\s,;/]+", text) if word})
    return ",".join(map(str, days))


def day_in(word: str) -> int:
    """A day of the week. Raises `ValueError`."""
    day = _DAYS.get(normal(re.sub(r"\.0$", "", word)))
    if day is None:
        raise ValueError(
            _("“%(text)s” is not a day of the week. Enter it as Mon or Monday.") % {"text": word}
        )
    return int(day)
