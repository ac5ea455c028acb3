"""Times of sessions in several columns: a date and a time of day, an end instead of a duration."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from portal.imports.sheets.headings import normal
from portal.translation import gettext as _

_DAY = re.compile("date|datum|fecha|data|day|dato|日付|日期|날짜|дата")
_CLOCK = re.compile("time|zeit|heure|hora|ora|tijd|godzina|時間|時刻|时间|시간|время|tid")
_ENDS = {"end", "ende", "enddate"}  # of a series, or of one session
_MIDNIGHT = re.compile(r"[T ]0?0:00(?::00)?\Z")
_CLOCK_ALONE = re.compile(r"\D{0,9}\d{1,2}(?:[:.h時时시]\d{0,2}){0,2}\D{0,9}")


def in_two_columns(
    headings: Sequence[str], names: Sequence[str], of_start: Collection[str]
) -> tuple[str, ...]:
    """Returns the meanings of the headings where two of them say when sessions start, or where an
    end is that of each session, as nothing repeats; `of_start` are the headings of a start."""
    plain, results = list(map(normal, headings)), list(names)
    starts = [place for place, each in enumerate(plain) if each in of_start]
    days = [place for place in starts if _is_one(_DAY, _CLOCK, plain[place])]
    clocks = [place for place, name in enumerate(names) if name == "start_clock"]
    clocks += [place for place in starts if _is_one(_CLOCK, _DAY, plain[place])]
    if days and clocks:
        for place in starts:
            results[place] = ""
        results[days[0]], results[clocks[0]] = "start_time", "start_clock"
    elif clocks and not starts:
        results[clocks[0]] = "start_time"
    if "recurrence_type" not in names:
        for place, each in enumerate(plain):
            if results[place] == "end_date_time" and each in _ENDS:
                results[place] = "end_day" if "ends" in results else "ends"
    return tuple(results)


def _is_one(pattern: re.Pattern[str], other: re.Pattern[str], heading: str) -> bool:
    return bool(pattern.search(heading)) and not other.search(heading)


def joined_start(cells: Mapping[str, str]) -> str:
    """Returns the start of a row that has its time of day in another column; empty for others."""
    start, clock = cells.get("start_time", ""), cells.get("start_clock", "")
    return f"{_MIDNIGHT.sub('', start)} {clock}" if start and clock else ""


def joined_end(cells: Mapping[str, str], start: str) -> str:
    """Returns the end of a row with its date, which is that of the `start` unless it says so."""
    end, day = cells.get("ends", ""), _MIDNIGHT.sub("", cells.get("end_day", ""))
    if day:
        return f"{day} {end}".strip()
    return f"{start[:10]} {end}" if end and _CLOCK_ALONE.fullmatch(end) else end


def minutes_between(start: str, end: str, *, is_same_day: bool) -> int:
    """Returns the minutes from a start to an end, which is on the next day if it is an earlier time
    of day alone. Raises `ValueError` with words."""
    length = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    if is_same_day and length <= timedelta():
        length += timedelta(days=1)
    if length <= timedelta():
        raise ValueError(_("The end is not after the start."))
    return round(length.total_seconds() / 60)
