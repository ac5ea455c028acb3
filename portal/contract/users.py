"""People on the account: what the service knows of them and does to them (spec 2.5 and 4.4)."""

from typing import Annotated

from pydantic import Field, PlainSerializer

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.inverse import Deletes, NoWayBack, Opposite, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST, PUT
from portal.contract.model import Model, Sensitive, off, unset
from portal.contract.operation import Effect, Family, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.reading import GoesByEmail
from portal.contract.sign_in import SignInQuery, UserToken, UserTokenQuery, ZpkExpiry, ZpkQuery
from portal.contract.times import Timestamp
from portal.contract.types import (
    Email,
    HostKey,
    NewEmail,
    NewPassword,
    PersonalMeetingId,
    PersonName,
    TimeZone,
)
from portal.contract.user_settings import UserSettings, UserSettingsUpdate


class LicenceType(NumberChoice):
    BASIC = 1, "Basic", "Free. Meetings up to the service's limit."
    PRO = 2, "Pro", "Hosts meetings of any length; takes a licence."
    CORP = 3, "Corp", "Corporate plan only."


class UserStatus(TextChoice):
    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Deactivated"
    PENDING = "pending", "Pending"


class CreateAction(TextChoice):
    CREATE = (
        "create",
        "Invite by email",
        "The service emails an activation link. The person confirms it and chooses a password; "
        "until then they are pending.",
    )
    AUTO_CREATE = (
        "autoCreate",
        "Create with a password",
        "For enterprise accounts with a managed domain. The person can sign in at once with the "
        "password you set. Off unless the service has enabled it for the account.",
    )
    CUST_CREATE = (
        "custCreate",
        "Create without sign-in",
        "For API partners. The person has no password and cannot sign in to the web site or the "
        "client; meetings are started for them by your software.",
    )
    SSO_CREATE = (
        "ssoCreate",
        "Provision for single sign-on",
        "For accounts with pre-provisioned single sign-on. The person has no password. With a Pro "
        "or Corp licence they get a personal link made from the name in their email address.",
    )


class RemovalAction(TextChoice):
    DISASSOCIATE = (
        "disassociate",
        "Disassociate",
        "Removes the person from this account. They keep their own account and their data.",
    )
    DELETE = (
        "delete",
        "Delete permanently",
        "Deletes the person and what is not transferred. This cannot be undone.",
    )


class StatusAction(TextChoice):
    ACTIVATE = "activate", "Activate"
    DEACTIVATE = "deactivate", "Deactivate"


class User(Model, GoesByEmail):
    """Fields of a person that lists and single reads have in common."""

    id: str = Field(min_length=1, title="User ID")
    email: str = Field("", title="Email")
    first_name: str = Field("", max_length=64, title="First name")
    last_name: str = Field("", max_length=64, title="Last name")
    type: LicenceType | None = Field(None, title="Licence")
    dept: str = Field("", title="Department")
    pmi: str = Field("", title="Personal meeting ID")
    timezone: str = Field("", title="Time zone")
    created_at: Timestamp | None = Field(None, title="Created")
    last_login_time: Timestamp | None = Field(None, title="Last sign-in")
    last_client_version: str = Field("", title="Client version")
    group_ids: list[str] = Field(default_factory=list, title="Groups")
    im_group_ids: list[str] = Field(default_factory=list, title="IM groups")


class UserDetails(User):
    """One person as the service reports them (User retrieve response)."""

    account_id: str = Field("", title="Account ID")
    cms_user_id: str = Field("", title="CMS user ID")
    host_key: Annotated[str, Sensitive()] = Field("", title="Host key")
    language: str = Field("", title="Language")
    personal_meeting_url: str = Field("", title="Personal link")
    pic_url: str = Field("", title="Picture")
    vanity_url: str = Field("", title="Vanity link")
    use_pmi: bool | None = Field(None, title="Instant meetings use the personal meeting ID")
    verified: int | None = Field(None, title="Email verified")


class UserQuery(NumberedQuery):
    status: UserStatus = Field(
        UserStatus.ACTIVE, title="Status", description="Which people to list."
    )


class UserPage(NumberedPage):
    users: list[User] = Field(title="People")


class NewUserInfo(Model):
    email: Email = Field(title="Email", description="The address they sign in with.")
    first_name: PersonName | None = unset("First name", "At most 64 characters, 5 if Chinese.")
    last_name: PersonName | None = unset("Last name", "At most 64 characters, 5 if Chinese.")
    password: NewPassword | None = unset("Password", "At least 8 characters.")
    type: LicenceType = Field(title="Licence", description="What they can host.")


