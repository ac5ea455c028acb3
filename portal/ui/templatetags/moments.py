"""Moments and durations, as pages say them."""

from datetime import datetime

from django import template
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.audit.wording import length
from portal.translation import gettext as _
from portal.ui.times import aware, exact

register = template.Library()


@register.simple_tag
def moment(at: datetime | None, otherwise: str = "") -> str:
    """A start or an end, exactly: "21 November 2026, 14:02 (Europe/Berlin)"."""
    if at is None:
        return otherwise
    zone = timezone.get_current_timezone_name()
    exactly = dateformat.format(timezone.localtime(aware(at)), _("j F Y, H:i"))
    return f"{exactly} ({zone})"


@register.simple_tag
def now_exactly() -> str:
    """Says when a page was made: "21 November 2026, 14:02:05 (Europe/Berlin)"."""
    return exact(timezone.now())


@register.simple_tag
def clock(at: datetime | None) -> str | SafeString:
    """The time of a day, with the day and the zone as the title."""
    if at is None:
        return _("Unknown")
    local = dateformat.format(timezone.localtime(aware(at)), "H:i:s")
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), exact(at), local)


@register.simple_tag
def minutes(count: int | None) -> str:
    """A duration that is reported in minutes: "1 h 30 min"."""
    return _("Unknown") if count is None else length(count)


@register.simple_tag
def stayed(seconds: int | None) -> str:
    """Shows the length of a stay, which is given in seconds."""
    if seconds is None:
        return _("Unknown")
    if seconds < 60:
        return _("%(seconds)s s") % {"seconds": seconds}
    return minutes(-(-seconds // 60))
