"""Days and times (spec 1, rule 6): what is local stays local, what is GMT stays GMT."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, WithJsonSchema

from portal.contract.words import gettext, gettext_noop

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DAY = "[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
_ZONE = "Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]"
_WRITE_DAY = gettext_noop("Write the date as YYYY-MM-DD.")
_WRITE_TIME = gettext_noop(
    "Write the time as in 2026-01-31T09:00:00Z, without the Z for local time."
)
_WRITE_GMT = gettext_noop("Write the time in GMT, as in 2026-01-31T09:00:00Z.")


def _calendar_date(value: object) -> object:
    """Returns a day; of a date with a time, which clients send too, the day in GMT."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(f"{_DATE}({_CLOCK}({_ZONE})?)?", value):
        raise ValueError(gettext(_WRITE_DAY))
    try:
        moment = datetime.fromisoformat(value)
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except (ValueError, OverflowError):
        raise ValueError(gettext(_WRITE_DAY)) from None


def _session_time(value: object) -> object:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not re.fullmatch(f"{_DAY}{_CLOCK}Z?", value):
        raise ValueError(gettext(_WRITE_TIME))
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(gettext(_WRITE_TIME)) from None


def _local_or_gmt(value: datetime) -> datetime:
    if value.utcoffset():
        raise ValueError(gettext(_WRITE_TIME))
    return value


def _gmt(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise ValueError(gettext(_WRITE_GMT))
    return value


def _iso(value: datetime) -> str:
    text = value.isoformat()
    is_gmt = value.utcoffset() == timedelta(0)
    return f"{text.removesuffix('+00:00')}Z" if is_gmt else text


def can_be_moved(value: datetime) -> bool:
    """Returns whether a time is far enough from the ends of the calendar for any zone."""
    return 1000 <= value.year < 3000


def _movable(value: datetime) -> datetime:
    if not can_be_moved(value):
        raise ValueError(gettext("Write a year from 1000 to 2999."))
    return value


_AS_TEXT = PlainSerializer(_iso, return_type=str, when_used="json")

CalendarDate = Annotated[date, BeforeValidator(_calendar_date)]
Timestamp = Annotated[datetime, AfterValidator(_movable), _AS_TEXT]
SessionTime = Annotated[
    datetime,
    BeforeValidator(_session_time),
    AfterValidator(_local_or_gmt),
    _AS_TEXT,
    WithJsonSchema({"type": "string", "pattern": f"^{_DAY}{_CLOCK}Z?$"}),
]
GmtTime = Annotated[
    datetime,
    BeforeValidator(_session_time),
    AfterValidator(_local_or_gmt),
    AfterValidator(_gmt),
    _AS_TEXT,
    WithJsonSchema({"type": "string", "pattern": f"^{_DAY}{_CLOCK}Z$"}),
]
