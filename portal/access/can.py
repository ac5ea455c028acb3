"""Permission checks for templates, and the people who may get a mail about a whole connection.

`{% if can.users.update %}` before a button is offered.
"""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from portal.access.grants import scope_of
from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.contract import FAMILIES
from portal.contract.operation import Effect, Family, Operation

_FAMILIES: dict[str, type[Family]] = {family.name: family for family in FAMILIES}


class NoSuchOperation(Exception):
    """A template asks for an operation that the interface does not have."""


class Can:
    """The operations that somebody may call over a connection, by family and name.

    Without a scope there are none.
    """

    def __init__(self, scope: Scope | None) -> None:
        self._scope = scope

    def __getattr__(self, family: str) -> "CanFamily":
        if family.startswith("_"):
            raise AttributeError(family)
        if family not in _FAMILIES:
            raise NoSuchOperation(family)
        return CanFamily(self, _FAMILIES[family])

    def call(self, operation: Operation[Any, Any]) -> bool:
        if self._scope is None:
            return False
        if self._scope.connection.read_only and operation.effect is not Effect.READ:
            return False
        return self._scope.may(operation)


class CanFamily:
    def __init__(self, can: Can, family: type[Family]) -> None:
        self._can = can
        self._family = family

    def __getattr__(self, name: str) -> bool:
        operation = vars(self._family).get(name)
        if not isinstance(operation, Operation):
            raise NoSuchOperation(f"{self._family.name}.{name}")
        return self._can.call(operation)


def can(request: HttpRequest) -> dict[str, Can]:
    """The context processor."""
    return {"can": Can(getattr(request, "scope", None))}


def recipients_of(connection: Connection, operation: Operation[Any, Any]) -> QuerySet[User]:
    """Returns the owner and the colleagues who see all that this operation returns, while their
    accounts are active."""
    shared = Q(pk__in=connection.shares.values("user"))
    people = User.objects.filter(Q(pk=connection.owner_id) | shared, is_active=True)
    scopes = [scope_of(person, connection) for person in people]
    seeing = [one.user for one in scopes if not one.is_limited and Can(one).call(operation)]
    return people.filter(pk__in=[person.pk for person in seeing if person]).order_by("email")
