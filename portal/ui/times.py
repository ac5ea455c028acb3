"""Moments as people read them: how long ago, and exactly when in a named zone."""

from datetime import UTC, datetime, timedelta, tzinfo
from html import escape

from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

_MINUTE, _HOUR = 60, 3600
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def aware(moment: datetime) -> datetime:
    """The moment in its zone; what a service reports without one is meant in GMT."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def relative(moment: datetime) -> SafeString:
    """A `time` element: "3 hours ago", titled "21 November 2026, 14:02:05 (Europe/Berlin)"."""
    moment, now = aware(moment), timezone.now()
    zone = timezone.get_current_timezone()
    # Drawn for each row of a list: the parts are digits and names of months, but for the zone's.
    return mark_safe(  # noqa: S308 - the zone is escaped
        f'<time datetime="{moment.isoformat()}" title="{escape(_exact(moment, zone))}">'
        f"{_in_words(moment, now, zone)}</time>"
    )


def absolute(moment: datetime) -> SafeString:
    """A `time` element: "21 Nov 2026, 14:02" in the viewer's zone, which its title names."""
    moment, zone = aware(moment), timezone.get_current_timezone()
    local = moment.astimezone(zone)
    words = f"{local.day} {_MONTHS[local.month - 1][:3]} {local.year}, {local:%H:%M}"
    return mark_safe(  # noqa: S308 - the zone is escaped
        f'<time datetime="{moment.isoformat()}" title="{escape(_exact(moment, zone))}">'
        f"{words}</time>"
    )


def exact(moment: datetime) -> str:
    return _exact(aware(moment), timezone.get_current_timezone())


def in_words(moment: datetime, now: datetime) -> str:
    """Relative within a week, the date beyond; without the year where it is this one."""
    return _in_words(moment, now, timezone.get_current_timezone())


def _exact(moment: datetime, zone: tzinfo) -> str:
    local = moment.astimezone(zone)
    name = zone.tzname(None) or str(zone)
    date = f"{local.day} {_MONTHS[local.month - 1]} {local.year}"
    return f"{date}, {local.hour:02}:{local.minute:02}:{local.second:02} ({name})"


def _in_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    ago = now - moment
    if abs(ago) >= timedelta(days=7):
        local, today = moment.astimezone(zone), now.astimezone(zone)
        date = f"{local.day} {_MONTHS[local.month - 1][:3]}"
        return date if local.year == today.year else f"{date} {local.year}"
    seconds = abs(ago.total_seconds())
    if seconds < _MINUTE:
        return "just now" if ago >= timedelta(0) else "in a moment"
    span = _span(seconds)
    return f"{span} ago" if ago > timedelta(0) else f"in {span}"


def _span(seconds: float) -> str:
    if seconds < _HOUR:
        return _count(int(seconds // _MINUTE), "minute")
    if seconds < 24 * _HOUR:
        return _count(int(seconds // _HOUR), "hour")
    return _count(int(seconds // (24 * _HOUR)), "day")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
