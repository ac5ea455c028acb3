"""Shares that are limited to families of operations, or to a part of the people."""

from collections.abc import Collection

from portal.access.models import Connection, Share, User
from portal.access.roles import Role


def share_with(
    connection: Connection,
    user: User,
    role: str = Role.ADMINISTRATOR,
    *,
    families: Collection[str] = (),
    departments: Collection[str] = (),
    groups: Collection[str] = (),
) -> Share:
    """Shares the connection with this person, as far as that goes."""
    return Share.objects.create(
        connection=connection,
        user=user,
        role=role,
        families=list(families),
        departments=list(departments),
        groups=list(groups),
        created_by=connection.owner,
    )
