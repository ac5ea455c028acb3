"""Methods of signing in, as allauth stores them in the session, and in words."""

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import models
from django.http import HttpRequest

from portal.access.models import User
from portal.translation import gettext_lazy


class Method(models.TextChoices):
    PASSWORD = "password", gettext_lazy("password")
    SINGLE_SIGN_ON = "single_sign_on", gettext_lazy("single sign-on")
    PASSKEY = "passkey", gettext_lazy("passkey")
    APP = "app", gettext_lazy("authenticator app")
    KEY = "key", gettext_lazy("security key")
    RECOVERY_CODE = "recovery_code", gettext_lazy("recovery code")


_FIRST = {Method.PASSWORD, Method.SINGLE_SIGN_ON, Method.PASSKEY}
_FACTORS = {
    Authenticator.Type.TOTP: Method.APP,
    Authenticator.Type.WEBAUTHN: Method.KEY,
    Authenticator.Type.RECOVERY_CODES: Method.RECOVERY_CODE,
}


def methods_of(request: HttpRequest, user: User) -> list[str]:
    """Returns the methods of this request's sign-in, in its order, without those that were begun
    and given up, such as a password without its second factor."""
    taken: list[Method] = []
    for record in get_authentication_records(request, user):
        method = _method(record)
        taken = [method] if method in _FIRST else [*taken, method]
    return [method.value for method in taken]


def only_by_provider(user: User) -> bool:
    """Returns whether the user signs in by single sign-on alone. Neither a mailbox nor an address
    opens their account then, nor moves it to another user: the provider decides that."""
    return not user.has_usable_password() and SocialAccount.objects.filter(user=user).exists()


def in_words(methods: list[str]) -> str:
    """Such as "Password, authenticator app"."""
    words = ", ".join(str(Method(method).label) for method in methods if method in Method.values)
    return words[:1].upper() + words[1:]


def _method(record: dict[str, Any]) -> Method:
    if record["method"] == "socialaccount":
        return Method.SINGLE_SIGN_ON
    if record["method"] != "mfa":
        return Method.PASSWORD
    return Method.PASSKEY if record.get("passwordless") else factor(record["type"])


def factor(kind: str) -> Method:
    """The method of a second factor."""
    return _FACTORS[Authenticator.Type(kind)]
