"""Dates and times in cells, as spreadsheet programs of many countries write them.

A date with the year first, with dots or with the name of its month is unambiguous. With strokes or
slashes the day is first in some countries and the month in others: such a date is read if its
numbers allow one order, or another cell of its column decides, and is refused otherwise.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import Enum, auto
from functools import cache
from itertools import product

from babel import Locale

from portal.translation import gettext as _
from portal.ui.addresses import visible

_YEAR_FIRST = re.compile(
    r"(?P<year>\d{4})(?:\s?[-/.]\s?|\s?年\s?|년\s?)(?P<month>\d{1,2})(?:\s?[-/.]\s?|\s?月\s?|월\s?)"
    r"(?P<day>\d{1,2})(?:\s?日|일|\.(?!\d))?"
)
_DAY_FIRST = re.compile(
    r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})\b\.?(?:\s?\u0433\.?)?"
)
_EITHER = re.compile(r"(?P<first>\d{1,2})(?P<by>[-/])(?P<second>\d{1,2})(?P=by)(?P<year>\d{4})\b")
_NAMED = re.compile(
    r"(?:(?:den\s)?(?P<day>\d{1,2})(?:\.|st|nd|rd|th|\s?er|\.?º)?[\s/-]*(?:de\s)?"
    r"(?P<month>[^\W\d_]{3,}\.?)"
    r"|(?P<month_2>[^\W\d_]{3,}\.?)\s*(?P<day_2>\d{1,2})(?:st|nd|rd|th)?)"
    r",?[\s/-]*(?:de\s)?(?P<year>\d{4})\b\.?(?:\s?[\u0433\u0440]\.)?"
)
_YEAR_AND_NAME = re.compile(
    r"(?P<year>\d{4})\.?\s(?:m\.\s)?(?P<month>[^\W\d_]{3,}\.?)\s(?P<day>\d{1,2})(?:\.|\sd\.)?"
)
_TIME = (
    r"(?:(?:kl\.?|klo|om|um|at|à|às|alle|a las|o|v|\u0432|saat)\s)?(?P<before>{halves})?\s*"
    r"(?P<hour>\d{{1,2}})(?:\s?[:.h時时시点點]\s?(?P<minute>\d{{1,2}})?)?(?:[分분]|\smin)?"
    r"(?:[:.](?P<second>\d{{2}})(?:[.,]\d{{1,6}})?|\s?(?P<second_2>\d{{1,2}})\s?[s秒초])?"
    r"(?:\s?(?:uhr|\u0447\.|val\.))?\s*(?P<after>{halves})?"
    r"\s*(?P<zone>z|gmt|utc|(?:gmt|utc)?\s?[+-]\d{{2}}:?\d{{2}})?"
)
_BETWEEN = re.compile(r"\A[\s,;]*(?:[-\u2013]\s|t)?\s*")  # date and time
_HALVES_OF_CHINESE = {"凌晨": 0, "清晨": 0, "早上": 0, "中午": 12, "晚上": 12, "午夜": 0}
# Without Croatian, which calls other months as Czech and Polish do.
_LANGUAGES = (
    *("en", "de", "de_AT", "fr", "fr_CA", "es", "it", "pt", "pt_PT", "nl", "da", "sv", "nb", "fi"),
    *("pl", "cs", "tr", "sk", "sl", "hu", "ro", "bg", "el", "ru", "uk", "et", "lt", "id"),
)
_NUMBERED = ("ja", "zh", "zh_Hant", "ko")  # the months of these languages are numbers


class DayOrder(Enum):
    """Order of day and month."""

    DAY_FIRST = auto()
    MONTH_FIRST = auto()


class NoDate(ValueError):
    """Raised for a text that is no unambiguous date or time."""


class AmbiguousDate(NoDate):
    """Raised for a date whose day and month could be exchanged."""

    def __init__(self, text: str) -> None:
        super().__init__(
            _("“%(text)s” can mean two days. Enter it with the year first, as 2027-03-01.")
            % {"text": text}
        )


def day_order(cells: Iterable[str]) -> DayOrder | None:
    """Returns the order that cells of a column decide; None if none does, or they disagree."""
    orders = {order for cell in cells if (order := _order_in(_plain(cell)))}
    return orders.pop() if len(orders) == 1 else None


def read_moment(text: str, order: DayOrder | None = None) -> tuple[datetime, bool]:
    """Returns the time in a cell, and whether it has a time of day.

    The time is aware if the cell has a zone. Raises `NoDate`.
    """
    before, after = _weekday_patterns()
    plain = _plain(text)
    weekday = None if _NAMED.match(plain) else before.match(plain)  # `mar` is March and mardi
    year, month, day, rest = _date_in(plain[weekday.end() :] if weekday else plain, order)
    if weekday is None and (weekday := after.match(rest)):
        rest = rest[weekday.end() :]
    rest = _BETWEEN.sub("", rest)
    try:
        moment = datetime(year, month, day)
        if weekday and moment.weekday() not in _weekdays()[weekday["name"]]:
            raise NoDate(text)
        return (_with_time(moment, rest), True) if rest else (moment, False)
    except ValueError:
        raise NoDate(text) from None


def _plain(text: str) -> str:
    return " ".join(_small(visible(text)).split())


def _small(text: str) -> str:
    """Returns the text in small letters, each of them one character."""
    return unicodedata.normalize("NFC", text.casefold())


def _order_in(plain: str) -> DayOrder | None:
    match = _EITHER.match(_weekday_patterns()[0].sub("", plain, count=1))
    if match is None:
        return None
    first, second = int(match["first"]), int(match["second"])
    if first > 12 >= second:
        return DayOrder.DAY_FIRST
    return DayOrder.MONTH_FIRST if second > 12 >= first else None


def _date_in(plain: str, order: DayOrder | None) -> tuple[int, int, int, str]:
    """Returns year, month, day and the rest of the text."""
    if result := _YEAR_FIRST.match(plain) or _DAY_FIRST.match(plain):
        numbers = (int(result[name]) for name in ("year", "month", "day"))
        return *numbers, plain[result.end() :]  # type: ignore[return-value]
    if result := _EITHER.match(plain):
        first, second = int(result["first"]), int(result["second"])
        order = _order_in(plain) or order
        if order is None and first != second:
            raise AmbiguousDate(result[0])
        is_day_first = order is not DayOrder.MONTH_FIRST
        day, month = (first, second) if is_day_first else (second, first)
        return int(result["year"]), month, day, plain[result.end() :]
    for named in filter(None, (_YEAR_AND_NAME.match(plain), _NAMED.match(plain))):
        values = named.groupdict()
        name, number = values["month"] or values["month_2"], values["day"] or values["day_2"]
        if name.rstrip(".") in _months():
            month = _months()[name.rstrip(".")]
            return int(values["year"]), month, int(number), plain[named.end() :]
    raise NoDate(plain)


def _with_time(day: datetime, rest: str) -> datetime:
    match = _time_pattern().fullmatch(rest)
    if match is None or (match["before"] and match["after"]):
        raise NoDate(rest)
    hour = int(match["hour"])
    if half := match["before"] or match["after"]:
        if not ("午" not in half) <= hour <= 12:  # noon is 午後0:00
            raise NoDate(rest)
        hour = hour % 12 + _halves()[_bare(half)]
    minute = match["minute"]
    if minute is None and not half and not re.search(r"[h時时시点點]|uhr", rest):
        raise NoDate(rest)  # a number alone
    if minute and len(minute) != 2 and not re.search("[分분]", rest):
        raise NoDate(rest)
    moment = day.replace(
        hour=hour, minute=int(minute or 0), second=int(match["second"] or match["second_2"] or 0)
    )
    return moment.replace(tzinfo=_zone(match["zone"])) if match["zone"] else moment


def _zone(text: str) -> tzinfo:
    offset = re.search(r"([+-])(\d{2}):?(\d{2})", text)
    if offset is None:
        return UTC
    away = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
    return timezone(-away if offset[1] == "-" else away)


@cache
def _months() -> dict[str, int]:
    """Returns the names and abbreviations of the months, without ambiguous ones."""
    met = _names_of("months", _LANGUAGES, ("wide", "abbreviated"))
    return {name: numbers.pop() for name, numbers in met.items() if len(numbers) == 1}


@cache
def _weekdays() -> dict[str, set[int]]:
    """Returns the names of the days of the week; some are ambiguous, such as `so` in Czech."""
    return _names_of("days", [*_LANGUAGES, *_NUMBERED], ("wide", "abbreviated", "short"))


def _names_of(what: str, languages: Iterable[str], widths: Iterable[str]) -> dict[str, set[int]]:
    """Returns names of months or days in these languages and widths, with their numbers."""
    met: dict[str, set[int]] = {}
    for language, width in product(languages, widths):
        for context in getattr(Locale.parse(language), what).values():
            for number, name in context[width].items():
                met.setdefault(_small(str(name)).rstrip("."), set()).add(number)
    return met


@cache
def _halves() -> dict[str, int]:
    """Returns the hours that the names of the two halves of a day add."""
    met = dict(_HALVES_OF_CHINESE)
    for language in (*_LANGUAGES, *_NUMBERED):
        for widths in Locale.parse(language).day_periods.values():
            for width, half in product(("wide", "abbreviated"), ("am", "pm")):
                if name := widths.get(width, {}).get(half):
                    met[_bare(_small(str(name)))] = 12 if half == "pm" else 0
    return met


def _bare(half: str) -> str:
    return re.sub(r"[.\s]", "", half)


@cache
def _time_pattern() -> re.Pattern[str]:
    names = sorted(_halves(), key=len, reverse=True)
    halves = "|".join(r"\.?\s?".join(map(re.escape, name)) + r"\.?" for name in names)
    return re.compile(_TIME.format(halves=halves))


@cache
def _weekday_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns patterns of a day of the week before a date, and after it, perhaps in brackets."""
    names = "|".join(map(re.escape, sorted(_weekdays(), key=len, reverse=True)))
    return (
        re.compile(rf"(?P<name>{names})(?:\.,|[.,])?\s(?:den\s)?"),
        re.compile(rf",?\s?[(\uff08]?(?P<name>{names})(?![\w.])[)\uff09]?"),
    )
