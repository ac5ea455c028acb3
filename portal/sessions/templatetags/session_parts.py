"""States of the parts of a session, and moments and durations as everywhere (`moments`)."""

from django import template
from django.utils.safestring import SafeString

from portal.contract.polls import PollStatus
from portal.contract.registrants import RegistrantStatus
from portal.ui.states import State, pill
from portal.ui.templatetags import moments

register = template.Library()
register.tags.update(moments.register.tags)

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
def registrant_status(status: str) -> SafeString:
    """A registrant's status with its icon and word; the interface does not say which there are."""
    known = _REGISTRANTS.get(status)
    return pill(*known) if known else pill("neutral", status.capitalize() or "Status unknown")
