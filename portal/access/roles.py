"""Rights of each role, as data: by the family and the effect of an operation.

A family that is not named here is refused to every role.

A role is a string. Beside the four of `Role` there are those that administrators define, each by
its key such as `custom-k3v9x2ma`, whose rights are stored. `resolved` adds these to the key, as in
`custom-k3v9x2ma=meetings:read;users:read,write`: what both of two roles may, where that is neither
of them, is such a string too. It stays as it is when the role is changed afterwards. A key that
nothing is stored for, and any other string, may do nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Literal

from django.core.exceptions import PermissionDenied
from django.db import models

from portal.contract.operation import AnyOperation, Effect
from portal.translation import gettext_lazy

Reason = Literal["role", "read_only", "limit"]
# Pairs of a family and an effect.
Rights = frozenset[tuple[str, Effect]]
CUSTOM = "custom-"  # untranslated: what the keys of defined roles begin with


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

# What a defined role can have of each family. What is for administrators alone, or needs a reason
# at each look, is in none.
DEFINABLE: dict[str, tuple[Effect, ...]] = {
    family: (Effect.READ,) if least is _ALL_OF_THE_ACCOUNT else tuple(least)
    for family, least in LEAST_ROLE.items()
    if least[Effect.READ] is Role.VIEWER
}


class RoleRefused(PermissionDenied):
    """An operation that this person may not call, or not over this connection.

    `reason` is `role`, `read_only` for a connection that only reads, or `limit` for what is outside
    of the limits of a share.
    """

    def __init__(self, operation: AnyOperation, reason: Reason) -> None:
        super().__init__(operation.name, reason)
        self.operation = operation
        self.reason = reason


def is_custom(role: str) -> bool:
    """Returns whether the role is, or comes from, one that an administrator defined."""
    return role.startswith(CUSTOM)


def may(role: str, operation: AnyOperation) -> bool:
    """Returns whether the role is enough for the operation."""
    return (operation.family, operation.effect) in rights_of(role)


def covers(role: str, other: str) -> bool:
    """Returns whether a role may do all that another may; never of one that is no role."""
    rights = rights_of(other)
    return bool(rights) and rights_of(role) >= rights


def lesser(one: str, other: str) -> str:
    """The role that may do what both may; empty where there is nothing that both may.

    What a compliance reviewer and an operator both may is what a viewer may.
    """
    if covers(other, one):
        return resolved(one)
    if covers(one, other):
        return resolved(other)
    both = rights_of(one) & rights_of(other)
    if not both:
        return ""
    names = {*keys_of(one), *keys_of(other)}
    if not any(map(is_custom, names)):
        return next((role.value for role in Role if rights_of(role) == both), "")
    return _written(sorted(names, key=lambda name: (not is_custom(name), name)), both)


def keys_of(role: str) -> list[str]:
    """Returns the roles that a resolved one comes from: several, where it is what all of them
    may."""
    return [key for key in role.partition("=")[0].split("&") if key]


def least_like(role: str) -> Role:
    """Returns the built-in role whose users need a second factor if those of this role do: by the
    gravest effect that it may have."""
    if role in Role.values:
        return Role(role)
    effects = {effect for _family, effect in rights_of(role)}
    if Effect.DESTRUCTIVE in effects or not effects:
        return Role.ADMINISTRATOR
    return Role.OPERATOR if Effect.WRITE in effects else Role.VIEWER


def read_families(role: str) -> frozenset[str]:
    """Returns the families that the role may read."""
    return frozenset(family for family, effect in rights_of(role) if effect is Effect.READ)


def rights_of(role: str) -> Rights:
    return _parsed(resolved(role), len(LEAST_ROLE))


def resolved(role: str) -> str:
    """Returns the role with the rights that are stored for it now; empty for what is no role."""
    if not is_custom(role):
        return role if role in Role.values else ""
    if "=" in role:
        return role
    if (read := _readers.get("custom")) is None:
        return ""
    memory = _memory.get()
    if memory is None:
        return _of_stored(role, read(role))
    if role not in memory:
        memory[role] = _of_stored(role, read(role))
    return memory[role]


@contextmanager
def read_once() -> Iterator[None]:
    """Reads the rights of each defined role once within it."""
    if _memory.get() is not None:
        yield
        return
    token = _memory.set({})
    try:
        yield
    finally:
        _memory.reset(token)


def read_rights_by(read: "ReadRights") -> None:
    """Has this return the stored rights of a defined role by its key: effects by families; None
    for one that does not exist."""
    _readers["custom"] = read


def with_rights(key: str, grants: dict[str, list[str]]) -> str:
    """Returns the role of this key as `resolved` would if these rights were stored for it; empty
    without any."""
    return _of_stored(key, grants)


ReadRights = Callable[[str], dict[str, list[str]] | None]
_readers: dict[str, ReadRights] = {}
_memory: ContextVar[dict[str, str] | None] = ContextVar("roles", default=None)


def _of_stored(key: str, grants: dict[str, list[str]] | None) -> str:
    rights = frozenset(
        (family, effect)
        for family, effects in (grants or {}).items()
        for effect in DEFINABLE.get(family, ())
        if effect.value in effects
    )
    return _written([key], rights) if rights else ""


def _written(names: list[str], rights: Rights) -> str:
    effects: dict[str, list[str]] = {}
    for family, effect in sorted(rights):
        effects.setdefault(family, []).append(effect.value)
    each = (f"{family}:{','.join(allowed)}" for family, allowed in effects.items())
    return f"{'&'.join(names)}={';'.join(each)}"


@lru_cache(maxsize=1024)
def _parsed(role: str, _families: int) -> Rights:
    """Returns the rights of a resolved role, anew once an app has added families. Those that no
    defined role can have are left out."""
    if role in Role.values:
        return frozenset(
            (family, effect)
            for family, least in LEAST_ROLE.items()
            for effect in least
            if _RANK[Role(role)] >= _RANK[least[effect]]
            or (effect is Effect.READ and family in _ALSO_READS.get(Role(role), ()))
        )
    each = (one.partition(":") for one in role.partition("=")[2].split(";"))
    return frozenset(
        (family, effect)
        for family, _colon, effects in each
        for effect in DEFINABLE.get(family, ())
        if effect.value in effects.split(",")
    )
