"""Checks that the people named by rows can host, by the list of people and the service."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db.models import Q
from django.db.models.functions import Lower

from portal.access.scope import Scope
from portal.contract.users import UserStatus
from portal.directory import users as directory
from portal.directory.users import UserFilter
from portal.translation import gettext as _

_FIELD = "alternative_hosts"


def named_in(body: dict[str, Any]) -> list[str]:
    """The alternative hosts that a body names."""
    named = str((body.get("settings") or {}).get(_FIELD) or "")
    return [name.strip() for name in named.split(",") if name.strip()]


def who_cannot_host(
    scope: Scope, names: Collection[str], ask: Callable[[Iterable[str]], Iterable[object | None]]
) -> dict[str, str]:
    """By name, in small letters, why somebody cannot host. `ask` gets those of the service whom the
    list of people does not have."""
    wanted = {name.lower() for name in names}
    if not wanted:
        return {}
    rows = directory.find(scope, UserFilter()).annotate(lower=Lower("email"))
    known: dict[str, str] = {}
    found = rows.filter(Q(lower__in=wanted) | Q(user_id__in=list(names)))
    for user_id, email, status in found.values_list("user_id", "lower", "status"):
        known |= {user_id.lower(): status, email: status}
    unknown = sorted(name for name in set(names) if name.lower() not in known)
    problems = {
        name.lower(): _("No user on the account has this email or ID: %(name)s.") % {"name": name}
        for name, user in zip(unknown, ask(unknown), strict=True)
        if user is None
    }
    for name in names:
        if known.get(name.lower()) == UserStatus.INACTIVE:
            problems[name.lower()] = _("%(name)s is deactivated and cannot host.") % {"name": name}
    return problems
