"""Portal accounts: made by an administrator, deactivated and never deleted."""

from allauth.account.app_settings import PASSWORD_RESET_TOKEN_GENERATOR
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.mails import mail
from portal.access.models import User
from portal.access.roles import Role
from portal.translation import gettext as _, speaking_to


class AccountChangeRefused(Exception):
    """A refused change that would lock a user out; the text says why."""


@transaction.atomic
def create(
    origin: Origin,
    *,
    email: str,
    role: str,
    name: str = "",
    password: str | None = None,
) -> User:
    """Creates an account. Its email counts as verified, since an administrator vouches for it."""
    user = User.objects.create_user(email, password, name=name, role=role)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    record(
        origin,
        Act.MEMBER_CREATED,
        user,
        sent={"email": user.email, "name": name, "role": str(role)},
    )
    return user


@transaction.atomic
def set_password_link(origin: Origin, user: User) -> str:
    """Returns an address where the user sets a password, once, within `PASSWORD_RESET_TIMEOUT`."""
    path = reverse(
        "account_reset_password_from_key",
        kwargs={
            "uidb36": user_pk_to_url_str(user),
            "key": PASSWORD_RESET_TOKEN_GENERATOR().make_token(user),
        },
    )
    record(origin, Act.MEMBER_INVITED, user)
    return f"{settings.SITE_URL}{path}"


def send_invitation(user: User, link: str, by: str) -> None:
    """Emails the link. Raises `OSError` if the mail server does not accept it."""
    hours = settings.PASSWORD_RESET_TIMEOUT // 3600
    with speaking_to(user):
        title = _("[Switchboard] Your account")
        text = render_to_string(
            "access/email/invitation.txt",
            {"user": user, "link": link, "by": by, "hours": hours, "site": settings.SITE_URL},
        )
        made = mail(title, text, user.email)
    made.send()


@transaction.atomic
def change_role(origin: Origin, user: User, role: str) -> None:
    """Raises `AccountChangeRefused`."""
    _keep_an_administrator(origin, user)
    before = user.role
    user.role = role
    user.save(update_fields=["role"])
    record(origin, Act.MEMBER_ROLE, user, sent={"role": str(role)}, before={"role": before})


@transaction.atomic
def deactivate(origin: Origin, user: User) -> None:
    """Ends all sessions too. Raises `AccountChangeRefused`."""
    _keep_an_administrator(origin, user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    user.end_sessions()
    record(origin, Act.MEMBER_DEACTIVATED, user)


@transaction.atomic
def activate(origin: Origin, user: User) -> None:
    user.is_active = True
    user.save(update_fields=["is_active"])
    record(origin, Act.MEMBER_ACTIVATED, user)


@transaction.atomic
def end_sessions(origin: Origin, user: User) -> None:
    user.end_sessions()
    record(origin, Act.MEMBER_SIGNED_OUT, user)


@transaction.atomic
def reset_factors(origin: Origin, user: User) -> None:
    """Removes all second factors of a user who lost them, and ends their sessions."""
    Authenticator.objects.filter(user=user).delete()
    user.end_sessions()
    record(origin, Act.MEMBER_FACTORS_RESET, user)


def _keep_an_administrator(origin: Origin, user: User) -> None:
    if origin.actor == user:
        raise AccountChangeRefused(_("You cannot change your own role or deactivate yourself."))
    # The rows are locked, so that two administrators cannot remove each other at the same time.
    administrators = User.objects.select_for_update().filter(
        role=Role.ADMINISTRATOR, is_active=True
    )
    if user.is_administrator and set(administrators) <= {user}:
        raise AccountChangeRefused(_("%(user)s is the last administrator.") % {"user": user})
