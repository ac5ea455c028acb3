"""Forms that remove one person or several."""

from typing import Any

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
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms import ContractForm, contract_form

TRANSFERS = ("transfer_meeting", "transfer_webinar", "transfer_recording")
_Removal: type[ContractForm] = contract_form(UserRemoval)
_WORD = "delete"


class RemovalForm(_Removal):  # type: ignore[valid-type, misc]
    """The way in which the person leaves, and the recipient of what they have.

    `agreed` is the sentence that the person at the screen read last, `note` the signed state of the
    page.
    """

    confirmation = forms.CharField(
        required=False,
        help_text=gettext_lazy("Required only to delete permanently."),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    agreed = forms.CharField(required=False, widget=forms.HiddenInput)
    note = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, leaver: RemovedPerson) -> None:
        self.leaver = leaver
        super().__init__(data, suggest=_suggested(leaver.belongings))
        leave_open(self.fields["action"])
        self.fields["action"].label = _("How %(name)s leaves") % {"name": leaver.name}
        heir = self.fields["transfer_email"]
        heir.label = _("Transfer to")
        heir.help_text = _(
            "A colleague, found by name, department or email. Empty: nothing is transferred."
        )
        heir.widget.attrs |= {"list": "colleagues", "inputmode": "email"}
        self.fields["confirmation"].label = _("Type %(value)s to confirm") % {
            "value": leaver.email or leaver.name
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        email = cleaned.get("transfer_email")
        if email and "@" not in email:
            self.add_error("transfer_email", _("Choose a colleague, or type their email address."))
        elif email and not any(cleaned.get(name) for name in TRANSFERS):
            self.add_error("transfer_email", _("Choose what they get, or leave this empty."))
        if cleaned.get("action") == RemovalAction.DELETE and not self._is_confirmed(cleaned):
            typed = cleaned.get("confirmation")
            self.add_error(
                "confirmation", _("This is not it.") if typed else _("Nothing was typed.")
            )
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

    def _is_confirmed(self, cleaned: dict[str, Any]) -> bool:
        typed = (cleaned.get("confirmation") or "").strip().casefold()
        known = {self.leaver.email.casefold(), self.leaver.name.casefold()} - {""}
        return typed in known


def leave_open(ways: forms.Field) -> None:
    """Has the way to leave be chosen each time, since none of them can be undone."""
    ways.initial, ways.required = None, True
    ways.widget.is_required = True
    ways.error_messages["required"] = gettext_lazy("Choose one. Neither can be undone.")


def _suggested(belongings: Belongings) -> dict[str, Any]:
    """Returns the transfers that are checked at first: all that there is, or that may be."""
    counts = (belongings.meetings, belongings.webinars, belongings.recordings)
    return {name: count != 0 for name, count in zip(TRANSFERS, counts, strict=True)}


class RemoveForm(ChosenPeopleForm, _Removal):  # type: ignore[valid-type, misc]
    """The way in which people leave, and the recipient of what they have."""

    asks = gettext_lazy("Remove %(who)s")
    beside, beside_shown_with = ("confirmation",), "action=delete"

    confirmation = forms.CharField(
        label=gettext_lazy("Type “delete” to confirm"),
        required=False,
        help_text=gettext_lazy("Required only to delete permanently."),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        self._request = request
        super().__init__(data, suggest=dict.fromkeys(TRANSFERS, True))
        leave_open(self.fields["action"])
        self.fields["action"].label = _("How they leave")
        heir = self.fields["transfer_email"]
        heir.label = _("Transfer to")
        heir.help_text = _("The email of a colleague who stays. Empty: nothing is transferred.")
        heir.widget.attrs |= {"inputmode": "email"}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        email = cleaned.get("transfer_email")
        if email and "@" not in email:
            self.add_error("transfer_email", _("Type their email address."))
        elif email and not any(cleaned.get(name) for name in TRANSFERS):
            self.add_error("transfer_email", _("Choose what they get, or leave this empty."))
        typed = (cleaned.get("confirmation") or "").strip().casefold()
        if cleaned.get("action") == RemovalAction.DELETE and typed != _WORD:
            words = _("This is not it.") if typed else _("Nothing was typed.")
            self.add_error("confirmation", words)
        return cleaned

    def plan(self, request: PortalRequest, who: Who) -> Draft:
        how = self._how()
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

    def _how(self) -> UserRemoval:
        chosen = self.cleaned_data
        action = RemovalAction(chosen["action"])
        email = chosen.get("transfer_email")
        if not email:
            return UserRemoval(action=action)
        given = {name: bool(chosen.get(name)) for name in TRANSFERS}
        return UserRemoval(action=action, transfer_email=email, **given)
