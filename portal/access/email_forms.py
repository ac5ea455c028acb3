"""allauth's form of one's own email address, as the portal has it."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm

from portal.access.sign_in_methods import only_by_provider


class ChangeEmailForm(AddEmailForm):  # type: ignore[misc]
    """Another address, but not for whoever signs in by single sign-on alone."""

    @property
    def is_fixed(self) -> bool:
        return only_by_provider(self.user)

    def clean_email(self) -> str:
        if self.is_fixed:
            raise get_adapter().validation_error("email_of_provider")
        email: str = super().clean_email()
        return email
