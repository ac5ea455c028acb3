"""Tests a base URL and a token before they are saved, and reads their account."""

import re
import time
from dataclasses import dataclass
from typing import Any

from portal.access import metrics
from portal.access.models.connection import address_policy
from portal.access.roles import may
from portal.client import (
    Api,
    ApiError,
    HttpCaller,
    NotAvailable,
    NotIssued,
    RetryPolicy,
    ServerFault,
    Target,
    Throttled,
    TimedOut,
    Tokens,
    Unauthorized,
    Unreachable,
)
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.operation import AnyOperation
from portal.contract.path import NotAnId
from portal.contract.reading import believed
from portal.contract.users import UserQuery, Users
from portal.translation import gettext as _, ngettext, number

_LONGEST = 120
_VERSION = re.compile(r"/v\d+(/|$)")


@dataclass(frozen=True)
class ServiceAccount:
    """Its ID, its owner's name or email, and its base plan; empty where that is not reported."""

    id: str = ""
    owner: str = ""
    plan: str = ""


def account_of(api: Api, role: str, user_id: str) -> ServiceAccount:
    """Returns this person's account, as far as a role may read it.

    The interface reports owners and plans of sub accounts only; more is accepted from services that
    report it.
    """

    def read(operation: AnyOperation, of_id: str) -> Any:
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
    return ServiceAccount(_storable(account_id), _storable(name or email), _storable(plan or ""))


def _storable(text: str) -> str:
    """Returns a text of the service in a form that the database accepts."""
    return text.replace("\0", "").encode(errors="replace").decode().strip()[:_LONGEST]


@dataclass(frozen=True)
class Trial:
    """The service's answer. `where` names the wrong field: `base_url`, `token`, or none. Services
    of today page the list of people by token."""

    people: int | None = None
    account: ServiceAccount | None = None
    milliseconds: int = 0
    problem: str = ""
    where: str | None = None
    error: ApiError | None = None
    is_of_today: bool = False

    @property
    def passed(self) -> bool:
        return not self.problem

    @property
    def words(self) -> str:
        if self.problem:
            return self.problem
        values = {"milliseconds": number(self.milliseconds)}
        if self.people is None:
            return _("The service responded in %(milliseconds)s ms.") % values
        return ngettext(
            "%(count)s person; the service responded in %(milliseconds)s ms.",
            "%(count)s people; the service responded in %(milliseconds)s ms.",
            self.people,
        ) % {"count": number(self.people), **values}


def check_address(base_url: str) -> None:
    """Raises `AddressRefused` for what the text shows; the rest shows when it is called."""
    address_policy().check_url(base_url)


def attempt(target: Target, role: str, tokens: Tokens | None = None) -> Trial:
    """Lists one person, once, and asks which account that is, as far as the role may know it."""
    policy = RetryPolicy(attempts=1)
    api = Api(HttpCaller(lambda: target, policy, on_end=metrics.call_ended, tokens=tokens))
    started = time.monotonic()
    try:
        page = api.users.list(UserQuery(page_size=1))
    except ApiError as error:
        return _failed(error, target.base_url)
    milliseconds = round((time.monotonic() - started) * 1000)
    account = account_of(api, role, page.users[0].id) if page.users else ServiceAccount()
    return Trial(
        believed(page.total_records, page.users),
        account,
        milliseconds,
        is_of_today=page.undeclared("next_page_token") is not None,
    )


def not_issued(failure: NotIssued) -> Trial:
    """Returns the trial of a connection without a token."""
    if failure.reason == "refused":
        problem = _("The token URL refused these credentials: %(message)s")
        return Trial(problem=problem % {"message": failure.message}, where="token")
    problem = _("The token URL cannot be used: %(message)s")
    return Trial(problem=problem % {"message": failure.message}, where="token_url")


def allow_hint() -> str:
    """Returns what lets an address be used that is internal or without https."""
    return _("Whoever runs Switchboard can allow the host by ALLOWED_API_HOSTS.")


def _failed(error: ApiError, base_url: str) -> Trial:
    where: str | None
    match error:
        case _no_token if error.is_sign_in:
            problem, where = "%(message)s", "token"
        case Unauthorized(is_of_token=False) | NotAvailable(lack="permission" | "plan"):
            problem, where = _("The service does not allow this: %(message)s"), "token"
        case Unauthorized():
            problem = _("The service does not accept this token: %(message)s")
            expired = _("It may have expired, or been replaced.")
            problem, where = f"{problem} {expired}", "token"
        case Unreachable(reason="address"):
            problem, where = f"%(message)s {allow_hint()}", "base_url"
        case NotAvailable(lack="scope"):
            problem, where = _("This token lacks a scope: %(message)s"), "token"
        case Unreachable() | TimedOut():
            problem, where = _("The service cannot be reached: %(message)s"), "base_url"
        case Throttled():
            problem, where = _("The service is busy. Try again later."), None
        case ServerFault():
            problem, where = _("The service failed (HTTP %(status)s). Try again later."), None
            problem = f"{problem} %(message)s" if error.is_quoted else problem
        case _other if error.status and error.status != 200:
            problem = _("No conferencing service found at this address: HTTP %(status)s.")
            problem, where = f"{problem}{_version_hint(base_url)}", "base_url"
        case _other:
            problem, where = _("No conferencing service found at this address."), "base_url"
    values = {"message": error.message, "status": error.status, "url": f"{base_url}/v2"}
    return Trial(problem=problem % values, where=where, error=error)


def _version_hint(base_url: str) -> str:
    """Returns a sentence about a base URL without the version that services end it with."""
    if _VERSION.search(base_url):
        return ""
    return " " + _("Base URLs mostly end in a version: %(url)s.")
