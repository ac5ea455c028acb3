"""Telephone conferencing: accounts of a person (TSP and PAC), and the provider of the account."""

from typing import Annotated

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, NoWayBack, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model, Sensitive, unset
from portal.contract.operation import Family
from portal.contract.types import Numeric, PacPassword


class DialInType(TextChoice):
    TOLL = "toll", "Toll"
    TOLL_FREE = "tollfree", "Toll-free"
    MEDIA_LINK = "media_link", "Media link"


class DialInNumber(Model):
    code: str | None = unset("Country code", "Such as +49.", max_length=6)
    country_label: str | None = unset("Label", "Shown in place of the code.", max_length=10)
    number: str = Field(
        min_length=1, max_length=16, title="Number", description="At most 16 characters."
    )
    type: DialInType | None = unset("Type", "Who pays for the call, or that it is a media link.")


class TspAccount(Model):
    """An account with a telephony service provider."""

    conference_code: Numeric = Field(
        min_length=1,
        max_length=16,
        title="Conference code",
        description="1 to 16 digits.",
    )
    leader_pin: Annotated[Numeric, Sensitive()] = Field(
        min_length=1, max_length=16, title="Leader PIN", description="1 to 16 digits."
    )
    dial_in_numbers: list[DialInNumber] | None = unset(
        "Dial-in numbers", "What people call to join."
    )


class NumberedTspAccount(TspAccount):
    """An account as the service reports it, with its index."""

    id: str | None = unset("Index", "Counted from 1.")


class TspAccountList(Model):
    tsp_accounts: list[NumberedTspAccount] = Field(default_factory=list, title="TSP accounts")


class PacNumber(Model):
    country: str = Field(title="Country")
    number: str = Field(max_length=15, title="Number")


class PacAccount(Model):
    """A personal audio conference."""

    conference_id: int | None = Field(None, title="Conference ID")
    dedicated_dial_in_number: list[PacNumber] | None = Field(None, title="Dedicated numbers")
    global_dial_in_numbers: list[PacNumber] | None = Field(None, title="Global numbers")
    listen_only_password: PacPassword | None = Field(None, title="Listen-only password")
    participant_password: PacPassword | None = Field(None, title="Participant password")


class PacAccountList(Model):
    """PAC accounts; the interface calls the array `tsp_accounts` here too."""

    tsp_accounts: list[PacAccount] = Field(default_factory=list, title="PAC accounts")


class TspAccounts(Family, name="tsp_accounts", title="TSP accounts"):
    """A person's accounts with telephony service providers."""

    list = GET("/users/{userId}/tsp", "List TSP accounts", returns=TspAccountList)
    get = GET(
        "/users/{userId}/tsp/{tspId}",
        "Read a TSP account",
        returns=NumberedTspAccount,
        errors=(),
    )
    create = POST(
        "/users/{userId}/tsp",
        "Add a TSP account",
        body=TspAccount,
        returns=NumberedTspAccount,
        errors=(),
        inverse=Deletes("tsp_accounts.delete"),
    )
    update = PATCH(
        "/users/{userId}/tsp/{tspId}",
        "Change a TSP account",
        body=TspAccount,
        before=get,
        errors=(),
        inverse=Restores(),
    )
    delete = DELETE(
        "/users/{userId}/tsp/{tspId}",
        "Delete a TSP account",
        before=get,
        errors=(),
        inverse=NoWayBack("Its leader PIN is not recorded, and no account is without one."),
    )


class PacAccounts(Family, name="pac_accounts", title="PAC accounts"):
    """A person's personal audio conferences."""

    list = GET("/users/{userId}/pac", "List PAC accounts", returns=PacAccountList)


class AccountDialInNumber(Model):
    code: str = Field("", title="Country code")
    number: str = Field("", max_length=15, title="Number")
    type: str = Field("", title="Type")


class AccountTsp(Model):
    """The provider as the service reports it (spec: account TSP information)."""

    enable: bool | None = Field(None, title="Third-party audio")
    tsp_provider: str = Field("", title="Provider")
    dial_in_numbers: list[AccountDialInNumber] = Field(
        default_factory=list, title="Dial-in numbers"
    )


class AccountTspUpdate(Model):
    enable: bool | None = unset(
        "Third-party audio", "Lets the account's people use third-party audio conferencing."
    )
    tsp_provider: str | None = unset("Provider", "The provider's name.")


class TelephonyProvider(Family, name="telephony_provider"):
    """The telephony service provider of the whole account."""

    get = GET("/tsp", "Read the telephony provider", returns=AccountTsp)
    update = PATCH(
        "/tsp",
        "Change the telephony provider",
        body=AccountTspUpdate,
        before=get,
        inverse=Restores(),
    )
