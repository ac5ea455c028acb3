"""Days and durations that cannot be meant: those of another calendar, or mistyped."""

from datetime import date

from portal.config import clock
from portal.translation import gettext as _, gettext_lazy

_YEARS = 20  # further away than this, no session is planned
_BUDDHIST = 543  # years ahead of the Gregorian calendar
_MUSLIM = range(1300, 1500)  # years of the Islamic calendar, and of the Iranian one
_DAYS = 366  # longer than this, no session takes
_AWAY = gettext_lazy("The year %(year)s is more than %(years)s years away.")


def unlikely_duration(minutes: int) -> str:
    """Returns why a session hardly takes so long; empty if it may."""
    if minutes <= _DAYS * 24 * 60:
        return ""
    return _("This is longer than %(days)s days.") % {"days": _DAYS}


def unlikely_day(day: date) -> str:
    """Returns why a session hardly takes place on this day; empty if it may."""
    now = clock.now().year
    if abs(day.year - now) <= _YEARS:
        return ""
    words = _AWAY % {"year": day.year, "years": _YEARS}
    if abs(day.year - _BUDDHIST - now) <= _YEARS:
        meant = {"meant": day.year - _BUDDHIST}
        return words + " " + _("In the Buddhist calendar it is %(meant)s: enter that.") % meant
    if day.year in _MUSLIM:
        more = _("Enter that of the Gregorian calendar, such as %(year)s.") % {"year": now}
        return words + " " + more
    return words + " " + _("Enter the year that is meant.")
