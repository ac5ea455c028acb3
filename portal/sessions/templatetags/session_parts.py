"""What the parts of a session say alike: states, moments and durations."""

from datetime import datetime

from django import template
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.polls import PollStatus
from portal.contract.registrants import RegistrantStatus
from portal.ui.states import State, pill
from portal.ui.times import aware, exact

register = template.Library()

_POLLS: dict[str, State] = {
    PollStatus.NOT_STARTED.value: "neutral",
    PollStatus.STARTED.value: "running",
    PollStatus.ENDED.value: "good",
    PollStatus.SHARING.value: "running",
}
_REGISTRANTS: dict[str, tuple[State, str] | tuple[State, str, str]] = {
    RegistrantStatus.APPROVED.value: ("good", RegistrantStatus.APPROVED.label),
    RegistrantStatus.PENDING.value: ("neutral", RegistrantStatus.PENDING.label, "clock"),
    RegistrantStatus.DENIED.value: ("bad", RegistrantStatus.DENIED.label),
}


@register.simple_tag
def poll_status(status: PollStatus | None) -> SafeString:
    """A poll's status with its icon and word."""
    if status is None:
        return pill("neutral", "Status unknown")
    return pill(_POLLS.get(status.value, "neutral"), status.label)


@register.simple_tag
def moment(at: datetime | None, otherwise: str = "") -> str:
    """A start or an end, exactly: "21 November 2026, 14:02 (Europe/Berlin)"."""
    if at is None:
        return otherwise
    zone = timezone.get_current_timezone_name()
    return f"{dateformat.format(timezone.localtime(aware(at)), 'j F Y, H:i')} ({zone})"


@register.simple_tag
def clock(at: datetime | None) -> str | SafeString:
    """The time of a day, with the day and the zone as the title."""
    if at is None:
        return "Unknown"
    local = dateformat.format(timezone.localtime(aware(at)), "H:i:s")
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), exact(at), local)


@register.simple_tag
def minutes(count: int | None) -> str:
    """A duration that is told in minutes: "1 h 30 min"."""
    if count is None:
        return "Unknown"
    hours, rest = divmod(count, 60)
    return f"{hours:,} h {rest} min" if hours else f"{rest} min"


@register.simple_tag
def stayed(seconds: int | None) -> str:
    """How long somebody stayed, told in seconds."""
    if seconds is None:
        return "Unknown"
    return minutes(-(-seconds // 60)) if seconds >= 60 else f"{seconds} s"


@register.simple_tag
def registrant_status(status: str) -> SafeString:
    """A registrant's status with its icon and word; the interface does not say which there are."""
    known = _REGISTRANTS.get(status)
    return pill(*known) if known else pill("neutral", status.capitalize() or "Status unknown")
