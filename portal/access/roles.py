"""What each role may do, as data: by the family and the effect of an operation.

A family that is not named here is refused to everybody.
"""

from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.db import models

from portal.contract.operation import Effect, Operation


class Role(models.TextChoices):
    """The roles of portal accounts, each of which may do what those before may.

    Compliance reviewers stand beside that order: they are viewers who may read the chat archive.
    """

    VIEWER = "viewer", "Viewer"
    COMPLIANCE = "compliance", "Compliance reviewer"
    OPERATOR = "operator", "Operator"
    ADMINISTRATOR = "administrator", "Administrator"


EXPLANATIONS = {
    Role.VIEWER: "Can view everything and change nothing.",
    Role.COMPLIANCE: "A viewer who can also read the chat archive, with a reason.",
    Role.OPERATOR: "A viewer who can also create and edit, but not delete permanently.",
    Role.ADMINISTRATOR: (
        "Can do everything: also delete, manage the team, and view the chat archive and the full "
        "audit trail."
    ),
}

_READ_ONLY = {Effect.READ: Role.VIEWER}
_USUAL = {
    Effect.READ: Role.VIEWER,
    Effect.WRITE: Role.OPERATOR,
    Effect.DESTRUCTIVE: Role.ADMINISTRATOR,
}

_ALL_OF_THE_ACCOUNT = {
    Effect.READ: Role.VIEWER,
    Effect.WRITE: Role.ADMINISTRATOR,
    Effect.DESTRUCTIVE: Role.ADMINISTRATOR,
}
_ADMINISTRATORS = dict.fromkeys(Effect, Role.ADMINISTRATOR)

# The least role for a family's operations of each effect.
LEAST_ROLE: dict[str, dict[Effect, Role]] = {
    "users": _USUAL,
    "assistants": _USUAL,
    "schedulers": _USUAL,
    "tsp_accounts": _USUAL,
    "pac_accounts": _USUAL,
    "groups": _USUAL,
    "im_groups": _USUAL,
    "devices": _USUAL,
    "meetings": _USUAL,
    "meeting_polls": _USUAL,
    "meeting_registrants": _USUAL,
    "past_meetings": _READ_ONLY,
    "webinars": _USUAL,
    "webinar_polls": _USUAL,
    "webinar_registrants": _USUAL,
    "panelists": _USUAL,
    "past_webinars": _READ_ONLY,
    "recordings": _USUAL,
    "metrics": _READ_ONLY,
    "reports": _READ_ONLY,
    # What all of the account feels is changed by administrators alone.
    "tracking_fields": _ALL_OF_THE_ACCOUNT,
    "telephony_provider": _ALL_OF_THE_ACCOUNT,
    # What costs money, and what shows others' secrets or conversations.
    "accounts": _ADMINISTRATORS,
    "billing": _ADMINISTRATORS,
    "webhooks": _ADMINISTRATORS,
    "chat": _ADMINISTRATORS,
}

# Families that a role may read although others of its rank may not.
_ALSO_READS = {Role.COMPLIANCE: {"chat"}}

_RANK = {Role.VIEWER: 0, Role.COMPLIANCE: 0, Role.OPERATOR: 1, Role.ADMINISTRATOR: 2}


class Refused(PermissionDenied):
    """An operation that this person may not call, or not over this connection.

    `reason` is `role`, or `read_only` for a connection that only reads.
    """

    def __init__(
        self, operation: Operation[Any, Any], reason: Literal["role", "read_only"]
    ) -> None:
        super().__init__(operation.name, reason)
        self.operation = operation
        self.reason = reason


def may(role: str, operation: Operation[Any, Any]) -> bool:
    """Whether the role is enough for the operation."""
    least = LEAST_ROLE.get(operation.family, {}).get(operation.effect)
    if least is None or role not in Role.values:
        return False
    also = operation.effect is Effect.READ and operation.family in _ALSO_READS.get(Role(role), ())
    return also or _RANK[Role(role)] >= _RANK[least]
