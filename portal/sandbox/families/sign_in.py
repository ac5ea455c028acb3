"""Sign-in of people: email, password, status, permissions and tokens (spec 4.4)."""

from portal.contract.sign_in import LoginType
from portal.contract.users import (
    EmailChange,
    PasswordChange,
    StatusAction,
    StatusChange,
    UserPermissions,
    Users,
    UserStatus,
)
from portal.sandbox.clock import now
from portal.sandbox.errors import Conflict, invalid
from portal.sandbox.families.lookup import user_called, user_or_none
from portal.sandbox.models import Role
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
