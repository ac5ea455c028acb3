"""Scopes for tests that call functions of the portal themselves."""

from portal.access.models import Connection
from portal.access.roles import Role
from portal.access.scope import UNLIMITED, Scope


def whole(connection: Connection) -> Scope:
    """The whole of the account, for no particular user."""
    return Scope.whole(connection, "a test looks at all of it")


def narrow(
    connection: Connection,
    *,
    departments: frozenset[str] = frozenset(),
    groups: frozenset[str] = frozenset(),
) -> Scope:
    """The scope of a user who sees these departments and groups alone."""
    role = Role.ADMINISTRATOR
    return Scope(connection.owner, connection, role, UNLIMITED, departments, groups)
