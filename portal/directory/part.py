"""The part of the people that a connection is limited to, as the mirror knows them.

Who is in none of its departments and groups by the last read is outside; so is whoever the mirror
does not know. Without a part nothing is narrowed.
"""

from collections.abc import Collection, Iterable
from typing import TypeVar

from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Lower

from portal.access.models import Connection
from portal.directory.models import GroupKind, Membership, MirroredGroup, MirroredUser

M = TypeVar("M", bound=Model)
_BATCH = 500


def people(connection: Connection) -> QuerySet[MirroredUser]:
    """Everybody within the part; everybody on the account where there is none."""
    found = MirroredUser.objects.filter(connection=connection)
    part = connection.part
    if part is None:
        return found
    within = Q()
    if part.departments:
        within |= Q(dept__in=part.departments)
    if part.groups:
        members = Membership.objects.filter(
            connection=connection, kind=GroupKind.GROUP, group_id__in=part.groups
        )
        within |= Q(pk__in=members.values("user"))
    return found.filter(within)


def groups(connection: Connection) -> QuerySet[MirroredGroup]:
    """The groups of the part, and those that its people are in."""
    found = MirroredGroup.objects.filter(connection=connection)
    part = connection.part
    if part is None:
        return found
    joined = Membership.objects.filter(connection=connection, user__in=people(connection))
    of_kind = {
        kind: Q(kind=kind, group_id__in=joined.filter(kind=kind).values("group_id"))
        for kind in GroupKind
    }
    own = Q(kind=GroupKind.GROUP, group_id__in=part.groups)
    return found.filter(own | of_kind[GroupKind.GROUP] | of_kind[GroupKind.IM_GROUP])


def of_people(connection: Connection, rows: QuerySet[M], field: str = "host_id") -> QuerySet[M]:
    """Those of some rows whose `field` is the id of somebody within the part."""
    if connection.part is None:
        return rows
    return rows.filter(**{f"{field}__in": people(connection).values("user_id")})


def known(connection: Connection, names: Iterable[str]) -> set[str]:
    """Those of some ids and emails that name somebody within; emails are as they were given."""
    given = {name for name in names if name and "\0" not in name}
    found: set[str] = set()
    wanted = sorted(given)
    rows = people(connection)
    for start in range(0, len(wanted), _BATCH):
        some = wanted[start : start + _BATCH]
        found.update(rows.filter(user_id__in=some).values_list("user_id", flat=True))
        emails: dict[str, list[str]] = {}
        for name in some:
            if "@" in name:
                emails.setdefault(name.lower(), []).append(name)
        lower = rows.annotate(lower=Lower("email")).filter(lower__in=list(emails))
        for email in lower.values_list("lower", flat=True):
            found.update(emails.get(email, ()))
    return found


def is_within(connection: Connection, name: str) -> bool:
    """Whether this id or email is of somebody within the part."""
    return connection.part is None or bool(known(connection, [name]))


def outsiders(connection: Connection, names: Collection[str]) -> list[str]:
    """Those of some ids and emails that name nobody within, in their order."""
    inside = known(connection, names)
    return [name for name in names if name not in inside]
