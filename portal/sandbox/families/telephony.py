"""TSP and PAC accounts of people (spec 2.11 and 4.4)."""

from django.db.models import Max

from portal.contract.telephony import (
    NumberedTspAccount,
    PacAccount as PacDocument,
    PacAccountList,
    PacAccounts,
    TspAccount as TspDocument,
    TspAccountList,
    TspAccounts,
)
from portal.sandbox.errors import NotFound
from portal.sandbox.families.lookup import user_called
from portal.sandbox.models import TspAccount
from portal.sandbox.serving import serves


@serves(TspAccounts.list)
def list_tsp_accounts(user_id: str) -> TspAccountList:
    accounts = user_called(user_id).tsp_accounts.order_by("index")
    return TspAccountList(tsp_accounts=[_document(account) for account in accounts])


@serves(TspAccounts.get)
def get_tsp_account(user_id: str, tsp_id: str) -> NumberedTspAccount:
    return _document(_account(user_id, tsp_id))


@serves(TspAccounts.create)
def create_tsp_account(user_id: str, body: TspDocument) -> NumberedTspAccount:
    """Creates a TSP account under the index after the highest one; existing indexes never
    change."""
    user = user_called(user_id)
    highest = user.tsp_accounts.aggregate(highest=Max("index"))["highest"] or 0
    return _document(user.tsp_accounts.create(index=highest + 1, **_columns(body)))


@serves(TspAccounts.update)
def update_tsp_account(user_id: str, tsp_id: str, body: TspDocument) -> None:
    account = _account(user_id, tsp_id)
    for name, value in _columns(body).items():
        setattr(account, name, value)
    account.save()


@serves(TspAccounts.delete)
def delete_tsp_account(user_id: str, tsp_id: str) -> None:
    _account(user_id, tsp_id).delete()


@serves(PacAccounts.list)
def list_pac_accounts(user_id: str) -> PacAccountList:
    accounts = user_called(user_id).pac_accounts.order_by("id")
    return PacAccountList(tsp_accounts=[PacDocument(**each.document) for each in accounts])


def _account(user_id: str, tsp_id: str) -> TspAccount:
    user = user_called(user_id)
    found = None
    if tsp_id.isascii() and tsp_id.isdigit() and len(tsp_id) < 10:
        found = user.tsp_accounts.filter(index=int(tsp_id)).first()
    if found is None:
        raise NotFound("TSP account")
    return found


def _columns(body: TspDocument) -> dict[str, object]:
    return body.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def _document(account: TspAccount) -> NumberedTspAccount:
    return NumberedTspAccount(
        id=str(account.index),
        conference_code=account.conference_code,
        leader_pin=account.leader_pin,
        dial_in_numbers=account.dial_in_numbers,
    )
