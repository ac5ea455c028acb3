"""Scopes for tests that call functions of the portal themselves."""

from portal.access.models import Connection
from portal.access.roles import Role
from portal.access.scope import UNLIMITED, Scope


def whole(connection: Connection) -> Scope:
    """All of the account, for nobody in particular."""
    return Scope.whole(connection, "a test looks at all of it")


def narrow(
    connection: Connection,
    *,
    departments: frozenset[str] = frozenset(),
    groups: frozenset[str] = frozenset(),
) -> Scope:
    """The scope of somebody who sees these departments and groups alone."""
    role = Role.ADMINISTRATOR
    return Scope(connection.owner, connection, role, UNLIMITED, departments, groups)
