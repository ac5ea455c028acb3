"""Since when a limited user's own work holds nothing that their limits keep from them.

Limits are asked for when something is shown. What users themselves did before they were limited, or
limited more, can name whom they see no longer: their jobs, entries and uploads from before that are
not shown. So can what they did by a greater role for some hours, where theirs is a defined one. The
trail says when all that was, whichever release did it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Max

from portal.access.models import Connection, CustomRole, Share, User
from portal.access.roles import is_custom
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.config import clock

_LIMITS = ("families", "departments", "groups")
_ENDS_OF_ELEVATION = (
    Act.ELEVATION_TAKEN_BACK,
    Act.SHARE_TAKEN_BACK,
    Act.SHARE_LEFT,
    Act.SHARE_ENDED,
)
_ACTS = (Act.CONNECTION_SHARED, Act.SHARE_CHANGED, Act.ELEVATION_APPROVED, *_ENDS_OF_ELEVATION)


def shown_since(scope: Scope) -> datetime | None:
    """Returns from when on a scope shows its user's own work; None if it shows all of it."""
    if scope.user is None or not scope.is_limited:
        return None
    key = scope.connection.key
    return narrowed_at(scope.user, [key]).get(key)


def narrowed_at(user: User, keys: Collection[str]) -> dict[str, datetime]:
    """Returns when the user's rights over each of these connections were last given, or limited
    more, by the connection's key: by the share, by a defined role, or as an elevation from one
    ended."""
    times, roles = defaultdict[str, list[datetime]](list), defaultdict[str, set[str]](set)
    shares = Share.objects.filter(user=user, connection__key__in=keys)
    for key, role, given in shares.values_list("connection__key", "role", "created_at"):
        times[key].append(given)
        roles[key].add(role)
    elevated_until = dict[str, datetime]()
    for entry in _changes_of_access(user, keys):
        key, sent = entry.connection_key, entry.sent or {}
        if entry.operation == Act.ELEVATION_APPROVED:
            elevated_until[key] = datetime.fromisoformat(str(sent["until"]))
        elif entry.operation in _ENDS_OF_ELEVATION:
            if key in elevated_until:
                elevated_until[key] = min(elevated_until[key], entry.time)
        elif _is_narrowing(entry):
            times[key].append(entry.time)
            roles[key].add(str(sent.get("role") or ""))
    for key, until in elevated_until.items():
        if until <= clock.now() and any(map(is_custom, (user.role, *roles[key]))):
            times[key].append(until)
    connections = Connection.objects.filter(key__in=keys).select_related("owner")
    owners = {one.key: one.owner for one in connections}
    for key in keys:
        times[key] += _narrowed_by_roles({user, owners.get(key, user)}, roles[key])
    return {key: max(moments) for key, moments in times.items() if moments}


def _changes_of_access(user: User, keys: Collection[str]) -> Iterator[AuditEntry]:
    """Yields what changed the user's access to these connections, the oldest first."""
    emails = set(_emails_of(user))
    entries = AuditEntry.objects.filter(
        connection_key__in=keys,
        family=Act.CONNECTION_SHARED.family,
        operation__in=[act.value for act in _ACTS],
    )
    for entry in entries.order_by("sequence"):
        if (entry.sent or {}).get("colleague") in emails:
            yield entry


def _narrowed_by_roles(people: Collection[User], roles: Collection[str]) -> Iterator[datetime]:
    """Yields when something was last taken from these roles and those of people, and when people
    were given theirs, as far as administrators defined them."""
    limited = [one for one in people if is_custom(one.role)]
    names = {*(one.role for one in limited), *filter(is_custom, roles)}
    if not names:
        return
    narrowed = CustomRole.objects.filter(key__in=names).values_list("narrowed_at", flat=True)
    yield from (moment for moment in narrowed if moment is not None)
    given = AuditEntry.objects.filter(
        connection_key="",
        family=Act.MEMBER_ROLE.family,
        object_id__in=[str(one.pk) for one in limited],
        operation=Act.MEMBER_ROLE.value,
    )
    if last := given.aggregate(last=Max("time"))["last"]:
        yield last


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
