"""Sub accounts of the master account (spec 2.4 and 4.1)."""

from pydantic import Field

from portal.contract.account_settings import AccountSettings
from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, NoWayBack, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model, off, unset
from portal.contract.operation import Family, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.reading import Count
from portal.contract.times import Timestamp
from portal.contract.types import Email, NewPassword


class PayMode(TextChoice):
    MASTER = "master", "Master account", "The master account holder pays."
    SUB = "sub", "Sub account", "The sub account holder pays."


class AccountOptions(Model):
    """Rooms and resources that a sub account shares with the master account, and who pays."""

    pay_mode: PayMode = Field(PayMode.MASTER, title="Who pays", description="Who is billed.")
    share_mc: bool = off(
        "Share meeting connectors", "Lets the sub account use the master's meeting connectors."
    )
    share_rc: bool = off(
        "Share room connectors", "Lets the sub account use the master's virtual room connectors."
    )
    meeting_connectors: str | None = unset(
        "Meeting connectors", "Those of the sub account, separated by commas."
    )
    room_connectors: str | None = unset(
        "Room connectors", "Those of the sub account, separated by commas."
    )


class NewAccount(Model):
    """A sub account to create, with its owner (spec: Account)."""

    email: Email = Field(title="Owner's email", description="The address the owner signs in with.")
    first_name: str = Field(min_length=1, title="Owner's first name", description="As they use it.")
    last_name: str = Field(min_length=1, title="Owner's last name", description="As they use it.")
    password: NewPassword = Field(
        title="Password", description="The owner signs in with it. At least 8 characters."
    )
    options: AccountOptions | None = unset("Options", "What the account shares, and who pays.")


class CreatedAccount(Model):
    id: str = Field(title="Account ID")
    owner_id: str = Field("", title="Owner ID")
    owner_email: str = Field("", title="Owner's email")
    created_at: str = Field("", title="Created")


class AccountSummary(Model):
    """A sub account in a list."""

    id: str = Field(title="Account ID")
    account_name: str = Field("", title="Name")
    owner_email: str = Field("", title="Owner's email")
    account_type: str = Field("", title="Type")
    seats: Count = Field(None, title="Seats")
    subscription_start_time: Timestamp | None = Field(None, title="Subscribed from")
    subscription_end_time: Timestamp | None = Field(None, title="Subscribed until")
    created_at: Timestamp | None = Field(None, title="Created")


class AccountPage(NumberedPage):
    accounts: list[AccountSummary] = Field(title="Sub accounts")


class AccountDetails(Model):
    """One sub account as the service reports it (Account retrieve response)."""

    id: str = Field("", title="Account ID")
    owner_id: str = Field("", title="Owner ID")
    owner_email: str = Field("", title="Owner's email")
    vanity_url: str = Field("", title="Vanity link")
    options: AccountOptions | None = Field(None, title="Options")
    created_at: Timestamp | None = Field(None, title="Created")


class ManagedDomain(Model):
    domain: str = Field("", title="Domain")
    status: str = Field("", title="Status")


class ManagedDomains(Model):
    """Domains whose people belong to the account (spec: DomainsList)."""

    domains: list[ManagedDomain] = Field(title="Domains")
    total_records: Count = Field(None, title="Domains in all")


class Accounts(Family, name="accounts", title="Sub accounts"):
    """Sub accounts of the master account."""

    list = GET(
        "/accounts",
        "List sub accounts",
        query=NumberedQuery,
        returns=AccountPage,
        pages=by_number("accounts", AccountSummary),
    )
    create = POST(
        "/accounts",
        "Create a sub account",
        body=NewAccount,
        returns=CreatedAccount,
        locates=True,
        errors=(409,),
        inverse=Deletes(
            "accounts.disassociate", "It leaves the master account and goes on by itself."
        ),
    )
    get = GET("/accounts/{accountId}", "Read a sub account", returns=AccountDetails)
    disassociate = DELETE(
        "/accounts/{accountId}",
        "Disassociate a sub account",
        before=get,
        inverse=NoWayBack("A sub account that has left cannot be taken back."),
    )
    update_options = PATCH(
        "/accounts/{accountId}/options",
        "Change a sub account's options",
        body=AccountOptions,
        before=get,
        inverse=Restores(within="options"),
    )
    managed_domains = GET(
        "/accounts/{accountId}/managed_domains", "List managed domains", returns=ManagedDomains
    )
    settings = GET(
        "/accounts/{accountId}/settings", "Read a sub account's settings", returns=AccountSettings
    )
    update_settings = PATCH(
        "/accounts/{accountId}/settings",
        "Change a sub account's settings",
        body=AccountSettings,
        before=settings,
        inverse=Restores(),
    )
