"""allauth's form of a first password, as the portal has it."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SetPasswordForm

from portal.access.sign_in_methods import only_by_provider


class FirstPasswordForm(SetPasswordForm):  # type: ignore[misc]
    """A password, but not for whoever signs in by single sign-on alone: it would open their account
    when the provider does not any more."""

    @property
    def is_refused(self) -> bool:
        return only_by_provider(self.user)

    def clean(self) -> Any:
        if self.is_refused:
            raise get_adapter().validation_error("password_of_provider")
        return super().clean()
