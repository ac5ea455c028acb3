"""Moments as people read them: how long ago, and exactly when in a named zone."""

from datetime import UTC, datetime, timedelta

from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

_MINUTE, _HOUR = 60, 3600


def aware(moment: datetime) -> datetime:
    """The moment in its zone; what a service told without one is meant in GMT."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def relative(moment: datetime) -> SafeString:
    """A `time` element: "3 hours ago", titled "21 November 2026, 14:02:05 (Europe/Berlin)"."""
    moment = aware(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        exact(moment),
        in_words(moment, timezone.now()),
    )


def exact(moment: datetime) -> str:
    zone = timezone.get_current_timezone_name()
    return f"{dateformat.format(timezone.localtime(aware(moment)), 'j F Y, H:i:s')} ({zone})"


def in_words(moment: datetime, now: datetime) -> str:
    """Relative within a week, the date beyond; without the year where it is this one."""
    ago = now - moment
    if ago >= timedelta(days=7) or ago <= -timedelta(days=7):
        local, today = timezone.localtime(moment), timezone.localtime(now)
        return dateformat.format(local, "j M" if local.year == today.year else "j M Y")
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
