"""Comparison of two users: whether one is nowhere less than the other, and another person.

A role in the portal says neither. A user who is less on one connection does nothing to the account
of one who is more there, and accounts that a user has made are no second person beside that user.
"""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Q

from portal.access.models import Connection, Share, User
from portal.access.roles import Role, lesser, read_once
from portal.access.scope import UNLIMITED, Scope
from portal.audit.account_history import AccountHistory
from portal.audit.reading import limited_keys


def is_another(account: AccountHistory, *, than: Collection[int], since: datetime) -> bool:
    """Returns whether a user counts as another administrator than these, by their primary keys,
    for what was begun at `since`.

    They have been an active administrator since before that, and none of the others invited them,
    gave them the role or a first password, or reset their account lately; nor did a user whom one
    of the others made so. That they are not limited where it matters is asked apart.
    """
    person = account.person
    if not person.is_active or not person.is_administrator or person.pk in than:
        return False
    return account.role_since <= since and account.depends_on.isdisjoint(than)


def is_limited_on(person: User, connection: Connection) -> bool:
    """Returns whether the user's share of the connection is limited, or was when it ended."""
    return connection.key in limited_keys(person)


@read_once()
def is_less(actor: User, person: User, role: str) -> bool:
    """Returns whether there is a connection on which the actor is less than a user, who has or gets
    this role.

    On connections that the actor has no share of, administrators of the portal are no less than
    other users.
    """
    shared = Share.objects.current().filter(user=person).values("connection")
    connections = Connection.objects.select_related("owner").filter(
        Q(owner=person) | Q(pk__in=shared)
    )
    return any(is_less_on(actor, person, role, one) for one in connections)


def who_is_nowhere_less(person: User, role: str, *, but: User) -> list[User]:
    """Returns the administrators who may change a user's account."""
    people = User.objects.filter(is_active=True, role=Role.ADMINISTRATOR)
    people = people.exclude(pk__in=[person.pk, but.pk]).order_by("email")
    return [one for one in people if not is_less(one, person, role)]


def is_less_on(actor: User, person: User, role: str, connection: Connection) -> bool:
    """Returns whether the actor is less on this connection than a user, who has or gets this
    role."""
    mine = next(_on(actor, actor.role, connection), None)
    if mine is None:
        return person.is_administrator or is_limited_on(actor, connection)
    return not all(mine.covers(theirs.limits) for theirs in _on(person, role, connection))


def _on(person: User, role: str, connection: Connection) -> Iterator[Scope]:
    """Yields what the user is on the connection, also while one of the accounts is deactivated;
    then what an elevation makes of them, which counts for them but gives them no standing."""
    if connection.owner_id == person.pk:
        yield Scope(person, connection, role, UNLIMITED, UNLIMITED, UNLIMITED)
        return
    shares = Share.objects.current().filter(connection=connection, user=person)
    for share in shares.select_related("elevation"):
        families, departments, groups = map(
            frozenset, (share.families, share.departments, share.groups)
        )
        roles = [lesser(role, share.role)]
        if elevation := share.elevation_now:
            roles.append(elevation.role)
        for each in roles:
            yield Scope(person, connection, each, families, departments, groups, share)
