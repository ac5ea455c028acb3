"""Activating and deactivating a person, and revoking their SSO token."""

from typing import Any

from django import forms

from portal.contract.users import StatusAction, StatusChange, Users, UserStatus
from portal.people.services.person import refresh_person
from portal.people.services.status import RESULT
from portal.people.views.person import PersonActionView
from portal.translation import gettext as _
from portal.translation import options
from portal.ui.views import Labels


class StatusForm(forms.Form):
    action = forms.TypedChoiceField(
        coerce=StatusAction,
        choices=options(StatusAction),
        widget=forms.HiddenInput,
    )


class ChangeStatusView(PersonActionView):
    """Activates or deactivates a person, after it was said what that means."""

    needs = Users.change_status

    @property
    def action(self) -> StatusAction:
        """Returns the requested action, or else the one that reverses the present status."""
        request = self.request
        named = (request.GET if request.method == "GET" else request.POST).get("action", "")
        if named in set(StatusAction):
            return StatusAction(named)
        is_active = self.person.status == UserStatus.ACTIVE
        return StatusAction.DEACTIVATE if is_active else StatusAction.ACTIVATE

    def labels(self) -> Labels:
        deactivates = self.action == StatusAction.DEACTIVATE
        heading = _("Deactivate %(name)s?") if deactivates else _("Activate %(name)s?")
        return Labels(
            heading % {"name": self.person.name},
            submit=self.action.label,
            consequences=[
                ("log-in", _("They can no longer sign in or start meetings.")),
                ("archive", _("Their meetings, recordings and settings stay as they are.")),
                ("undo-2", _("This can be undone: activate them again.")),
            ]
            if deactivates
            else [
                ("log-in", _("They can sign in and start meetings again.")),
                ("badge-check", _("A Pro or Corp licence takes one of the account's licences.")),
            ],
        )

    def get_form(self, data: Any = None) -> StatusForm:
        return StatusForm(data, initial={"action": self.action})

    def perform(self, form: Any) -> str:
        action = form.cleaned_data["action"]
        self.request.api.users.change_status(self.person.id, StatusChange(action=action))
        refresh_person(self.request.api, self.request.scope, self.person.id, RESULT[action])
        is_active = action == StatusAction.ACTIVATE
        done = _("%(name)s is active.") if is_active else _("%(name)s is deactivated.")
        return done % {"name": self.person.name}


class RevokeTokenView(PersonActionView):
    """Ends the single sign-on token that the person holds."""

    needs = Users.revoke_token
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Revoke the SSO token of %(name)s?") % {"name": self.person.name},
            submit=_("Revoke token"),
            consequences=[
                (
                    "unplug",
                    _(
                        "The token they hold from single sign-on stops working, and their apps ask "
                        "them"
                        " to sign in again."
                    ),
                ),
                ("archive", _("Their account, password and data stay as they are.")),
            ],
        )

    def perform(self, form: Any) -> str:
        self.request.api.users.revoke_token(self.person.id)
        return _("The SSO token of %(name)s is revoked.") % {"name": self.person.name}
