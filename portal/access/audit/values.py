"""Values of the audit trail in words: moments, minutes, days of the week, ways and colours."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from django.utils import dateformat
from django.utils.dates import WEEKDAYS

from portal.access.audit import wording
from portal.access.lengths import length, moment_in_words
from portal.access.models.connection import Colour, Way
from portal.access.sign_in_methods import Method
from portal.contract.recordings import file_in_words
from portal.translation import gettext as _

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FILE = ("recording_type", "file_type")
_CHOICES = {
    "colour": dict(Colour.choices),
    "way": dict(Way.choices),
    "method": dict(Method.choices),
}


def in_words(name: str, value: Any) -> str:
    """Returns the words of a field's value; empty for what is said as it stands."""
    last = name.rpartition(".")[2]
    if last in _SPOKEN and value not in (None, ""):
        return _SPOKEN[last](value)
    if last in _CHOICES:
        return str(_CHOICES[last].get(value, ""))
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return moment_in_words(datetime.fromisoformat(value))
    if isinstance(value, str) and _DAY.fullmatch(value):
        return _day(value)
    return ""


def _day(value: str) -> str:
    try:
        return dateformat.format(date.fromisoformat(value), _("j F Y"))
    except ValueError:
        return value


def _minutes(value: Any) -> str:
    return length(int(value)) if str(value).isdigit() else ""


def _days(value: Any) -> str:
    """The days of a week, whose first is a Sunday to the service, and a Monday here."""
    numbers = [part.strip() for part in str(value).split(",")]
    days = (str(WEEKDAYS[(int(one) + 5) % 7]) for one in numbers if one.isdigit())
    return ", ".join(days)


def _files(value: Any) -> str:
    """What recorded files show, and not their ids and addresses."""
    files = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    words = (file_in_words(*(str(one.get(name) or "") for name in _FILE)) for one in files)
    return "; ".join(filter(None, words))


def _columns(value: Any) -> str:
    return ", ".join(wording.title(str(one)) for one in value) if isinstance(value, list) else ""


_SPOKEN: dict[str, Callable[[Any], str]] = {
    "duration": _minutes,
    "weekly_days": _days,
    "columns": _columns,
    "recording_files": _files,
}
