"""Sign-in of people: email, password, status, permissions, and tokens that start meetings (spec
4.4).

A token is signed and contains its purpose, owner and end, so none is stored.
"""

import base64

from django.core import signing

from portal.contract.sign_in import (
    LoginType,
    TokenType,
    UserToken,
    UserTokenQuery,
    ZpkExpiry,
    ZpkQuery,
)
from portal.contract.users import (
    EmailChange,
    PasswordChange,
    StatusAction,
    StatusChange,
    UserPermissions,
    Users,
    UserStatus,
)
from portal.sandbox.clock import now, seconds
from portal.sandbox.errors import Conflict, invalid
from portal.sandbox.families.lookup import user_called, user_or_none
from portal.sandbox.models import Role, User
from portal.sandbox.options import options
from portal.sandbox.serving import serves

_OWN = ["Meeting:Edit", "Webinar:Edit", "Recording:Edit", "Profile:Edit"]
_PERMISSIONS = {
    Role.MEMBER: _OWN,
    Role.ADMINISTRATOR: [*_OWN, "User:Edit", "Group:Edit", "Device:Edit", "Report:Read"],
    Role.OWNER: [
        *_OWN,
        "User:Edit",
        "Group:Edit",
        "Device:Edit",
        "Report:Read",
        "Account:Edit",
        "Billing:Edit",
    ],
}


@serves(Users.change_email)
def change_email(user_id: str, body: EmailChange) -> None:
    user = user_called(user_id)
    holder = user_or_none(body.email)
    if holder and holder.id != user.id:
        raise Conflict("email", "A user with this email exists.")
    user.email = body.email
    user.save()


@serves(Users.change_password)
def change_password(user_id: str, body: PasswordChange) -> None:
    """Checks a password by the rules and stores none, since the sandbox has no sign-in."""
    user = user_called(user_id)
    if user.login_type != LoginType.SERVICE:
        raise invalid("password", "This person signs in without a password.")
    if body.password.lower() == user.email_key:
        raise invalid("password", "Choose something else than the email address.")
    user.tokens_revoked_at = now()
    user.save()


@serves(Users.change_status)
def change_status(user_id: str, body: StatusChange) -> None:
    user = user_called(user_id)
    if body.action == StatusAction.DEACTIVATE and user.role == Role.OWNER:
        raise invalid("action", "The owner of the account cannot be deactivated.")
    activated = body.action == StatusAction.ACTIVATE
    user.status = (UserStatus.ACTIVE if activated else UserStatus.INACTIVE).value
    user.save()


@serves(Users.permissions)
def permissions(user_id: str) -> UserPermissions:
    return UserPermissions(permissions=_PERMISSIONS[Role(user_called(user_id).role)])


@serves(Users.revoke_token)
def revoke_token(user_id: str) -> None:
    user = user_called(user_id)
    user.tokens_revoked_at = now()
    user.save()


_TWO_HOURS = 2 * 60 * 60
_NINETY_DAYS = 90 * 24 * 60 * 60
_SALT = "user token"


@serves(Users.token)
def issue_user_token(user_id: str, query: UserTokenQuery) -> UserToken:
    user = user_called(user_id)
    if user.status != UserStatus.ACTIVE:
        raise invalid("userId", "This person is not active.")
    kind = query.type or TokenType.TOKEN
    by_api = kind == TokenType.ZAK and user.login_type == LoginType.API
    lifetime = _NINETY_DAYS if by_api else _TWO_HOURS
    content = [kind.value, user.id, seconds(), lifetime]
    signed = _signer().sign_object(content)
    return UserToken(token=base64.urlsafe_b64encode(signed.encode()).decode().rstrip("="))


@serves(Users.zpk_expiry)
def zpk_expiry(query: ZpkQuery) -> ZpkExpiry:
    """Returns the remaining seconds: 0 if the token has expired or was revoked, or if its owner
    cannot sign in."""
    kind, user_id, issued, lifetime = _content(query.zpk)
    if kind != TokenType.ZPK:
        raise invalid("zpk", "This is not a ZPK of this account.")
    user = user_or_none(user_id)
    holds = user is not None and user.status == UserStatus.ACTIVE and not _revoked(user, issued)
    left = int(issued + lifetime - seconds())
    return ZpkExpiry(expire_in=max(0, left) if holds else 0)


def _signer() -> signing.Signer:
    return signing.Signer(key=options().token, salt=_SALT)


def _content(token: str) -> tuple[str, str, float, int]:
    try:
        signed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode("ascii")
        kind, user_id, issued, lifetime = _signer().unsign_object(signed)
    except (signing.BadSignature, ValueError):
        raise invalid("zpk", "This is not a ZPK of this account.") from None
    return kind, user_id, issued, lifetime


def _revoked(user: User, issued: float) -> bool:
    revoked = user.tokens_revoked_at
    return revoked is not None and issued <= revoked.timestamp()
