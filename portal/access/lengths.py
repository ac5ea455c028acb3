"""Durations in words."""

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
