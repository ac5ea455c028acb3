"""allauth's form of the app for the second factor, as the portal has it."""

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP


class ActivateAppForm(ActivateTOTPForm):  # type: ignore[misc]
    """The code that sets an app up is used then, like one that signs in."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        adapter = get_adapter()
        app = Authenticator(
            user=self.user,
            type=Authenticator.Type.TOTP,
            data={"secret": adapter.encrypt(self.secret)},
        )
        if not TOTP(app).validate_code(code):
            raise adapter.validation_error("incorrect_code")
        return code
