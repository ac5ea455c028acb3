"""Values of the audit trail in words: moments, minutes, days of the week, ways and colours."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils import dateformat, timezone
from django.utils.dates import WEEKDAYS

from portal.access.audit import wording
from portal.access.lengths import length
from portal.access.models.connection import Colour, Way
from portal.access.sign_in_methods import Method
from portal.translation import gettext as _

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
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
        return _moment(value)
    return ""


def _moment(value: str) -> str:
    """A moment in the reader's zone, which is named; without a zone as it was typed."""
    moment = datetime.fromisoformat(value)
    if timezone.is_naive(moment):
        return dateformat.format(moment, _("j F Y, H:i"))
    exactly = dateformat.format(timezone.localtime(moment), _("j F Y, H:i"))
    return f"{exactly} ({timezone.get_current_timezone_name()})"


def _minutes(value: Any) -> str:
    return length(int(value)) if str(value).isdigit() else ""


def _days(value: Any) -> str:
    """The days of a week, whose first is a Sunday to the service, and a Monday here."""
    numbers = [part.strip() for part in str(value).split(",")]
    days = (str(WEEKDAYS[(int(one) + 5) % 7]) for one in numbers if one.isdigit())
    return ", ".join(days)


def _columns(value: Any) -> str:
    return ", ".join(wording.title(str(one)) for one in value) if isinstance(value, list) else ""


_SPOKEN: dict[str, Callable[[Any], str]] = {
    "duration": _minutes,
    "weekly_days": _days,
    "columns": _columns,
}
