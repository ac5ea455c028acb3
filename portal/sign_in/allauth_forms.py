"""Forms of allauth as the portal has them: email address, first password, second factors.

A security key's answer is checked before it is used. Any client can send one; the parser lets
errors of its decoders through, and accepts any subdomain as the portal's own origin. Here only
answers to one of the portal's own pages are accepted; any other is a wrong code.
"""

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm, SetPasswordForm
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter as factor_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.core.exceptions import ValidationError
from django.db import Error as DatabaseError, transaction
from fido2.utils import websafe_decode
from fido2.webauthn import AuthenticatorData

from portal.access.sign_in_methods import only_by_provider
from portal.translation import gettext_lazy

T = TypeVar("T")
_BASE64 = re.compile(r"[A-Za-z0-9_-]+=*")
_COUNT = "sign_count"  # in an authenticator's data
_log = structlog.get_logger("portal.sign_in")


class ChangeEmailForm(AddEmailForm):
    """A form for another address, closed to users who sign in by single sign-on alone."""

    @property
    def is_fixed(self) -> bool:
        return only_by_provider(self.user)

    def clean_email(self) -> str:
        if self.is_fixed:
            raise get_adapter().validation_error("email_of_provider")
        email: str = super().clean_email()
        return email


class FirstPasswordForm(SetPasswordForm):
    """A form for a first password, closed to users who sign in by single sign-on alone: it would
    open their account after the provider no longer does."""

    @property
    def is_refused(self) -> bool:
        return only_by_provider(self.user)

    def clean(self) -> Any:
        if self.is_refused:
            raise get_adapter().validation_error("password_of_provider")
        return super().clean()


class ActivateAppForm(ActivateTOTPForm):
    """The code that sets an app up is used then, like one that signs in."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        adapter = factor_adapter()
        app = Authenticator(
            user=self.user,
            type=Authenticator.Type.TOTP,
            data={"secret": adapter.encrypt(self.secret)},
        )
        if not TOTP(app).validate_code(code):
            raise adapter.validation_error("incorrect_code")
        return code


class _SentOnce(forms.JSONField):
    """Shows nothing again: what a key has signed is worth nothing twice, and may be any text."""

    def prepare_value(self, value: object) -> str:  # noqa: ARG002
        return ""

    def bound_data(self, data: object, initial: object) -> Any:  # noqa: ARG002
        return data

    def to_python(self, value: object) -> Any:
        try:
            return super().to_python(value)
        except RecursionError as error:
            raise factor_adapter().validation_error("incorrect_code") from error


class AddKeyForm(AddWebAuthnForm):
    credential = _SentOnce(required=True, widget=forms.HiddenInput)
    passwordless = forms.BooleanField(
        label=gettext_lazy("Passkey"),
        required=False,
        help_text=gettext_lazy(
            "Signs you in without a password. The key asks for a fingerprint, face or PIN."
        ),
    )

    def clean_credential(self) -> dict[str, object]:
        """Returns the answer itself, and whether the key can tell who signs in."""
        return _judged(lambda: _plain(self.cleaned_data["credential"]))

    def clean(self) -> dict[str, object]:
        return _judged(super().clean)


class _KeyForm(forms.Form):
    """A form for what a key has signed."""

    credential = _SentOnce(required=True, widget=forms.HiddenInput)

    def clean_credential(self) -> Authenticator:
        credential = self.cleaned_data["credential"]
        _judged(lambda: _require_origin(credential))
        key: Authenticator = _judged(super().clean_credential)  # type: ignore[misc]
        _require_next_count(key, credential)
        return key


class AuthenticateKeyForm(_KeyForm, AuthenticateWebAuthnForm):
    """A key as a second factor."""


class LoginKeyForm(_KeyForm, LoginWebAuthnForm):
    """A key without a password."""


class ReauthenticateKeyForm(_KeyForm, ReauthenticateWebAuthnForm):
    """A key as a proof of identity."""


def _judged(judge: Callable[[], T]) -> T:
    """Returns its result. Whatever the decoders raise at an answer, it is a wrong one."""
    try:
        return judge()
    except (DatabaseError, ImmediateHttpResponse, ValidationError):
        raise
    except Exception as error:
        _log.info("answer of a key refused", reason=type(error).__name__)
        raise factor_adapter().validation_error("incorrect_code") from error


def _require_origin(credential: Any) -> None:
    """Raises what no decoder foresees too."""
    data = json.loads(websafe_decode(credential["response"]["clientDataJSON"]))
    request = context.request
    own = f"{request.scheme}://{request.get_host()}"
    if data["origin"] != own or data.get("crossOrigin", False) is not False:
        raise factor_adapter().validation_error("incorrect_code")


def _require_next_count(key: Authenticator, credential: Any) -> None:
    """Refuses what a copy of a key has signed: a key that counts its answers counts up. Passkeys of
    several devices do not count, and answer with 0."""
    data = AuthenticatorData(websafe_decode(credential["response"]["authenticatorData"]))
    with transaction.atomic():
        stored = Authenticator.objects.select_for_update().get(pk=key.pk)
        last = stored.data.get(_COUNT, 0)
        if data.counter <= last and (data.counter or last):
            _log.warning("count of a key went back", key=key.pk)
            raise factor_adapter().validation_error("incorrect_code")
        if data.counter:
            stored.data[_COUNT] = key.data[_COUNT] = data.counter
            stored.save(update_fields=["data"])


def _plain(credential: Any) -> dict[str, object]:
    _require_origin(credential)
    answer, extensions = credential["response"], credential.get("clientExtensionResults")
    result = extensions.get("credProps") if isinstance(extensions, dict) else None
    is_resident = isinstance(result, dict) and result.get("rk") is True
    texts = {
        "id": credential["id"],
        "rawId": credential.get("rawId", credential["id"]),
        "clientDataJSON": answer["clientDataJSON"],
        "attestationObject": answer["attestationObject"],
    }
    if not all(map(_BASE64.fullmatch, texts.values())):  # of that a database refuses nothing
        raise factor_adapter().validation_error("incorrect_code")
    return {
        "id": texts["id"],
        "rawId": texts["rawId"],
        "type": "public-key",
        "response": {name: texts[name] for name in ("clientDataJSON", "attestationObject")},
        "clientExtensionResults": {"credProps": {"rk": is_resident}},
    }
