"""Addresses of a sub account's invoices, and its subscriptions (spec 2.4 and 4.1)."""

import re
from datetime import timedelta
from typing import Any

from portal.contract.billing import (
    AccountPlanBaseRequired,
    AccountPlanRequired,
    AccountPlans,
    AccountSubscription,
    Billing,
    BillingContact,
)
from portal.contract.model import Model
from portal.sandbox.clock import now
from portal.sandbox.errors import InvalidInput, invalid
from portal.sandbox.families.accounts import account_called
from portal.sandbox.http import Created, location
from portal.sandbox.models import SubAccount
from portal.sandbox.serving import serves

_LISTED = {"large": "plan_large_meeting", "webinar": "plan_webinar"}
_SINGLE = {
    "roomconnector": "plan_room_connector",
    "room_connector": "plan_room_connector",
    "confroom": "plan_conf_rooms",
    "conf_room": "plan_conf_rooms",
    "room": "plan_conf_rooms",
}
_RECORDING = ("cmr", "recording")


@serves(Billing.contact)
def billing_contact(account_id: str) -> BillingContact:
    return BillingContact(**account_called(account_id).contact)


@serves(Billing.update_contact)
def update_billing_contact(account_id: str, body: BillingContact) -> None:
    account = account_called(account_id)
    account.contact = {**account.contact, **_sent(body)}
    account.save()


@serves(Billing.plans)
def plans(account_id: str) -> AccountPlans:
    return AccountPlans(**account_called(account_id).plans)


@serves(Billing.subscribe)
def subscribe(account_id: str, body: AccountSubscription) -> Created:
    """Subscribes an account without plans; an account with plans changes them instead."""
    account = account_called(account_id)
    if account.plans:
        raise invalid("body", "This account is subscribed already; change its plans instead.")
    account.contact = _sent(body.contact)
    account.plans = _sent(body, without={"contact"})
    _begin(account)
    account.save()
    return Created(location(Billing.plans, account.id), AccountPlans(**account.plans))


@serves(Billing.add_plan)
def add_plan(account_id: str, body: AccountPlanRequired) -> None:
    account = account_called(account_id)
    _put(account, body, is_new=True)
    account.save()


@serves(Billing.update_plan)
def update_plan(account_id: str, body: AccountPlanRequired) -> None:
    account = account_called(account_id)
    _put(account, body, is_new=False)
    account.save()


@serves(Billing.update_base_plan)
def update_base_plan(account_id: str, body: AccountPlanBaseRequired) -> None:
    account = account_called(account_id)
    account.plans = {**account.plans, "plan_base": _sent(body)}
    _begin(account)
    account.save()


def _begin(account: SubAccount) -> None:
    """Sets the end of a subscription: 365 days, or 30 if the name of the base plan contains
    monthly."""
    base = account.plans.get("plan_base")
    if base and account.subscribed_from is None:
        account.subscribed_from = now().replace(microsecond=0)
        days = 30 if "month" in base["type"].lower() else 365
        account.subscribed_until = account.subscribed_from + timedelta(days=days)


def _put(account: SubAccount, plan: AccountPlanRequired, *, is_new: bool) -> None:
    """Adds or changes an add-on, whose kind its name determines."""
    name = plan.type.lower()
    plans = dict(account.plans)
    if kind := _kind(_LISTED, name):
        held: list[dict[str, Any]] = plans.get(kind) or []
        others = [each for each in held if str(each.get("type")).lower() != name]
        _check(is_new, has_it=len(others) < len(held))
        plans[kind] = [*others, _sent(plan)]
    elif kind := _kind(_SINGLE, name):
        _check(is_new, has_it=kind in plans)
        plans[kind] = _sent(plan)
    elif name.startswith(_RECORDING):
        _check(is_new, has_it="plan_recording" in plans)
        plans["plan_recording"] = plan.type
    elif "audio" in name:
        _check(is_new, has_it="plan_audio" in plans)
        plans["plan_audio"] = {**(plans.get("plan_audio") or {}), "type": plan.type}
    else:
        raise _refused("Name a plan for large meetings, webinars, rooms, recording or audio.")
    account.plans = plans


def _kind(kinds: dict[str, str], name: str) -> str:
    plain = re.sub("[^a-z_]", "", name)
    return next((kind for start, kind in kinds.items() if plain.startswith(start)), "")


def _check(is_new: bool, *, has_it: bool) -> None:
    if is_new and has_it:
        raise _refused("The account has this add-on already; change it instead.")
    if not is_new and not has_it:
        raise _refused("The account does not have this add-on.")


def _refused(message: str) -> InvalidInput:
    return invalid("type", message)


def _sent(body: Model, without: set[str] | None = None) -> dict[str, Any]:
    return body.model_dump(mode="json", exclude=without, exclude_unset=True, exclude_none=True)
