"""What the portal has allauth do differently."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.db import transaction
from django.http import HttpRequest

from portal.access import tokens
from portal.access.audit import Act, record
from portal.access.models import User
from portal.access.origin import origin_of
from portal.access.reauthentication import did_lately


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """No sign-up, and no change of a password without an entry in the audit trail."""

    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": "Wrong email or password.",
        "too_many_login_attempts": "Too many failed attempts. Try again in five minutes.",
        "rate_limited": "Too many attempts. Try again in a few minutes.",
        "enter_current_password": "Wrong password.",
        "incorrect_password": "Wrong password.",
        "incorrect_code": "Wrong code, or the code was already used.",
    }

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        return False

    def is_reauthentication_required(self, **_kwargs: Any) -> bool:
        """A sign-in of the last minutes is as good as a password repeated."""
        return not did_lately(self.request)

    def send_notification_mail(self, *arguments: Any, **named: Any) -> None:
        """Once what it is about is committed; a mail server that is away undoes nothing."""
        send = super().send_notification_mail
        transaction.on_commit(lambda: send(*arguments, **named), robust=True)

    def set_password(self, user: User, password: str) -> None:
        with transaction.atomic():
            super().set_password(user, password)
            record(
                origin_of(self.request, user),
                Act.PASSWORD_CHANGED,
                object_id=user.pk,
                label=user.email,
            )


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors are encrypted at rest like tokens."""

    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "Wrong code, or the code was already used.",
    }

    def encrypt(self, text: str) -> str:
        return tokens.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return tokens.unseal(encrypted_text).value

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002
        return f"Key {Authenticator.objects.filter(user=user, type=type).count() + 1}"


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Single sign-on opens existing accounts only."""

    def is_open_for_signup(self, _request: HttpRequest, _sociallogin: Any) -> bool:
        return False

    def can_authenticate_by_email(self, _login: Any, _email: str) -> bool:
        return True
