"""Records allauth's events: sign-ins, second factors, email addresses, single sign-on.

The entry and the change are one transaction: that of the form, see `account_urls`. Signals about
factors are sent after the commit, so factors are recorded when they are stored.
"""

from typing import Any

from allauth.account.signals import authentication_step_completed, email_changed, user_logged_in
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.db import transaction
from django.db.models.signals import pre_delete, pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from portal.access.http import Origin, origin_of
from portal.access.models import User
from portal.access.sign_in_methods import Method, factor, methods_of
from portal.audit import wording
from portal.audit.account_history import AccountHistory
from portal.audit.acts import Act
from portal.audit.models import Outcome
from portal.audit.trail import record
from portal.sign_in.session_store import user_agent
from portal.sign_in.sessions import describe
from portal.translation.stored import in_english

# An account of a provider is linked in the callback from there, which is no form.
SocialLogin.connect = transaction.atomic(SocialLogin.connect)


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **_kwargs: object) -> None:
    sent = _way(request, methods_of(request, user))
    if linked := AccountHistory(user).link_by_another():
        sent["link_made_by"] = linked.email
    _record_own(request, user, Act.SIGN_IN, sent=sent)


@receiver(user_logged_out)
def signed_out(request: HttpRequest | None, user: User | None, **_kwargs: object) -> None:
    if request is not None and user is not None:
        _record_own(request, user, Act.SIGN_OUT)


@receiver(user_login_failed)
def refused(credentials: dict[str, object], request: HttpRequest | None, **_kwargs: object) -> None:
    if request is not None:
        email = str(credentials.get("email", ""))
        user = User.objects.filter(email=email.lower()).first()
        record_refusal(request, user, email, [Method.PASSWORD.value], wording.SIGN_IN_REFUSED)


@receiver(authentication_failed)
def factor_refused(
    request: HttpRequest, user: User, authenticator: Authenticator, **_kwargs: object
) -> None:
    method = factor(authenticator.type).value
    record_refusal(request, user, user.email, [method], wording.FACTOR_REFUSED)


@receiver(authentication_step_completed)
def confirmed(
    request: HttpRequest, user: User, method: str, reauthenticated: bool = False, **_kwargs: object
) -> None:
    if reauthenticated:
        _record_own(request, user, Act.REAUTHENTICATED, sent={"method": method})


@receiver(pre_save, sender=Authenticator)
def factor_stored(
    instance: Authenticator, raw: bool, update_fields: frozenset[str] | None, **_kwargs: object
) -> None:
    if instance._state.adding and not raw:
        is_code = instance.type == Authenticator.Type.RECOVERY_CODES
        _record_factor(Act.FACTOR_RENEWED if is_code else Act.FACTOR_ADDED, instance)
    elif instance.type == Authenticator.Type.WEBAUTHN and (
        update_fields is None or "data" in update_fields
    ):
        stored = Authenticator.objects.get(pk=instance.pk)
        if stored.data["name"] != instance.data["name"]:
            _record_factor(Act.FACTOR_RENAMED, instance, stored)


@receiver(pre_delete, sender=Authenticator)
def factor_removed(instance: Authenticator, **_kwargs: object) -> None:
    _record_factor(Act.FACTOR_REMOVED, instance)


def _record_factor(
    act: Act, authenticator: Authenticator, stored: Authenticator | None = None
) -> None:
    request, user = context.request, authenticator.user
    record(
        origin_of(request, None if request.user.is_authenticated else user)
        if request
        else Origin(),
        act,
        user,
        before=_audit_data(stored) if stored else None,
        sent=_audit_data(authenticator),
    )


def _audit_data(authenticator: Authenticator) -> dict[str, str]:
    with in_english():
        data = {"type": str(authenticator.get_type_display())}
    if "name" in authenticator.data:
        data["name"] = authenticator.data["name"]
    return data


@receiver(email_changed)
def address_changed(
    request: HttpRequest,
    user: User,
    from_email_address: Any,
    to_email_address: Any,
    **_kwargs: object,
) -> None:
    _record_own(
        request,
        user,
        Act.EMAIL_CHANGED,
        before={"email": from_email_address.email} if from_email_address else None,
        sent={"email": to_email_address.email},
    )


@receiver(social_account_added)
def provider_linked(request: HttpRequest, sociallogin: Any, **_kwargs: object) -> None:
    _record_own(request, sociallogin.user, Act.PROVIDER_LINKED)


@receiver(social_account_removed)
def provider_unlinked(request: HttpRequest, socialaccount: Any, **_kwargs: object) -> None:
    _record_own(request, socialaccount.user, Act.PROVIDER_UNLINKED)


def record_refusal(
    request: HttpRequest, user: User | None, email: str, methods: list[str], message: str
) -> None:
    """Records a refused sign-in, without an actor, since that is unknown; the account is its
    object."""
    record(
        origin_of(request),
        Act.SIGN_IN_FAILED,
        object_id=user.pk if user else "",
        label=email,
        sent=_way(request, methods),
        outcome=Outcome.FAILED,
        message=message,
    )


def _way(request: HttpRequest, methods: list[str]) -> dict[str, object]:
    browser = user_agent(request)
    with in_english():
        words = describe(browser)
    return {"signed_in_by": methods, "browser": words, "user_agent": browser}


def _record_own(request: HttpRequest, user: User, act: Act, **values: Any) -> None:
    record(origin_of(request, user), act, user, **values)
