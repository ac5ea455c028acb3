"""Records what allauth reports: sign-ins, second factors, email addresses, single sign-on."""

from typing import Any

from allauth.account.signals import authentication_step_completed, email_changed, user_logged_in
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from portal.access.audit import Act, record
from portal.access.models import Outcome, User
from portal.access.origin import origin_of


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    _record_own(request, user, Act.SIGN_IN)


@receiver(user_logged_out)
def signed_out(request: HttpRequest | None, user: User | None, **_kwargs: Any) -> None:
    if request is not None and user is not None:
        _record_own(request, user, Act.SIGN_OUT)


@receiver(user_login_failed)
def refused(credentials: dict[str, Any], request: HttpRequest | None, **_kwargs: Any) -> None:
    if request is not None:
        record(
            origin_of(request),
            Act.SIGN_IN_FAILED,
            label=str(credentials.get("email", "")),
            outcome=Outcome.FAILED,
            message="Wrong email or password.",
        )


@receiver(authentication_failed)
def factor_refused(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    record(
        origin_of(request),
        Act.SIGN_IN_FAILED,
        label=user.email,
        outcome=Outcome.FAILED,
        message="Wrong second factor.",
    )


@receiver(authentication_step_completed)
def confirmed(
    request: HttpRequest, user: User, method: str, reauthenticated: bool = False, **_kwargs: Any
) -> None:
    if reauthenticated:
        _record_own(request, user, Act.REAUTHENTICATED, sent={"method": method})


@receiver(authenticator_added)
def factor_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **_kwargs: Any
) -> None:
    _record_factor(request, user, Act.FACTOR_ADDED, authenticator)


@receiver(authenticator_removed)
def factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **_kwargs: Any
) -> None:
    _record_factor(request, user, Act.FACTOR_REMOVED, authenticator)


@receiver(authenticator_reset)
def factor_renewed(
    request: HttpRequest, user: User, authenticator: Authenticator, **_kwargs: Any
) -> None:
    _record_factor(request, user, Act.FACTOR_RENEWED, authenticator)


def _record_factor(
    request: HttpRequest, user: User, act: Act, authenticator: Authenticator
) -> None:
    _record_own(request, user, act, sent={"type": str(authenticator.get_type_display())})


@receiver(email_changed)
def address_changed(
    request: HttpRequest, user: User, from_email_address: Any, to_email_address: Any, **_kwargs: Any
) -> None:
    _record_own(
        request,
        user,
        Act.EMAIL_CHANGED,
        before={"email": from_email_address.email} if from_email_address else None,
        sent={"email": to_email_address.email},
    )


@receiver(social_account_added)
def provider_linked(request: HttpRequest, sociallogin: Any, **_kwargs: Any) -> None:
    _record_own(request, sociallogin.user, Act.PROVIDER_LINKED)


@receiver(social_account_removed)
def provider_unlinked(request: HttpRequest, socialaccount: Any, **_kwargs: Any) -> None:
    _record_own(request, socialaccount.user, Act.PROVIDER_UNLINKED)


def _record_own(request: HttpRequest, user: User, act: Act, **told: Any) -> None:
    record(origin_of(request, user), act, object_id=user.pk, label=user.email, **told)
