"""Portal accounts: made by an administrator, deactivated and never deleted.

No user changes the account of one who is more than they on a connection, as
`portal.connections.standing` has it; the machine itself may.
"""

from allauth.account.app_settings import PASSWORD_RESET_TOKEN_GENERATOR
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from portal.access.http import Origin
from portal.access.mails import mail
from portal.access.models import User, is_role
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.reading import limited_keys
from portal.audit.trail import record
from portal.connections.standing import is_less, who_is_nowhere_less
from portal.sign_in import sessions
from portal.team import mails
from portal.team.models import ChangeKind
from portal.translation import gettext as _, gettext_lazy, speaking_to

MAKES_NO_ADMINISTRATORS = gettext_lazy(
    "Your access to a connection is limited, so you cannot make anybody an administrator. Ask "
    "another administrator."
)


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
    """Creates an account. Its email counts as verified, since an administrator vouches for it.
    Raises `AccountChangeRefused`."""
    _require_role(role)
    _require_unlimited(origin, role)
    user = User.objects.create_user(email, password, name=name, role=role)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    record(
        origin,
        Act.MEMBER_CREATED,
        user,
        sent={"email": user.email, "name": name, "role": str(role)},
    )
    return user


def is_unused(user: User) -> bool:
    """Returns whether the account has never had a password, nor been signed in to."""
    return not user.has_usable_password() and user.last_login is None


@transaction.atomic
def set_password_link(origin: Origin, user: User) -> str:
    """Returns an address where the user sets a password, once, within `PASSWORD_RESET_TIMEOUT`.
    Others may see only that of an unused account. Raises `AccountChangeRefused`."""
    require_standing(origin, user)
    path = reverse(
        "account_reset_password_from_key",
        kwargs={
            "uidb36": user_pk_to_url_str(user),
            "key": PASSWORD_RESET_TOKEN_GENERATOR().make_token(user),
        },
    )
    record(origin, Act.MEMBER_INVITED, user, sent={"link_shown": is_unused(user)})
    return f"{settings.SITE_URL}{path}"


def send_invitation(user: User, link: str, by: str) -> None:
    """Emails the link. Raises `OSError` if the mail server does not accept it."""
    hours = settings.PASSWORD_RESET_TIMEOUT // 3600
    template = "invitation" if is_unused(user) else "new_password"
    with speaking_to(user):
        title = _("[Switchboard] Your account")
        text = render_to_string(
            f"team/email/{template}.txt",
            {"user": user, "link": link, "by": by, "hours": hours, "site": settings.SITE_URL},
        )
        made = mail(title, text, user.email)
    made.send()


@transaction.atomic
def change_role(origin: Origin, user: User, role: str, *, approved_by: str = "") -> None:
    """The user is told by mail. Raises `AccountChangeRefused`."""
    check(origin, user, ChangeKind.ROLE, role)
    before = user.role
    if before == role:
        return
    user.role = role
    user.save(update_fields=["role"])
    sent, former = {"role": str(role)}, {"role": before}
    record(origin, Act.MEMBER_ROLE, user, sent=sent, before=former, approved_by=approved_by)
    mails.tell_role(user, origin)


@transaction.atomic
def deactivate(origin: Origin, user: User, *, approved_by: str = "") -> None:
    """Ends all sessions too, and tells the user by mail. Raises `AccountChangeRefused`."""
    check(origin, user, ChangeKind.DEACTIVATION)
    if not user.is_active:
        return
    user.is_active = False
    user.save(update_fields=["is_active"])
    user.end_sessions()
    record(origin, Act.MEMBER_DEACTIVATED, user, approved_by=approved_by)
    mails.tell_deactivated(user, origin)


@transaction.atomic
def activate(origin: Origin, user: User) -> None:
    """Raises `AccountChangeRefused`."""
    require_standing(origin, user)
    if user.is_active:
        return
    user.is_active = True
    user.save(update_fields=["is_active"])
    record(origin, Act.MEMBER_ACTIVATED, user)


@transaction.atomic
def end_sessions(origin: Origin, user: User) -> None:
    """Raises `AccountChangeRefused`."""
    require_standing(origin, user)
    user.end_sessions()
    record(origin, Act.MEMBER_SIGNED_OUT, user)