class NewUser(Model):
    """A person to create; a password goes only with `autoCreate`."""

    action: CreateAction = Field(
        title="Account type", description="How the person joins the account."
    )
    user_info: NewUserInfo = Field(title="Person", description="Who is created.")


class CreatedUser(Model):
    id: str = Field(title="User ID")
    email: str = Field("", title="Email")
    first_name: str = Field("", title="First name")
    last_name: str = Field("", title="Last name")
    type: LicenceType | None = Field(None, title="Licence")


class UserUpdate(Model):
    """Changes to a person's profile; what is left out stays as it is."""

    first_name: PersonName | None = unset("First name", "At most 64 characters, 5 if Chinese.")
    last_name: PersonName | None = unset("Last name", "At most 64 characters, 5 if Chinese.")
    type: LicenceType | None = unset("Licence", "What they can host.")
    dept: str | None = unset("Department", "Reports are grouped by department.")
    timezone: TimeZone | None = unset("Time zone", "The zone their meetings are scheduled in.")
    language: str | None = unset("Language", "A language tag such as en-US.")
    pmi: PersonalMeetingId | None = unset("Personal meeting ID", "Exactly 10 digits.")
    use_pmi: bool = off(
        "Use the personal meeting ID for instant meetings",
        "Otherwise each instant meeting gets an ID of its own.",
    )
    vanity_name: str | None = unset(
        "Personal link name", "The last part of the personal meeting room's address."
    )
    host_key: HostKey | None = unset(
        "Host key", "Exactly 6 digits. Claims the host role in a meeting."
    )
    cms_user_id: str | None = unset("CMS user ID", "Their ID in an external content system.")


class UserRemoval(Model):
    """The removal of a person from the account, and the transfer of what they own."""

    action: RemovalAction = Field(
        RemovalAction.DISASSOCIATE,
        title="What happens to the person",
        description="Whether they keep their own account.",
    )
    transfer_email: str | None = unset(
        "Transfer to", "The email address of a colleague on the account."
    )
    transfer_meeting: bool | None = unset("Transfer meetings", "The colleague becomes their host.")
    transfer_webinar: bool | None = unset("Transfer webinars", "The colleague becomes their host.")
    transfer_recording: bool | None = unset(
        "Transfer recordings", "The colleague gets the cloud recordings."
    )


class UserRemovalToday(UserRemoval):
    """A removal as services of today take it: a person leaves more than in the document."""

    transfer_whiteboard: bool | None = unset(
        "Transfer whiteboards", "The colleague gets the whiteboards."
    )
    transfer_clipfiles: bool | None = unset("Transfer clips", "The colleague gets the clips.")
    transfer_notes: bool | None = unset("Transfer notes", "The colleague gets the notes.")
    transfer_docs: bool | None = unset("Transfer docs", "The colleague gets the docs.")
    transfer_visitors: bool | None = unset(
        "Transfer visitors", "The colleague gets the visitor invitations."
    )


class EmailQuery(Model):
    email: str = Field(title="Email", description="The address to ask about.")


class EmailExists(Model):
    existed_email: bool = Field(title="Is taken")


class VanityNameQuery(Model):
    vanity_name: str = Field(title="Personal link name", description="The name to ask about.")


class VanityNameExists(Model):
    existed: bool = Field(title="Is taken")


class EmailChange(Model):
    email: NewEmail = Field(
        title="New email address",
        description="Under 128 characters. They sign in with it.",
    )


class PasswordChange(Model):
    password: Annotated[str, Sensitive()] = Field(
        min_length=8,
        max_length=31,
        title="New password",
        description="From 8 to 31 characters.",
    )


class StatusChange(Model):
    action: StatusAction = Field(
        title="Action", description="Whether the person can sign in and host from now on."
    )


def _size(content: bytes) -> str:
    return f"{len(content)} bytes"  # untranslated: for developers


class Picture(Model):
    """A profile picture, sent as the form field `pic_file`."""

    content_type = "multipart/form-data"

    pic_file: Annotated[bytes, PlainSerializer(_size, when_used="json")] = Field(
        title="Picture", description="A JPEG file.", repr=False
    )


class UserPermissions(Model):
    permissions: list[str] = Field(default_factory=list, title="Permissions")


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
