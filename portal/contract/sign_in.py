"""Ways of a person to sign in, and tokens that start meetings in their name (spec 2.5)."""

from typing import Annotated

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.model import Model, Sensitive, unset


class LoginType(TextChoice):
    SOCIAL_A = "0", "Social login A"
    SOCIAL_B = "1", "Social login B"
    API = "99", "API"
    SERVICE = "100", "The service's own login"
    SSO = "101", "SSO"


class TokenType(TextChoice):
    TOKEN = "token", "Client token", "For starting a meeting with the client SDK."
    ZPK = "zpk", "ZPK", "For building a start-meeting address. Deprecated by the service."
    ZAK = (
        "zak",
        "ZAK",
        "For building a start-meeting address. Valid for two hours, 90 days for API users.",
    )


class SignInQuery(Model):
    login_type: LoginType | None = unset("Sign-in type", "Which of the person's sign-ins is meant.")


class UserTokenQuery(Model):
    type: TokenType | None = unset("Type", "What the token is for; a client token unless said.")


class UserToken(Model):
    """A token that starts meetings in a person's name."""

    token: Annotated[str, Sensitive()] = Field(title="Token")


class ZpkQuery(Model):
    zpk: Annotated[str, Sensitive()] = Field(title="ZPK", description="The token to ask about.")


class ZpkExpiry(Model):
    expire_in: int = Field(title="Expires in", description="Seconds.")
