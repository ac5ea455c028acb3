"""The form that creates a person."""

from typing import Any

from django import forms

from portal.contract.users import CreateAction, NewUser
from portal.ui.forms import ContractForm, contract_form

EMAIL = "user_info.email"
PASSWORD = "user_info.password"  # noqa: S105 - the name of a field

_Asked: type[ContractForm] = contract_form(NewUser)


class NewPersonForm(_Asked):  # type: ignore[valid-type, misc]
    """All that the interface takes, and the ticket that lets the form be carried out once."""

    ticket = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("action", "user_info.type"):
            # One of these is always chosen, so that "required" would say nothing.
            self.fields[name].required = self.fields[name].widget.is_required = False
        only = f"Only for “{CreateAction.AUTO_CREATE.label}”."
        self.fields[PASSWORD].help_text = f"At least 8 characters. {only}"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        action, password = cleaned.get("action"), cleaned.get(PASSWORD)
        label = CreateAction.AUTO_CREATE.label
        if password and action and action != CreateAction.AUTO_CREATE:
            self.add_error(
                PASSWORD, f"Only “{label}” takes a password. Choose that, or empty this field."
            )
        if action == CreateAction.AUTO_CREATE and not password and PASSWORD not in self.errors:
            self.add_error(PASSWORD, "Set the password that they first sign in with.")
        return cleaned
