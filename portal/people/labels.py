"""Labels of a person, of their status after an action, and of what is theirs."""

from collections.abc import Callable, Sequence

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info

from portal.access.form_fields import choices_of, offer_choices
from portal.access.models import Connection
from portal.access.models.connection import dialect_named
from portal.contract.users import LicenceType, StatusAction, UserStatus
from portal.directory.models import licence_label
from portal.jobs.models import JobTitle
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.states import State, pill

_STATUSES = {status.value: status for status in UserStatus}
# What a removal can transfer, by the fields of the interface.
TRANSFERRED = {
    "transfer_meeting": gettext_lazy("meetings"),
    "transfer_webinar": gettext_lazy("webinars"),
    "transfer_recording": gettext_lazy("recordings"),
}
# The same of services of today, where a dialect has them.
TRANSFERRED_TODAY = {
    "transfer_whiteboard": gettext_lazy("whiteboards"),
    "transfer_clipfiles": gettext_lazy("clips"),
    "transfer_notes": gettext_lazy("notes"),
    "transfer_docs": gettext_lazy("docs"),
    "transfer_visitors": gettext_lazy("visitor invitations"),
}
_STATES: dict[UserStatus, State] = {UserStatus.ACTIVE: "good"}
REMOVALS = ("delete", "disassociate")  # actions of items, by the values of `RemovalAction`
RESULT = {StatusAction.ACTIVATE: UserStatus.ACTIVE, StatusAction.DEACTIVATE: UserStatus.INACTIVE}


def transferred_by(connection: Connection) -> dict[str, str]:
    """Returns what a removal can transfer at the service of a connection, by its parameters."""
    beside = dialect_named(connection.dialect).transfers
    return TRANSFERRED | {name: TRANSFERRED_TODAY[name] for name in beside}


def licences_of(connection: Connection) -> tuple[LicenceType, ...]:
    """Returns the licences that the service of a connection gives."""
    return dialect_named(connection.dialect).licences


def offer_licences(form: forms.BaseForm, name: str, connection: Connection) -> None:
    """Offers in a form's field of licences those that the service gives, and the one that is there
    already."""
    offered = {str(one.value) for one in licences_of(connection)}
    offered |= {"", str(form.initial.get(name))}
    choices = [
        (value, label if value == "" else licence_label(int(value)))
        for value, label in choices_of(form, name).items()
        if str(value) in offered
    ]
    offer_choices(form, name, choices)


def status_pill(value: str) -> SafeString:
    """Returns a person's status as one of the five states, with its word."""
    status = _STATUSES.get(value)
    if status is UserStatus.PENDING:
        return pill("neutral", status.label, "clock")
    return pill(_STATES.get(status, "neutral") if status else "neutral", status_label(value))


def status_label(value: str) -> str:
    return _STATUSES[value].label if value in _STATUSES else value or _("Unknown")


def language_in_words(tag: str) -> str:
    """Returns "English (US)" for en-US; an unknown tag stays as it is."""
    name, _dash, region = tag.partition("-")
    try:
        words = str(get_language_info(name.lower())["name_translated"])
    except KeyError:
        return tag
    return f"{words} ({region.upper()})" if region else words


def people_in_words(count: int) -> str:
    return ngettext("%(count)s person", "%(count)s people", count) % {"count": number(count)}


def members_in_words(count: int) -> str:
    return ngettext("%(count)s member", "%(count)s members", count) % {"count": number(count)}


def settings_in_words(count: int) -> str:
    return ngettext("%(count)s setting", "%(count)s settings", count) % {"count": number(count)}


def job_title(words: str, who: Callable[[], str], **values: object) -> JobTitle:
    """Returns the title of a job on people: `words`, read in each language, contain `who`."""
    return JobTitle(lambda name: words % {"who": name, **values}, who)


def listed(names: Sequence[str]) -> str:
    """Returns some things in a sentence: meetings, webinars and recordings."""
    *first, last = map(str, names)
    if not first:
        return last
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last}
