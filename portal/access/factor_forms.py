"""allauth's forms of the second factor, as the portal has them."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms

from portal.translation import gettext_lazy


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


class _SentOnce(forms.JSONField):
    """What a key has signed is worth nothing a second time, and any text may stand in it."""

    def prepare_value(self, value: Any) -> str:  # noqa: ARG002
        return ""


class AddKeyForm(AddWebAuthnForm):  # type: ignore[misc]
    credential = _SentOnce(required=True, widget=forms.HiddenInput)
    passwordless = forms.BooleanField(
        label=gettext_lazy("Passkey"),
        required=False,
        help_text=gettext_lazy(
            "Signs you in without a password. The key asks for a fingerprint, face or PIN."
        ),
    )
