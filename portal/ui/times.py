"""Moments as people read them: how long ago, and exactly when in a named zone."""

from datetime import UTC, datetime, timedelta
from functools import cache
from html import escape

from django.utils import dates, timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from portal.config import clock
from portal.translation import gettext as _, ngettext
from portal.translation.phrases import phrase

_MINUTE, _HOUR, _DAY = 60, 3600, 24 * 3600
_MONTHS = range(1, 13)


def aware(moment: datetime) -> datetime:
    """Returns the moment in its zone; what a service reports without one is meant in GMT."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def relative(moment: datetime) -> SafeString:
    """Returns a `time` element: "3 hours ago", titled "21 November 2026, 14:02:05 (…)"."""
    moment = aware(moment)
    return _element(moment, in_words(moment, clock.now()))


def absolute(moment: datetime) -> SafeString:
    """Returns a `time` element: "21 Nov, 14:02" in the viewer's zone, which its title names; with
    the year if it is another one."""
    moment = aware(moment)
    local = timezone.localtime(moment)
    has_year = local.year != timezone.localtime(clock.now()).year
    return _element(moment, f"{_date(local, is_short=True, has_year=has_year)}, {local:%H:%M}")


def _element(moment: datetime, words: str) -> SafeString:
    # Drawn for each row of a list: the parts are digits and words of the catalogue, but for the
    # zone's.
    return mark_safe(  # noqa: S308 - the zone is escaped
        f'<time datetime="{moment.isoformat()}" title="{escape(exact(moment))}">{words}</time>'
    )


@phrase
def exact(moment: datetime) -> str:
    """Returns the moment to the second in the reader's zone, which it names."""
    zone = timezone.get_current_timezone()
    local = aware(moment).astimezone(zone)
    time = f"{local.hour:02}:{local.minute:02}:{local.second:02}"
    return f"{_date(local)}, {time} ({zone.tzname(None) or zone})"


def _date(local: datetime, *, is_short: bool = False, has_year: bool = True) -> str:
    date = _dates(get_language(), is_short=is_short)[local.month - 1] % local.day
    return f"{date} {local.year}" if has_year else date


def in_words(moment: datetime, now: datetime) -> str:
    """Returns how long ago it was within a week, the date beyond; without the year if it is this
    one."""
    ago = now - moment
    if abs(ago) >= timedelta(days=7):
        local, today = timezone.localtime(moment), timezone.localtime(now)
        return _date(local, is_short=True, has_year=local.year != today.year)
    seconds, is_past = int(abs(ago.total_seconds())), ago >= timedelta(0)
    unit = _DAY if seconds >= _DAY else _HOUR if seconds >= _HOUR else _MINUTE
    return _distance(get_language(), seconds // unit, unit, is_past=is_past)


# Both are drawn for each row of a list, so their words are cached by language.


@cache
def _dates(language: str | None, *, is_short: bool) -> tuple[str, ...]:
    """Returns the patterns of a day in each month, around its number."""
    with override(language):
        names = (dates.MONTHS_3[at].title() if is_short else dates.MONTHS[at] for at in _MONTHS)
        pattern = _("%(day)s %(month)s")
        return tuple(pattern % {"day": "%s", "month": name} for name in names)


@cache
def _distance(language: str | None, count: int, unit: int, *, is_past: bool) -> str:
    with override(language):
        if not count:
            return _("just now") if is_past else _("in a moment")
        if unit == _MINUTE and is_past:
            words = ngettext("%(count)s minute ago", "%(count)s minutes ago", count)
        elif unit == _MINUTE:
            words = ngettext("in %(count)s minute", "in %(count)s minutes", count)
        elif unit == _HOUR and is_past:
            words = ngettext("%(count)s hour ago", "%(count)s hours ago", count)
        elif unit == _HOUR:
            words = ngettext("in %(count)s hour", "in %(count)s hours", count)
        elif is_past:
            words = ngettext("%(count)s day ago", "%(count)s days ago", count)
        else:
            words = ngettext("in %(count)s day", "in %(count)s days", count)
        return words % {"count": count}
