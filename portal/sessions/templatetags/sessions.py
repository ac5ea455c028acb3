"""Template tags of sessions."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from portal.contract.polls import PollQuestion, PollStatus
from portal.contract.registrants import RegistrantStatus
from portal.sessions.attendance.words import status_in_words
from portal.sessions.forms.polls import kind_in_words
from portal.translation import gettext as _
from portal.ui.states import State, live_pill, pill

register = template.Library()
register.simple_tag(status_in_words)
_POLLS: dict[str, State] = {
    PollStatus.NOT_STARTED.value: "neutral",
    PollStatus.ENDED.value: "good",
}
_REGISTRANTS: dict[RegistrantStatus, State] = {
    RegistrantStatus.APPROVED: "good",
    RegistrantStatus.PENDING: "neutral",
    RegistrantStatus.DENIED: "bad",
}


@register.simple_tag(takes_context=True)
def spec_url(context: dict[str, Any], name: str, *more: str) -> str:
    """The address of a page of the context's `spec`: `{% spec_url "list" %}`."""
    connection = context["request"].connection
    return reverse(f"{context['spec'].family}:{name}", args=[connection.key, *more])


@register.simple_tag
def question_kind(question: PollQuestion) -> str:
    """Returns how a question is answered, in words."""
    return kind_in_words(question.type)


@register.simple_tag
def poll_status(status: PollStatus | None) -> SafeString:
    if status is None:
        return pill("neutral", _("Status unknown"))
    if status.value == "deactivated":
        return pill("neutral", _("Deactivated"))
    if status in {PollStatus.STARTED, PollStatus.SHARING}:
        return live_pill(status.label)
    return pill(_POLLS.get(status.value, "neutral"), status.label)


@register.simple_tag
def registrant_status(status: str) -> SafeString:
    """A registrant's status with its icon and word; the interface does not say which there are."""
    if status not in set(RegistrantStatus):
        return pill("neutral", status.capitalize() or _("Status unknown"))
    value = RegistrantStatus(status)
    clock = ["clock"] if value is RegistrantStatus.PENDING else []
    return pill(_REGISTRANTS[value], value.label, *clock)
