"""Durations and moments in words."""

from datetime import datetime

from django.utils import dateformat, timezone

from portal.translation import gettext as _
from portal.translation import number


def length(minutes: int) -> str:
    """A duration in words: "45 min", "2 h", "1 h 30 min"."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)s min") % {"minutes": rest}
    if not rest:
        return _("%(hours)s h") % {"hours": number(hours)}
    return _("%(hours)s h %(minutes)s min") % {"hours": number(hours), "minutes": rest}


def moment_in_words(moment: datetime, *, is_near: bool = False) -> str:
    """A moment in the reader's zone, which is named: "21 November 2026, 14:02 (Europe/Berlin)"; of
    one that is near, its time of day. Without a zone it stays as it was typed."""
    is_typed = timezone.is_naive(moment)
    local = moment if is_typed else timezone.localtime(moment)
    exactly = dateformat.format(local, "H:i" if is_near else _("j F Y, H:i"))
    return exactly if is_typed else f"{exactly} ({timezone.get_current_timezone_name()})"
