"""Accounts of a user who has many: those that the first page shows, and which of all need them."""

from collections.abc import Sequence

from django.db.models import Q

from portal.access.grants import named_connections_of
from portal.access.models import Connection, User, read_healths
from portal.config import cache
from portal.ui.home import HomeGroup, groups_of

AT_ONCE = 10  # accounts on the first page
_COUNTED_FOR = 300  # seconds
_KEY = "accounts-in-need:{}"  # primary keys of a user's accounts that need them, the most first


def first_accounts(user: User, *keys: str) -> tuple[list[Connection], int]:
    """Returns the connections that the first page shows, and of how many: all of a few. Of many
    those with these keys, those that need the user most, and the first by name."""
    own = named_connections_of(user, "")
    few = list(own[: AT_ONCE + 1])
    if len(few) <= AT_ONCE:
        return few, len(few)
    named = Q(key__in=[key for key in keys if key]) | Q(pk__in=_cached_needs(user)[:AT_ONCE])
    wanted = list(own.filter(named))
    wanted.sort(key=lambda one: one.key not in keys)
    rest = [one for one in few if one not in wanted]
    shown = sorted([*wanted, *rest][:AT_ONCE], key=lambda one: one.name.casefold())
    return shown, own.count()


def groups_by_need(user: User, query: str = "") -> list[HomeGroup]:
    """Returns a group for each account of a user, those that need them most first."""
    connections = list(named_connections_of(user, query))
    read_healths(connections)
    groups = sorted(groups_of(user, connections), key=lambda group: -len(group.needing))
    if not query:
        cache.set(_KEY.format(user.pk), _in_need(groups), _COUNTED_FOR)
    return groups


def count_in_need(user: User) -> int:
    """Returns how many accounts need the user; counted anew every few minutes."""
    counted = counted_in_need(user)
    return len(_in_need(groups_by_need(user))) if counted is None else counted


def counted_in_need(user: User) -> int | None:
    """Returns the same as it was counted lately; None if it was not."""
    stored = cache.get(_KEY.format(user.pk))
    return None if stored is None else len(stored)


def _in_need(groups: Sequence[HomeGroup]) -> list[int]:
    return [group.connection.pk for group in groups if group.needing]


def _cached_needs(user: User) -> list[int]:
    return cache.get(_KEY.format(user.pk)) or []
