"""Operations on people (spec 4.4)."""

from portal.contract.inverse import Deletes, NoWayBack, Opposite, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST, PUT
from portal.contract.operation import Effect, Family, by_number
from portal.contract.user_settings import UserSettings, UserSettingsUpdate
from portal.contract.users.objects import (
    CreatedUser,
    EmailChange,
    EmailExists,
    EmailQuery,
    NewUser,
    PasswordChange,
    Picture,
    SignInQuery,
    StatusChange,
    User,
    UserDetails,
    UserPage,
    UserPermissions,
    UserQuery,
    UserRemoval,
    UserToken,
    UserTokenQuery,
    UserUpdate,
    VanityNameExists,
    VanityNameQuery,
    ZpkExpiry,
    ZpkQuery,
)


class Users(Family, name="users", title="People"):
    """People on the account."""

    list = GET(
        "/users",
        "List people",
        query=UserQuery,
        returns=UserPage,
        pages=by_number("users", User),
    )
    get = GET(
        "/users/{userId}",
        "Read a person",
        query=SignInQuery,
        returns=UserDetails,
    )
    create = POST(
        "/users",
        "Create a person",
        body=NewUser,
        returns=CreatedUser,
        locates=True,
        errors=(409,),
        inverse=Deletes(
            "users.delete", "All that they have by then is deleted with them.", {"action": "delete"}
        ),
    )
    update = PATCH(
        "/users/{userId}",
        "Change a profile",
        body=UserUpdate,
        before=get,
        inverse=Restores(read_as={"vanity_name": "vanity_url"}),
    )
    delete = DELETE(
        "/users/{userId}",
        "Remove a person",
        query=UserRemoval,
        before=get,
        inverse=NoWayBack("A person who was removed cannot be restored with what they had."),
    )
    email_exists = GET(
        "/users/email",
        "Ask whether an email is taken",
        query=EmailQuery,
        returns=EmailExists,
    )
    vanity_name_exists = GET(
        "/users/vanity_name",
        "Ask whether a personal link name is taken",
        query=VanityNameQuery,
        returns=VanityNameExists,
    )
    change_email = PUT(
        "/users/{userId}/email",
        "Change an email",
        body=EmailChange,
        before=get,
        decided=(409,),
        inverse=Restores(),
    )
    change_password = PUT(
        "/users/{userId}/password",
        "Set a password",
        body=PasswordChange,
        inverse=NoWayBack("The earlier password is not known to anyone but its owner."),
    )
    change_status = PUT(
        "/users/{userId}/status",
        "Activate or deactivate a person",
        body=StatusChange,
        before=get,
        inverse=Opposite({"activate": "deactivate", "deactivate": "activate"}),
    )
    permissions = GET(
        "/users/{userId}/permissions", "Read a person's permissions", returns=UserPermissions
    )
    upload_picture = POST(
        "/users/{userId}/picture",
        "Set a profile picture",
        body=Picture,
        before=get,
        locates=True,
        inverse=NoWayBack("The earlier picture is not kept."),
    )
    settings = GET(
        "/users/{userId}/settings",
        "Read a person's settings",
        query=SignInQuery,
        returns=UserSettings,
    )
    update_settings = PATCH(
        "/users/{userId}/settings",
        "Change a person's settings",
        body=UserSettingsUpdate,
        before=settings,
        inverse=Restores(),
    )
    revoke_token = DELETE(
        "/users/{userId}/token",
        "Revoke an SSO token",
        effect=Effect.WRITE,
        inverse=NoWayBack("A new sign-in gives them a new token."),
    )
    token = GET(
        "/users/{userId}/token",
        "Issue a token that starts meetings",
        query=UserTokenQuery,
        returns=UserToken,
        effect=Effect.WRITE,
        inverse=NoWayBack("A token that was issued is valid until it expires or is revoked."),
    )
    zpk_expiry = GET(
        "/users/zpk",
        "Ask when a ZPK expires",
        query=ZpkQuery,
        returns=ZpkExpiry,
        deprecated=True,
    )
