"""People to whom a mail about a whole connection may go."""

from typing import Any

from django.db.models import Q, QuerySet

from portal.access.can import Can
from portal.access.grants import scope_of
from portal.access.models import Connection, User
from portal.contract.operation import Operation


def recipients_of(connection: Connection, operation: Operation[Any, Any]) -> QuerySet[User]:
    """Returns the owner and the colleagues who see all that this operation returns, while their
    accounts are active."""
    shared = Q(pk__in=connection.shares.values("user"))
    people = User.objects.filter(Q(pk=connection.owner_id) | shared, is_active=True)
    scopes = [scope_of(person, connection) for person in people]
    seeing = [one.user for one in scopes if not one.is_limited and Can(one).call(operation)]
    return people.filter(pk__in=[person.pk for person in seeing if person]).order_by("email")
