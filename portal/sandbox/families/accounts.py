"""Sub accounts: list, create, change, disassociate (spec 2.4 and 4.1)."""

from portal.contract.accounts import (
    AccountDetails,
    AccountOptions,
    Accounts,
    CreatedAccount,
    ManagedDomains,
    NewAccount,
)
from portal.contract.paging import NumberedQuery
from portal.sandbox.clock import now
from portal.sandbox.errors import Conflict, NotFound
from portal.sandbox.families.lookup import email_is_taken
from portal.sandbox.http import Created, location
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import SubAccount
from portal.sandbox.paging import Listing
from portal.sandbox.serving import serves

_ACCOUNTS = Listing("accounts", SubAccount, "1 = 1", "name, id")


@serves(Accounts.list)
def list_accounts(query: NumberedQuery) -> bytes:
    return _ACCOUNTS.page(query)


@serves(Accounts.create)
def create_account(body: NewAccount) -> Created:
    """Creates a sub account. The owner's password is checked and not stored, since the sandbox has
    no sign-in."""
    email = body.email.lower()
    if SubAccount.objects.filter(owner_key=email).exists() or email_is_taken(email):
        raise Conflict("email", "An account with this email exists.")
    account = SubAccount(
        name=f"{body.first_name} {body.last_name}",
        owner_email=body.email,
        created_at=now().replace(microsecond=0),
        options=_sent(body.options) if body.options else {},
        contact={
            "first_name": body.first_name,
            "last_name": body.last_name,
            "email": body.email,
        },
    )
    account.save(force_insert=True)
    created = CreatedAccount(
        id=account.id,
        owner_id=account.owner_id,
        owner_email=account.owner_email,
        created_at=timestamp(account.created_at) or "",
    )
    return Created(location(Accounts.get, account.id), created)


@serves(Accounts.get)
def get_account(account_id: str) -> AccountDetails:
    account = account_called(account_id)
    return AccountDetails(
        id=account.id,
        owner_id=account.owner_id,
        owner_email=account.owner_email,
        vanity_url=account.vanity_url,
        options=AccountOptions(**account.options),
        created_at=account.created_at,
    )


@serves(Accounts.disassociate)
def disassociate_account(account_id: str) -> None:
    """Removes the sub account, which continues outside of its master."""
    account_called(account_id).delete()


@serves(Accounts.update_options)
def update_options(account_id: str, body: AccountOptions) -> None:
    account = account_called(account_id)
    account.options = {**account.options, **_sent(body)}
    account.save()


@serves(Accounts.managed_domains)
def managed_domains(account_id: str) -> ManagedDomains:
    domains = account_called(account_id).domains
    return ManagedDomains(domains=domains, total_records=len(domains))


def account_called(account_id: str) -> SubAccount:
    found = SubAccount.objects.filter(id=account_id).first()
    if found is None:
        raise NotFound("account")
    return found


def _sent(options: AccountOptions) -> dict[str, object]:
    return options.model_dump(mode="json", exclude_unset=True, exclude_none=True)
