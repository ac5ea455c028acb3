"""A person's accounts with telephony providers (TSP) and personal audio conferences (PAC)."""

from dataclasses import dataclass

from portal.client import Api
from portal.contract.telephony import DialInNumber, NumberedTspAccount, PacAccount


@dataclass(frozen=True)
class Tsp:
    """A TSP account with the index that addresses it."""

    id: str
    account: NumberedTspAccount

    @property
    def numbers(self) -> list[DialInNumber]:
        return self.account.dial_in_numbers or []


def tsp_accounts(api: Api, user_id: str) -> list[Tsp]:
    found = api.tsp_accounts.list(user_id).tsp_accounts
    return [Tsp(account.id or str(place), account) for place, account in enumerate(found, start=1)]


def tsp_account(api: Api, user_id: str, tsp_id: str) -> Tsp:
    return Tsp(tsp_id, api.tsp_accounts.get(user_id, tsp_id))


def pac_accounts(api: Api, user_id: str) -> list[PacAccount]:
    return api.pac_accounts.list(user_id).tsp_accounts
