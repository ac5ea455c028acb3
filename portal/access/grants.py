"""What somebody may do over a connection: all of it is asked here, and of nobody's role alone.

The owner has their own role and no limits. A colleague has the least of their own role, that of the
share and the owner's, within the share's limits, and nothing once the share is taken back, or while
its owner or they themselves are deactivated.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from threading import get_ident
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404

from portal.access import parts
from portal.access.models import Connection, Part, Share, User
from portal.access.roles import Role, lesser, may
from portal.client import HeldBack
from portal.contract.operation import Operation
from portal.translation import gettext as _


class AccessEnded(HeldBack, Http404):
    """Access to a connection has ended, or changed, since the work that asks began: nothing was
    sent. To a browser the connection is not there."""

    def __init__(self) -> None:
        super().__init__(_("Access to the connection has ended."))


@dataclass(frozen=True)
class Grant:
    """The rights of a person over a connection; without a person, those of the portal itself.

    An empty set of `families`, `departments` or `groups` (ids) does not limit. `share` is None for
    the owner.
    """

    user: User | None
    connection: Connection
    role: str
    families: frozenset[str] = frozenset()
    departments: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    share: Share | None = None

    @property
    def is_owner(self) -> bool:
        return self.user is not None and self.connection.owner_id == self.user.pk

    @property
    def rights(self) -> tuple[object, ...]:
        """The same for all who may do and see the same over one connection."""
        limits = (self.families, self.departments, self.groups)
        return (self.connection.pk, self.role, *(tuple(sorted(each)) for each in limits))

    @property
    def part(self) -> Part | None:
        """The part of the people that it is limited to, as its `connection` has it too."""
        return self.connection.part

    def may(self, operation: Operation[Any, Any]) -> bool:
        """Whether the role and the limits allow the operation; the connection may only read."""
        return may(self.role, operation) and self.reaches(operation)

    def shows(self, page: str) -> bool:
        """Whether the page of this name, as URLs have it, shows no more than the part."""
        return parts.shows(self.part, page)

    def reaches(self, operation: Operation[Any, Any]) -> bool:
        """Whether the limits allow the operation to those who have the role for it."""
        is_within = not self.families or operation.family in self.families
        return is_within and parts.allows(self.part, operation)


def grant_of(user: User, connection: Connection) -> Grant | None:
    """None for whoever has no access. A connection with its owner read takes one query at most."""
    return next(iter(grants_of(user, [connection])), None)


def grants_of(user: User, connections: Iterable[Connection]) -> list[Grant]:
    """The same for several, in their order and without those that they have no access to: with
    their owners read it takes one query at most, however many there are."""
    if not user.is_active:
        return []
    whole = [connection.whole() for connection in connections]
    others = [connection.pk for connection in whole if connection.owner_id != user.pk]
    found = Share.objects.filter(connection__in=others, user=user) if others else ()
    shares = {share.connection_id: share for share in found}
    granted = (_granted(user, connection, shares.get(connection.pk)) for connection in whole)
    return [grant for grant in granted if grant is not None]


def _granted(user: User, connection: Connection, share: Share | None) -> Grant | None:
    if connection.owner_id == user.pk:
        return Grant(user, connection, user.role)
    if share is None or not connection.owner.is_active:
        return None
    return Grant(
        user,
        _limited(connection, share),
        lesser(lesser(user.role, share.role), connection.owner.role),
        frozenset(share.families),
        frozenset(share.departments),
        frozenset(share.groups),
        share,
    )


def _limited(connection: Connection, share: Share) -> Connection:
    """The connection for whoever has the share: lists that are made by it keep within its part."""
    if not share.departments and not share.groups:
        return connection
    limited = copy(connection)
    departments, groups = frozenset(share.departments), frozenset(share.groups)
    limited.part = Part(departments, groups, holder=share.user_id)
    return limited


def grant_for(user: User, key: str) -> Grant:
    """Raises `Http404` for a connection that this person has no access to, or that is not there."""
    found = connections_of(user).select_related("owner").filter(key=key).first()
    grant = grant_of(user, found) if found else None
    if grant is None:
        raise Http404(_("No connection of yours has this key."))
    return grant


def renewed(grant: Grant) -> Grant | None:
    """The grant as it is stored now; None where it has ended since."""
    found = Connection.objects.select_related("owner").filter(pk=grant.connection.pk).first()
    if found is None:
        return None
    if grant.user is None:
        return reading(found, grant.role)
    user = User.objects.filter(pk=grant.user.pk).first()
    return grant_of(user, found) if user else None


class Watch:
    """Raises `AccessEnded` once a colleague's grant is not as it was, for before each request.

    It asks the database in the thread that made it. Other threads, which leave the database alone,
    go by what that one found last.
    """

    def __init__(self, grant: Grant) -> None:
        self._grant = grant
        self._is_needed = grant.user is not None and not grant.is_owner
        self._thread = get_ident()
        self._has_ended = False

    def __call__(self) -> None:
        if self._is_needed and not self._has_ended and get_ident() == self._thread:
            self._has_ended = renewed(self._grant) != self._grant
        if self._has_ended:
            raise AccessEnded


def reading(connection: Connection, role: str = Role.VIEWER) -> Grant:
    """What the portal itself reads with, for all who share the copies."""
    return Grant(None, connection, role)


def nothing(user: User, connection: Connection) -> Grant:
    """Of whoever has no access: it allows no operation."""
    return Grant(user, connection, "")


def connections_of(user: User) -> QuerySet[Connection]:
    """The person's own connections and those shared with them, by name, in one query."""
    if not user.is_active:
        return Connection.objects.none()
    shared = Share.objects.filter(user=user, connection__owner__is_active=True)
    return Connection.objects.filter(Q(owner=user) | Q(pk__in=shared.values("connection")))
