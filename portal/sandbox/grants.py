"""Scopes of tokens and the plan of the account, in the profile `current`."""

from typing import Any

from portal.contract import operations
from portal.contract.operation import Operation
from portal.sandbox.errors import NotInThePlan, ScopeMissing
from portal.sandbox.options import Options

# The resource that a family's scopes are named by, where that is not the family itself.
_RESOURCES = {
    "accounts": "account",
    "billing": "account",
    "groups": "group",
    "im_groups": "group",
    "devices": "device",
    "telephony_provider": "tsp",
    "tracking_fields": "tracking_field",
    "webhooks": "webhook",
    "users": "user",
    "assistants": "user",
    "schedulers": "user",
    "tsp_accounts": "tsp",
    "pac_accounts": "pac",
    "meetings": "meeting",
    "meeting_polls": "meeting",
    "meeting_registrants": "meeting",
    "past_meetings": "meeting",
    "webinars": "webinar",
    "webinar_polls": "webinar",
    "webinar_registrants": "webinar",
    "panelists": "webinar",
    "past_webinars": "webinar",
    "recordings": "recording",
    "metrics": "dashboard",
    "reports": "report",
    "chat": "imchat",
}


def scope_of(operation: Operation[Any, Any]) -> str:
    """Returns the scope that an operation needs, such as `webinar:read:admin`."""
    act = "read" if operation.method == "GET" else "write"
    return f"{_RESOURCES[operation.family]}:{act}:admin"


def scopes(options: Options) -> list[str]:
    """Returns the scopes that issued tokens have."""
    return sorted({scope_of(each) for each in operations()} - set(options.without_scopes))


def check(operation: Operation[Any, Any], options: Options) -> None:
    """Raises `ScopeMissing`, or `NotInThePlan`, which has the status of a success."""
    scope = scope_of(operation)
    if scope in options.without_scopes:
        raise ScopeMissing(scope)
    if operation.family in options.without_plans:
        raise NotInThePlan
