"""The form that removes chosen people."""

from typing import Any

from django import forms
from django.http import QueryDict

from portal.access.http import PortalRequest
from portal.contract.users import RemovalAction, UserRemoval
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft
from portal.people.forms.chosen import ChosenPeopleForm, Who
from portal.people.forms.removal import TRANSFERS, leave_open
from portal.people.services.removal import ColleagueRefused, check_colleague
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms import contract_form

_Asked = contract_form(UserRemoval)
_WORD = "delete"


class RemoveForm(ChosenPeopleForm, _Asked):  # type: ignore[valid-type, misc]
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
