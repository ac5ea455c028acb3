"""Reads a user's rights over a connection, and checks them for pages."""

from collections.abc import Iterable
from dataclasses import replace
from threading import get_ident

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest

from portal.access.http import PortalRequest
from portal.access.models import Connection, Elevation, Share, User
from portal.access.roles import Role, covers, lesser, read_once
from portal.access.scope import UNLIMITED, Scope
from portal.client import CallWithheld
from portal.contract import FAMILIES, OPERATIONS
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _


class AccessEnded(CallWithheld, Http404):
    """A call of work that began with access which has since ended or changed: nothing was sent. To
    a browser the connection is not there."""

    def __init__(self) -> None:
        super().__init__(_("Access to the connection has ended."))


def scope_of(user: User, connection: Connection) -> Scope:
    """Returns a user's scope; without access it allows and shows nothing."""
    return next(iter(scopes_of(user, [connection])), None) or Scope.nothing(user, connection)


def scope_on(request: PortalRequest, connection: Connection) -> Scope | None:
    """Returns the user's scope over this connection, which the request has at hand for its own;
    None without access."""
    scope: Scope | None = getattr(request, "scope", None)
    if scope is not None and scope.connection.pk == connection.pk:
        return scope
    return next(iter(scopes_of(request.user, [connection])), None)


def scopes_of(user: User, connections: Iterable[Connection]) -> list[Scope]:
    """Returns the scopes over several connections, in order, without those that the user has no
    access to. With their owners read it takes one query at most, however many there are, and one
    for each defined role."""
    return scopes_between((user, connection) for connection in connections)


@read_once()
def scopes_between(pairs: Iterable[tuple[User, Connection]]) -> list[Scope]:
    """Returns the scopes of several users, each over a connection, like `scopes_of`."""
    pairs = [(user, connection) for user, connection in pairs if user.is_active]
    others = [(user, one) for user, one in pairs if one.owner_id != user.pk]
    users, connections = {user.pk for user, _ in others}, {one.pk for _, one in others}
    result = (
        Share.objects.current()
        .filter(connection__in=connections, user__in=users)
        .select_related("elevation")
        if others
        else ()
    )
    shares = {(share.user_id, share.connection_id): share for share in result}
    scopes = []
    for user, connection in pairs:
        share = shares.get((user.pk, connection.pk))
        if connection.owner_id == user.pk:
            scopes.append(Scope(user, connection, user.role, UNLIMITED, UNLIMITED, UNLIMITED))
        elif share is not None and connection.owner.is_active:
            role, elevation = role_by(share, user, connection.owner)
            families, departments, groups = map(
                frozenset, (share.families, share.departments, share.groups)
            )
            scopes.append(
                Scope(user, connection, role, families, departments, groups, share, elevation)
            )
    return scopes


def role_by(share: Share, user: User, owner: User) -> tuple[str, Elevation | None]:
    """Returns the role that a share gives its holder now, and the elevation that it is by, if any:
    never more than the owner's."""
    role = lesser(lesser(user.role, share.role), owner.role)
    elevation = share.elevation_now
    if elevation is not None:
        elevated = lesser(elevation.role, owner.role)
        if elevated in Role.values and elevated != role and (not role or covers(elevated, role)):
            return elevated, elevation
    return role, None


def find_scope(user: User, key: str) -> Scope:
    """Returns the scope over the connection with this key. Raises `Http404` without access."""
    result = connections_of(user).select_related("owner").filter(key=key).first()
    for scope in scopes_of(user, [result] if result else []):
        return scope
    raise Http404(_("No connection of yours has this key."))


def renewed(scope: Scope) -> Scope | None:
    """Returns the scope as it is stored now; None if it has ended."""
    result = Connection.objects.select_related("owner").filter(pk=scope.connection.pk).first()
    if result is None:
        return None
    if scope.user is None:
        return replace(scope, connection=result)
    user = User.objects.filter(pk=scope.user.pk).first()
    return next(iter(scopes_of(user, [result])), None) if user else None


class Watch:
    """Raises `AccessEnded` once a colleague's scope is not as it was, before each request.

    It asks the database in the thread that made it. Other threads, which leave the database alone,
    use that thread's last result.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._is_needed = scope.user is not None and not scope.is_owner
        self._thread = get_ident()
        self._has_ended = False

    def __call__(self) -> None:
        if self._is_needed and not self._has_ended and get_ident() == self._thread:
            self._has_ended = renewed(self._scope) != self._scope
        if self._has_ended:
            raise AccessEnded


def connections_of(user: User) -> QuerySet[Connection]:
    """Returns the user's own connections and those shared with them, in one query."""
    if not user.is_active:
        return Connection.objects.none()
    shared = Share.objects.current().filter(user=user, connection__owner__is_active=True)
    return Connection.objects.filter(Q(owner=user) | Q(pk__in=shared.values("connection")))


def named_connections_of(user: User, query: str) -> QuerySet[Connection]:
    """Returns those of the user's connections whose name or owner has all words of the query, with
    their owners, by name. What limits of a share hide is not searched."""
    own = connections_of(user).select_related("owner").order_by("name", "pk")
    for word in query.split():
        owner = Q(owner__name__icontains=word) | Q(owner__email__icontains=word)
        own = own.filter(Q(name__icontains=word) | owner)
    return own


class NoSuchOperation(Exception):
    """The name in a template of an operation that the interface does not have."""


class Can:
    """The operations that a scope may call, as templates name them: `can.users.create`.

    Those of one `family` are named without it. Without a scope there are none.
    """

    def __init__(self, scope: Scope | None, family: str = "") -> None:
        self._scope = scope
        self._family = family

    def __getattr__(self, name: str) -> "Can | bool":
        if name.startswith("_"):
            raise AttributeError(name)
        if not self._family and any(family.name == name for family in FAMILIES):
            return Can(self._scope, name)
        operation = OPERATIONS.get(f"{self._family}.{name}")
        if operation is None:
            raise NoSuchOperation(f"{self._family}.{name}")
        return self._scope is not None and self._scope.can_call(operation)


def can(request: HttpRequest) -> dict[str, Can]:
    """Returns the context of templates with `can`."""
    return {"can": Can(getattr(request, "scope", None))}


def recipients_of(connection: Connection, operation: AnyOperation) -> QuerySet[User]:
    """Returns the owner and the colleagues who see all that this operation returns, while their
    accounts are active."""
    shared = Q(pk__in=connection.shares.current().values("user"))
    people = User.objects.filter(Q(pk=connection.owner_id) | shared, is_active=True)
    scopes = scopes_between((person, connection) for person in people)
    seeing = [one.user for one in scopes if not one.is_limited and one.can_call(operation)]
    return people.filter(pk__in=[person.pk for person in seeing if person]).order_by("email")
