"""Which account of the service a connection is to, as far as the service tells."""

from dataclasses import dataclass

from portal.access.roles import may
from portal.client import Api, ApiError
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.users import Users

_LONGEST = 120


@dataclass(frozen=True)
class Account:
    """Its ID, its owner's name or email, and its base plan; empty where that is not told."""

    id: str = ""
    owner: str = ""
    plan: str = ""


def account_of(api: Api, role: str, user_id: str) -> Account:
    """The account that this person is on, as far as a role may know it.

    The interface tells owners and plans of sub accounts only; a service that tells more is taken
    at its word.
    """
    try:
        account_id = api.users.get(user_id).account_id
    except ApiError:
        return Account()
    if not account_id:
        return Account()
    return Account(
        _kept(account_id), _kept(_owner(api, role, account_id)), _kept(_plan(api, role, account_id))
    )


def _owner(api: Api, role: str, account_id: str) -> str:
    if not may(role, Accounts.get):
        return ""
    try:
        told = api.accounts.get(account_id)
    except ApiError:
        return ""
    if not told.owner_id or not may(role, Users.get):
        return told.owner_email
    try:
        owner = api.users.get(told.owner_id)
    except ApiError:
        return told.owner_email
    return f"{owner.first_name} {owner.last_name}".strip() or told.owner_email


def _plan(api: Api, role: str, account_id: str) -> str:
    if not may(role, Billing.plans):
        return ""
    try:
        base = api.billing.plans(account_id).plan_base
    except ApiError:
        return ""
    return (base and base.type) or ""


def _kept(told: str) -> str:
    """What the service told, as the database takes it."""
    return told.replace("\0", "").strip()[:_LONGEST]
