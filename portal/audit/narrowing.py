"""Since when a limited user's own work holds nothing that their limits keep from them.

Limits are asked for when something is shown. What users themselves did before they were limited, or
limited more, can name whom they see no longer: their jobs, entries and uploads from before that are
not shown. The trail says when that was, whichever release did it.
"""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Max

from portal.access.models import CustomRole, Share, User
from portal.access.roles import is_custom, keys_of
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.models import AuditEntry

_LIMITS = ("families", "departments", "groups")


def shown_since(scope: Scope) -> datetime | None:
    """Returns from when on a scope shows its user's own work; None if it shows all of it."""
    if scope.user is None or not scope.is_limited:
        return None
    key = scope.connection.key
    times = [narrowed_at(scope.user, [key]).get(key), *_narrowed_by_role(scope.user, scope.role)]
    return max((time for time in times if time is not None), default=None)


def narrowed_at(user: User, keys: Collection[str]) -> dict[str, datetime]:
    """Returns when the user's share of each of these connections was last given, or limited more,
    by the connection's key."""
    shares = Share.objects.filter(user=user, connection__key__in=keys).order_by()
    result = dict(shares.values_list("connection__key").annotate(Max("created_at")))
    emails = set(_emails_of(user))
    entries = AuditEntry.objects.filter(
        connection_key__in=keys,
        family=Act.CONNECTION_SHARED.family,
        operation__in=[Act.CONNECTION_SHARED.value, Act.SHARE_CHANGED.value],
    )
    for entry in entries.order_by("sequence"):
        if (entry.sent or {}).get("colleague") in emails and _is_narrowing(entry):
            earlier = result.get(entry.connection_key, entry.time)
            result[entry.connection_key] = max(entry.time, earlier)
    return result


def _narrowed_by_role(user: User, role: str) -> Iterator[datetime | None]:
    """Yields when something was last taken from the defined roles that a role comes from, and when
    the user was given theirs."""
    if not is_custom(role):
        return
    yield from (
        CustomRole.objects.filter(key__in=keys_of(role)).values_list("narrowed_at", flat=True)
    )
    if is_custom(user.role):
        given = AuditEntry.objects.filter(
            connection_key="",
            family=Act.MEMBER_ROLE.family,
            object_id=str(user.pk),
            operation=Act.MEMBER_ROLE.value,
        )
        yield given.aggregate(last=Max("time"))["last"]


def _emails_of(user: User) -> Iterator[str]:
    """Yields all addresses that the account has had."""
    yield user.email
    changes = AuditEntry.objects.filter(
        connection_key="",
        family=Act.EMAIL_CHANGED.family,
        object_id=str(user.pk),
        operation=Act.EMAIL_CHANGED.value,
    )
    for entry in changes:
        yield from (str((each or {}).get("email")) for each in (entry.before, entry.sent))


def _is_narrowing(entry: AuditEntry) -> bool:
    """Returns whether the entry gives a share, or takes something from one."""
    if entry.operation == Act.CONNECTION_SHARED:
        return True
    before, sent = entry.before or {}, entry.sent or {}
    if is_custom(str(sent.get("role") or "")):
        return True
    pairs = ((set(before.get(name) or ()), set(sent.get(name) or ())) for name in _LIMITS)
    return any(new and not (old and old <= new) for old, new in pairs)