@transaction.atomic
def end_session(origin: Origin, user: User, handle: str) -> bool:
    """Ends one session. Returns whether it was there. Raises `AccountChangeRefused`."""
    require_standing(origin, user)
    return sessions.end(origin, user, handle)


@transaction.atomic
def reset_factors(origin: Origin, user: User, *, approved_by: str = "") -> None:
    """Removes all second factors of a user who lost them, and ends their sessions. They are told by
    mail. Raises `AccountChangeRefused`."""
    check(origin, user, ChangeKind.FACTORS)
    Authenticator.objects.filter(user=user).delete()
    user.end_sessions()
    record(origin, Act.MEMBER_FACTORS_RESET, user, approved_by=approved_by)
    mails.tell_factors_reset(user, origin)


@transaction.atomic
def vouch(origin: Origin, user: User) -> None:
    """Records that the account is that of a person of their own, whichever user made it: they count
    as another administrator. Only the machine itself says so."""
    if origin.actor is not None:
        raise AccountChangeRefused(_("Only whoever runs Switchboard can vouch for an account."))
    record(origin, Act.MEMBER_VOUCHED, user)


@transaction.atomic
def unlink(origin: Origin, user: User) -> None:
    """Has the next subject of the single sign-on open the account that has its email, such as the
    same person's after the provider was replaced. Only the machine itself does so."""
    if origin.actor is not None:
        raise AccountChangeRefused(_("Only whoever runs Switchboard can unlink an account."))
    SocialAccount.objects.filter(user=user).delete()
    record(origin, Act.PROVIDER_UNLINKED, user)


def check(origin: Origin, user: User, kind: str, role: str = "") -> None:
    """Raises `AccountChangeRefused` if the actor may not make this change, `role` that of one of
    the role."""
    if kind == ChangeKind.ROLE:
        _require_role(role)
    if kind != ChangeKind.FACTORS:
        _keep_an_administrator(origin, user)
    require_standing(origin, user, role)
    _require_unlimited(origin, role)


def lack_of_standing(actor: User, user: User, role: str = "") -> str:
    """Returns why an actor may not change the account of a user who is more than they on a
    connection, as the user is or with the role that they get, and who may; empty if they may."""
    roles = {user.role, role or user.role}
    if not any(is_less(actor, user, each) for each in roles):
        return ""
    able = who_is_nowhere_less(user, role or user.role, but=actor)
    words = _(
        "%(user)s can do more than you on a connection. Only an administrator who can do as much "
        "there changes this account, or whoever runs Switchboard, by manage.py manage_account."
    )
    if able:
        words = _(
            "%(user)s can do more than you on a connection. Those who can do as much there can "
            "change this account: %(names)s."
        )
    return words % {"user": user, "names": ", ".join(map(str, able))}


def _require_role(role: str) -> None:
    if not is_role(role):
        raise AccountChangeRefused(_("This role no longer exists."))


def require_standing(origin: Origin, user: User, role: str = "") -> None:
    """Raises `AccountChangeRefused` for an actor without the standing; all have it over their own
    account."""
    if (
        origin.actor
        and origin.actor != user
        and (lack := lack_of_standing(origin.actor, user, role))
    ):
        raise AccountChangeRefused(lack)


def may_make_administrators(actor: User) -> bool:
    """Returns whether the actor is limited on no connection: an administrator whom another one made
    would see more than they."""
    return not limited_keys(actor)


def _require_unlimited(origin: Origin, role: str) -> None:
    """Raises `AccountChangeRefused` for an actor with limits who makes an administrator."""
    if role == Role.ADMINISTRATOR and origin.actor and not may_make_administrators(origin.actor):
        raise AccountChangeRefused(str(MAKES_NO_ADMINISTRATORS))


def _keep_an_administrator(origin: Origin, user: User) -> None:
    if origin.actor == user:
        raise AccountChangeRefused(_("You cannot change your own role or deactivate yourself."))
    # The rows are locked, so that two administrators cannot remove each other at the same time.
    administrators = User.objects.select_for_update().filter(
        role=Role.ADMINISTRATOR, is_active=True
    )
    if user.is_administrator and set(administrators) <= {user}:
        raise AccountChangeRefused(_("%(user)s is the last administrator.") % {"user": user})
