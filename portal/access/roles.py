"""Rights of each role, as data: by the family and the effect of an operation.

A family that is not named here is refused to every role.
"""

from typing import Literal

from django.core.exceptions import PermissionDenied
from django.db import models

from portal.contract.operation import AnyOperation, Effect
from portal.translation import gettext_lazy

Reason = Literal["role", "read_only", "limit"]


class Role(models.TextChoices):
    """The roles of portal accounts, in ascending order of their rights.

    Compliance reviewers stand beside that order: they are viewers who may read the chat archive.
    """

    VIEWER = "viewer", gettext_lazy("Viewer")
    COMPLIANCE = "compliance", gettext_lazy("Compliance reviewer")
    OPERATOR = "operator", gettext_lazy("Operator")
    ADMINISTRATOR = "administrator", gettext_lazy("Administrator")


EXPLANATIONS = {
    Role.VIEWER: gettext_lazy("Can view everything and change nothing."),
    Role.COMPLIANCE: gettext_lazy("A viewer who can also read the chat archive, with a reason."),
    Role.OPERATOR: gettext_lazy(
        "A viewer who can also create and edit, but not delete permanently."
    ),
    Role.ADMINISTRATOR: (
        gettext_lazy(
            "Can do everything: also delete, manage the team, and view the chat archive and the "
            "full audit trail."
        )
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


class RoleRefused(PermissionDenied):
    """An operation that this person may not call, or not over this connection.

    `reason` is `role`, `read_only` for a connection that only reads, or `limit` for what is outside
    of the limits of a share.
    """

    def __init__(self, operation: AnyOperation, reason: Reason) -> None:
        super().__init__(operation.name, reason)
        self.operation = operation
        self.reason = reason


def may(role: str, operation: AnyOperation) -> bool:
    """Returns whether the role is enough for the operation."""
    least = LEAST_ROLE.get(operation.family, {}).get(operation.effect)
    if least is None or role not in Role.values:
        return False
    also = operation.effect is Effect.READ and operation.family in _ALSO_READS.get(Role(role), ())
    return also or _RANK[Role(role)] >= _RANK[least]


def lesser(one: str, other: str) -> str:
    """The role that may do what both may; empty where one of them is no role.

    What a compliance reviewer and an operator both may is what a viewer may.
    """
    if one not in Role.values or other not in Role.values:
        return ""
    if other in (one, Role.ADMINISTRATOR):
        return str(one)
    return str(other) if one == Role.ADMINISTRATOR else str(Role.VIEWER)
