"""Differences between the portal and allauth's own adapters."""

import time
from contextlib import nullcontext
from importlib import import_module
from typing import Any, ClassVar

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localdate

from portal.access import tokens
from portal.access.http import origin_of
from portal.access.mails import add_look
from portal.access.models import User
from portal.access.sign_in_methods import Method, methods_of, only_by_provider
from portal.audit import wording
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.sign_in import second_factor, sessions
from portal.sign_in.reauthentication import did_lately
from portal.sign_in.recording import record_refusal
from portal.sign_in.single_sign_on import Provider, SignOnRefused
from portal.translation import gettext as _, gettext_lazy

_log = structlog.get_logger("portal.sign_in")
# Its modules that take the time of the machine, by `time.time()`.
MODULES = (
    "allauth.account.internal.flows.code_verification",
    "allauth.account.internal.flows.login",
    "allauth.account.internal.flows.password_reset_by_code",
    "allauth.account.internal.flows.reauthentication",
    "allauth.account.internal.stagekit",
    "allauth.account.models",
    "allauth.mfa.internal.flows.trust",
    "allauth.mfa.recovery_codes.internal.auth",
    "allauth.mfa.totp.internal.auth",
)


class AccountAdapter(DefaultAccountAdapter):
    """No sign-up, and no change of a password without an entry in the audit trail."""

    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy("Wrong email or password."),
        "too_many_login_attempts": gettext_lazy(
            "Too many failed attempts. Try again in five minutes."
        ),
        "email_of_provider": gettext_lazy(
            "You sign in by single sign-on only. Your email address cannot be changed here."
        ),
        "password_of_provider": gettext_lazy(
            "You sign in by single sign-on only. No password can be set here."
        ),
        "rate_limited": gettext_lazy("Too many attempts. Try again in a few minutes."),
        "enter_current_password": gettext_lazy("Wrong password."),
        "incorrect_password": gettext_lazy("Wrong password."),
        "incorrect_code": gettext_lazy("Wrong code, or the code was already used."),
    }

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        return False

    def is_reauthentication_required(self, **_kwargs: object) -> bool:
        """Returns False after a recent sign-in, which counts as much as a repeated password."""
        return not did_lately(self.request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends the mail in the language that its recipient has chosen, else in that of the
        request."""
        person = context.get("user") or User.objects.filter(email=email).first()
        with translation.override(person.language) if person and person.language else nullcontext():
            super().send_mail(template_prefix, email, context)

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, object], *args: object
    ) -> EmailMultiAlternatives:
        """Returns allauth's mail with the portal's look."""
        made: EmailMultiAlternatives
        made = super().render_mail(template_prefix, email, context, *args)
        add_look(made)
        if context.get("is_notice"):
            made.connection = get_connection(settings.OUTBOX, scope=None)
        return made

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Any = None, email: str | None = None
    ) -> None:
        """Sends the mail together with the change that it reports. A mail server that is away
        undoes nothing."""
        about = {**(context or {}), "is_notice": True}
        super().send_notification_mail(template_prefix, user, about, email)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, object]) -> None:
        """Sends no link to a user who signs in by single sign-on alone, and tells them so. The page
        shows the same for every address."""
        if only_by_provider(user):
            self.send_mail("account/email/no_password", email, {"user": user})
        else:
            super().send_password_reset_mail(user, email, context)

    def pre_login(self, request: HttpRequest, user: User, **values: object) -> HttpResponse | None:
        methods = methods_of(request, user)
        # No password of theirs is right, and it is recorded as wrong.
        if not user.is_active and Method.PASSWORD not in methods:
            record_refusal(request, user, user.email, methods, wording.DEACTIVATED)
        response: HttpResponse | None = super().pre_login(request, user, **values)
        return response

    def post_login(self, request: HttpRequest, user: User, **values: object) -> HttpResponse:
        if due := second_factor.due_from(user):
            words = _(
                "From %(day)s you need two-factor authentication. Set it up in your account menu."
            )
            messages.warning(request, words % {"day": date_format(localdate(due))})
        response: HttpResponse = super().post_login(request, user, **values)
        return response

    def set_password(self, user: User, password: str) -> None:
        with transaction.atomic():
            super().set_password(user, password)
            sessions.forget_others(user, self.request.session.session_key)
            record(origin_of(self.request, user), Act.PASSWORD_CHANGED, user)


class FactorAdapter(DefaultMFAAdapter):
    """Second factors are encrypted at rest like tokens."""

    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("Wrong code, or the code was already used."),
    }

    def encrypt(self, text: str) -> str:
        return tokens.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return tokens.unseal(encrypted_text).value

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Key %(number)s") % {"number": count + 1}


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Single sign-on opens existing accounts only, and by OpenID Connect alone."""

    def get_provider(
        self, request: HttpRequest, provider: str, client_id: str | None = None
    ) -> Provider:
        return Provider(request, app=self.get_app(request, provider=provider, client_id=client_id))

    def on_authentication_error(
        self, _request: HttpRequest, _provider: object, exception: object = None, **_kwargs: object
    ) -> None:
        """Other errors than ours quote what the provider answered, which may be a secret."""
        reason = (
            str(exception) if isinstance(exception, SignOnRefused) else type(exception).__name__
        )
        _log.warning("single sign-on refused", reason=reason)

    def is_open_for_signup(self, _request: HttpRequest, _sociallogin: object) -> bool:
        return False

    def can_authenticate_by_email(self, _login: object, email: str) -> bool:
        """Returns whether no subject of the provider opens the account with this email: one that
        does is its only one, also after the provider gave the email to another person."""
        of_email = Q(user__email__iexact=email) | Q(user__emailaddress__email__iexact=email)
        is_linked = SocialAccount.objects.filter(of_email).exists()
        if is_linked:
            _log.warning("single sign-on refused", reason="email_of_another_subject")
        return not is_linked


class _DatabaseTime:
    """The module `time` with the database's time of day."""

    def time(self) -> float:
        return clock.now().timestamp()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def go_by_the_database() -> None:
    for name in MODULES:
        import_module(name).time = _DatabaseTime()  # type: ignore[attr-defined]
