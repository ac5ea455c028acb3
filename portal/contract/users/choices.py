"""Choices of and for a person (spec 2.2 and 2.5)."""

from portal.contract.choices import NumberChoice, TextChoice


class LicenceType(NumberChoice):
    BASIC = 1, "Basic", "Free. Meetings up to the service's limit."
    PRO = 2, "Pro", "Hosts meetings of any length; takes a licence."
    CORP = 3, "Corp", "Corporate plan only."


class UserStatus(TextChoice):
    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Deactivated"
    PENDING = "pending", "Pending"


class LoginType(TextChoice):
    SOCIAL_A = "0", "Social login A"
    SOCIAL_B = "1", "Social login B"
    API = "99", "API"
    SERVICE = "100", "The service's own login"
    SSO = "101", "SSO"


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


class TokenType(TextChoice):
    TOKEN = "token", "Client token", "For starting a meeting with the client SDK."
    ZPK = "zpk", "ZPK", "For building a start-meeting address. Deprecated by the service."
    ZAK = (
        "zak",
        "ZAK",
        "For building a start-meeting address. Valid for two hours, 90 days for API users.",
    )
