"""Which account of the service a connection is to, as far as the service reports."""

from dataclasses import dataclass
from typing import Any

from portal.access.roles import may
from portal.client import Api, ApiError
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.operation import Operation
from portal.contract.path import NotAnId
from portal.contract.users import Users

_LONGEST = 120


@dataclass(frozen=True)
class ServiceAccount:
    """Its ID, its owner's name or email, and its base plan; empty where that is not reported."""

    id: str = ""
    owner: str = ""
    plan: str = ""


def account_of(api: Api, role: str, user_id: str) -> ServiceAccount:
    """The account that this person is on, as far as a role may know it.

    The interface reports owners and plans of sub accounts only; a service that reports more is
    taken at its word.
    """

    def read(operation: Operation[Any, Any], of_id: str) -> Any:
        """Returns the service's answer; None if the role may not ask, or the call fails."""
        if not of_id or not may(role, operation):
            return None
        try:
            return api.caller(operation.call(of_id))
        except (ApiError, NotAnId):
            return None

    user = read(Users.get, user_id)
    account_id = user.account_id if user else ""
    account, plans = read(Accounts.get, account_id), read(Billing.plans, account_id)
    owner = read(Users.get, account.owner_id) if account else None
    name = f"{owner.first_name} {owner.last_name}".strip() if owner else ""
    plan = plans.plan_base.type if plans and plans.plan_base else ""
    email = account.owner_email if account else ""
    return ServiceAccount(_kept(account_id), _kept(name or email), _kept(plan or ""))


def _kept(text: str) -> str:
    """Returns a text of the service in a form that the database accepts."""
    return text.replace("\0", "").encode(errors="replace").decode().strip()[:_LONGEST]
