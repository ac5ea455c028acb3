"""Forms that remove one person or several."""

from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from portal.access.http import PortalRequest
from portal.contract.users import RemovalAction, UserRemoval
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft
from portal.people.forms.chosen import ChosenPeopleForm, Who
from portal.people.services.removal import (
    Belongings,
    ColleagueRefused,
    RemovedPerson,
    check_colleague,
)
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.fields import typed_field

TRANSFERS = ("transfer_meeting", "transfer_webinar", "transfer_recording")
_Removal: type[ContractForm] = contract_form(UserRemoval)
_WORD = "delete"
_ONLY_TO_DELETE = gettext_lazy("Required only to delete permanently.")


def deletion_field() -> forms.CharField:
    """The field in which the word is typed that confirms a deletion."""
    return typed_field(_WORD, required=False, help_text=_ONLY_TO_DELETE)


def add_unconfirmed(form: forms.BaseForm, accepted: Collection[str] = (_WORD,)) -> None:
    """Adds an error if what was typed is none of the accepted words."""
    typed = (form.cleaned_data.get("confirmation") or "").strip().casefold()
    if typed not in accepted:
        words = _("This is not it.") if typed else _("Nothing was typed.")
        form.add_error("confirmation", words)


class _RemovalFields(_Removal):  # type: ignore[valid-type, misc]
    """The way in which people leave, chosen each time since none can be undone, and the recipient
    of what they have."""

    untyped: ClassVar[str]  # the problem of a recipient that is no address
    confirmation = deletion_field()

    def label(self, way: str, recipient_hint: str, **attrs: str) -> None:
        action, recipient = self.fields["action"], self.fields["transfer_email"]
        action.label, action.initial = way, None
        action.required = action.widget.is_required = True
        action.error_messages["required"] = gettext_lazy("Choose one. Neither can be undone.")
        recipient.label, recipient.help_text = _("Transfer to"), recipient_hint
        recipient.widget.attrs |= {"inputmode": "email", **attrs}

    def accepted(self) -> Collection[str]:
        """Returns the words that confirm a deletion."""
        return (_WORD,)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean()
        email = cleaned.get("transfer_email")
        if email and "@" not in email:
            self.add_error("transfer_email", self.untyped)
        elif email and not any(cleaned.get(name) for name in TRANSFERS):
            self.add_error("transfer_email", _("Choose what they get, or leave this empty."))
        if cleaned.get("action") == RemovalAction.DELETE:
            add_unconfirmed(self, self.accepted())
        return cleaned

    def how(self) -> UserRemoval | None:
        """The removal as it would be sent, also while the form is not complete; nothing before it
        is chosen how the person leaves."""
        chosen = getattr(self, "cleaned_data", None) or self.initial
        if not chosen.get("action"):
            return None
        action = RemovalAction(chosen["action"])
        email = chosen.get("transfer_email")
        if not email:
            return UserRemoval(action=action)
        given = {name: bool(chosen.get(name)) for name in TRANSFERS}
        return UserRemoval(action=action, transfer_email=email, **given)


class RemovalForm(_RemovalFields):
    """The removal of one person.

    `agreed` is the sentence that the person at the screen read last, `note` the signed state of the
    page.
    """

    untyped = gettext_lazy("Choose a colleague, or type their email address.")
    agreed = forms.CharField(required=False, widget=forms.HiddenInput)
    note = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, leaver: RemovedPerson) -> None:
        self.leaver = leaver
        super().__init__(data, suggest=_suggested(leaver.belongings))
        self.label(
            _("How %(name)s leaves") % {"name": leaver.name},
            _("A colleague, found by name, department or email. Empty: nothing is transferred."),
            list="colleagues",
        )
        self.fields["confirmation"].label = _("Type %(value)s to confirm") % {
            "value": leaver.email or leaver.name
        }

    def accepted(self) -> Collection[str]:
        return {self.leaver.email.casefold(), self.leaver.name.casefold()} - {""}


def _suggested(belongings: Belongings) -> dict[str, object]:
    """Returns the transfers that are checked at first: all that there is, or that may be."""
    counts = (belongings.meetings, belongings.webinars, belongings.recordings)
    return {name: count != 0 for name, count in zip(TRANSFERS, counts, strict=True)}


class RemoveForm(ChosenPeopleForm, _RemovalFields):
    heading = gettext_lazy("Remove %(who)s")
    beside, beside_shown_with = ("confirmation",), "action=delete"
    untyped = gettext_lazy("Type their email address.")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data, suggest=dict.fromkeys(TRANSFERS, True))
        hint = _("The email of a colleague who stays. Empty: nothing is transferred.")
        self.label(_("How they leave"), hint)

    def plan(self, request: PortalRequest, who: Who) -> Draft | None:
        how = self.how()
        if how is None:
            return None
        if how.transfer_email:
            try:
                check_colleague(request.api, request.scope, how.transfer_email, besides="")
            except ColleagueRefused as refused:
                self.add_error("transfer_email", str(refused))
        data = how.model_dump(mode="json", exclude_none=True)
        deletes = how.action is RemovalAction.DELETE

        def say(who: str) -> str:
            words = _("Delete %(who)s") if deletes else _("Disassociate %(who)s")
            return words % {"who": who}

        return Draft("people.remove", JobTitle(say, who), {"how": data})
