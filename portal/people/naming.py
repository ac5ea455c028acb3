"""People as they are named to be added somewhere: picked by a search, or by email addresses."""

from collections.abc import Sequence
from typing import Any, Literal

from django import forms
from django.http import QueryDict

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.delegates import Delegate, DelegateList
from portal.directory.colleagues import Colleague, PeopleField, called, reported
from portal.translation import gettext as _, gettext_lazy
from portal.ui import bulk_result
from portal.ui.autocomplete import split
from portal.ui.bulk_result import ManyOutcome
from portal.ui.forms.widgets import people_field, understood

MOST = 30


def delegates(
    api: Api, scope: Scope, user_id: str, kind: Literal["assistants", "schedulers"]
) -> list[Colleague]:
    """Returns the assistants of a person, or the people for whom they schedule. Raises
    `ApiError`."""
    listed: list[Delegate] = getattr(api, kind).list(user_id).assistants
    return reported(scope, [(one.id or "", one.email or "") for one in listed])


def add_assistants(api: Api, user_id: str, people: Sequence[Colleague]) -> ManyOutcome[Colleague]:
    """Adds colleagues and email addresses, as far as the service takes them.

    The service ignores the email of a colleague; it is sent for the audit trail to be readable.
    """

    def send(some: Sequence[Colleague]) -> None:
        named = [Delegate(id=one.id or None, email=one.email or None) for one in some]
        api.assistants.add(user_id, DelegateList(assistants=named))

    return bulk_result.carry_out(people, send, at_once=MOST, place="assistants")


class MembersForm(forms.Form):
    """The people to add to a group, which the form names, so that it is not read at every step."""

    picked = PeopleField(label=gettext_lazy("People"), several=True)
    emails = people_field(
        label=gettext_lazy("Or by email address"),
        rows=5,
        required=False,
        help_text=gettext_lazy("One email per line, or separated by commas."),
    )
    group = forms.CharField(required=False, widget=forms.HiddenInput)

    unset = gettext_lazy("Choose a person or enter an email address.")

    def __init__(self, data: QueryDict | None = None, *, scope: Scope, **options: Any) -> None:
        super().__init__(data, **options)
        self.scope = scope

    def clean_emails(self) -> list[str]:
        """Returns the addresses, each once, and texts that are no address: these are reported, and
        do not prevent the addition of the others."""
        by_email: dict[str, str] = {}
        for one in understood(self, "emails"):
            address = one.email or one.text
            by_email.setdefault(address.casefold(), address)
        return list(by_email.values())

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("emails") == [] and cleaned.get("picked") == "":
            raise forms.ValidationError({"picked": self.unset})
        return cleaned

    @property
    def people(self) -> list[Colleague]:
        picked = called(self.scope, split(self.cleaned_data.get("picked")))
        given = {one.email.casefold() for one in picked}
        emails = self.cleaned_data.get("emails") or ()
        typed = (one for one in emails if one.casefold() not in given)
        return [*picked, *(Colleague("", email, email) for email in typed)]


def left_in(outcome: ManyOutcome[Colleague]) -> dict[str, str]:
    """Returns the people who are left, as initial values of a form."""
    return {
        "picked": ",".join(one.id for one in outcome.left if one.id),
        "emails": "\n".join(one.email for one in outcome.left if not one.id),
    }


def field_naming(one: Colleague) -> str:
    """Returns the field of a form in which a person was named."""
    return "picked" if one.id else "emails"


class AssistantsForm(MembersForm):
    """The people who become assistants; `present` is the number of those there are already."""

    picked = PeopleField(label=gettext_lazy("Colleagues"), several=True)
    emails = people_field(
        label=gettext_lazy("Or by email address"),
        rows=3,
        required=False,
        help_text=gettext_lazy("One address on each line."),
    )
    group = None  # type: ignore[assignment]

    unset = gettext_lazy("Choose a colleague or enter an email address.")

    def __init__(self, data: QueryDict | None = None, *, present: int, **options: Any) -> None:
        super().__init__(data, **options)
        self.present = present

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if len(self.people) + self.present > MOST:
            room = max(0, MOST - self.present)
            words = _("A person has at most %(most)s assistants: there is room for %(room)s more.")
            field = "picked" if cleaned.get("picked") else "emails"
            raise forms.ValidationError({field: words % {"most": MOST, "room": room}})
        return cleaned
