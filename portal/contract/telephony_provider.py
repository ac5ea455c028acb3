"""The account's telephony service provider (spec 2.11 and 4.3)."""

from pydantic import Field

from portal.contract.fields import unset
from portal.contract.inverse import Restores
from portal.contract.methods import GET, PATCH
from portal.contract.model import Model
from portal.contract.operation import Family


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
