"""States of the parts of a session, and moments and durations as everywhere (`moments`)."""

from django import template
from django.utils.safestring import SafeString

from portal.contract.polls import PollStatus
from portal.contract.registrants import RegistrantStatus
from portal.translation import gettext as _
from portal.ui.states import State, live_pill, pill
from portal.ui.templatetags import moments

register = template.Library()
register.tags.update(moments.register.tags)

_POLLS: dict[str, State] = {
    PollStatus.NOT_STARTED.value: "neutral",
    PollStatus.ENDED.value: "good",
}
_REGISTRANTS: dict[RegistrantStatus, State] = {
    RegistrantStatus.APPROVED: "good",
    RegistrantStatus.PENDING: "neutral",
    RegistrantStatus.DENIED: "bad",
}


@register.simple_tag
def poll_status(status: PollStatus | None) -> SafeString:
    """A poll's status with its icon and word."""
    if status is None:
        return pill("neutral", _("Status unknown"))
    if status in {PollStatus.STARTED, PollStatus.SHARING}:
        return live_pill(status.label)
    return pill(_POLLS.get(status.value, "neutral"), status.label)


@register.simple_tag
def registrant_status(status: str) -> SafeString:
    """A registrant's status with its icon and word; the interface does not say which there are."""
    if status not in set(RegistrantStatus):
        return pill("neutral", status.capitalize() or _("Status unknown"))
    known = RegistrantStatus(status)
    clock = ["clock"] if known is RegistrantStatus.PENDING else []
    return pill(_REGISTRANTS[known], known.label, *clock)
