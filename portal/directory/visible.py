"""People and groups that a scope shows, as the mirror knows them.

Who is in none of its departments and groups by the last read is outside; so is whoever the mirror
does not know. What is not narrow shows everybody.
"""

from collections.abc import Collection, Iterable
from typing import TypeVar

from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower

from portal.access.scope import Scope
from portal.directory.models import GroupKind, Membership, MirroredGroup, MirroredUser

M = TypeVar("M", bound=Model)
_BATCH = 500


def visible_people(scope: Scope) -> QuerySet[MirroredUser]:
    """Everybody whom the scope shows."""
    people = MirroredUser.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return people
    within = Q(pk__in=())  # nobody
    if scope.departments:
        within |= Q(dept__in=scope.departments)
    if scope.groups:
        members = Membership.objects.filter(
            connection=scope.connection, kind=GroupKind.GROUP, group_id__in=scope.groups
        )
        within |= Q(pk__in=members.values("user"))
    return people.filter(within)


def visible_groups(scope: Scope) -> QuerySet[MirroredGroup]:
    """The groups of the part, and those that its people are in."""
    groups = MirroredGroup.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return groups
    joined = Membership.objects.filter(connection=scope.connection, user__in=visible_people(scope))
    of_kind = {
        kind: Q(kind=kind, group_id__in=joined.filter(kind=kind).values("group_id"))
        for kind in GroupKind
    }
    own = Q(kind=GroupKind.GROUP, group_id__in=scope.groups)
    return groups.filter(own | of_kind[GroupKind.GROUP] | of_kind[GroupKind.IM_GROUP])


def visible_members(scope: Scope) -> Coalesce:
    """Of a query for groups, how many of their members the scope shows."""
    members = Membership.objects.filter(
        connection=scope.connection,
        kind=OuterRef("kind"),
        group_id=OuterRef("group_id"),
        user__in=visible_people(scope),
    )
    counted = members.order_by().values("group_id").annotate(count=Count("pk"))
    return Coalesce(Subquery(counted.values("count")), 0)


def of_visible_people(scope: Scope, rows: QuerySet[M], field: str = "host_id") -> QuerySet[M]:
    """Those of some rows whose `field` is the id of somebody within the part."""
    if not scope.is_narrow:
        return rows
    return rows.filter(**{f"{field}__in": visible_people(scope).values("user_id")})


def names_within(scope: Scope, names: Iterable[str]) -> set[str]:
    """Those of some ids and emails that name somebody within; emails are as they were given."""
    given = {name for name in names if name and "\0" not in name}
    inside: set[str] = set()
    wanted = sorted(given)
    rows = visible_people(scope)
    for start in range(0, len(wanted), _BATCH):
        some = wanted[start : start + _BATCH]
        inside.update(rows.filter(user_id__in=some).values_list("user_id", flat=True))
        emails: dict[str, list[str]] = {}
        for name in some:
            if "@" in name:
                emails.setdefault(name.lower(), []).append(name)
        lower = rows.annotate(lower=Lower("email")).filter(lower__in=list(emails))
        for email in lower.values_list("lower", flat=True):
            inside.update(emails.get(email, ()))
    return inside


def is_within(scope: Scope, name: str) -> bool:
    """Returns whether this id or email is of a person within the scope."""
    return not scope.is_narrow or bool(names_within(scope, [name]))


def outsiders(scope: Scope, names: Collection[str]) -> list[str]:
    """Those of some ids and emails that name nobody within, in their order."""
    inside = names_within(scope, names)
    return [name for name in names if name not in inside]
