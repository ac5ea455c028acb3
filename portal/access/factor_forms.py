"""allauth's forms of the second factor, in the portal's words."""

from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms


class AddKeyForm(AddWebAuthnForm):  # type: ignore[misc]
    passwordless = forms.BooleanField(
        label="Passkey",
        required=False,
        help_text="Signs you in without the password; the key then asks for a finger, a face or "
        "a PIN.",
    )
