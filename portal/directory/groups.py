"""The mirror of groups and IM groups, and of who is in them."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import NotAvailable
from portal.config import clock
from portal.config.database import where_it_can
from portal.contract.groups import Group, GroupList, Groups, ImGroup, ImGroupPage, ImGroups
from portal.contract.reading import left_out_of
from portal.directory.models import (
    GROUP_IDS,
    GroupKind,
    Membership,
    MirroredGroup,
    MirroredUser,
    sync_memberships,
)
from portal.directory.scope_rules import visible_groups, visible_members
from portal.directory.users import state_of as state_of_people
from portal.mirror import rows
from portal.mirror.mirrored_list import ListReading, MirroredList
from portal.mirror.models import MirrorState
from portal.mirror.searching import contains_words
from portal.mirror.values import LISTED_FEWER, NOT_AVAILABLE_OF, integer, text
from portal.translation import folded

_SORTS = {"name": "sort_name", "total_members": "total_members", "type": "type"}
SORTS = frozenset(_SORTS)
_BATCH = 500
_FAMILIES = {GroupKind.GROUP: Groups, GroupKind.IM_GROUP: ImGroups}
_CHOICES = TypeAdapter(dict[GroupKind, list[tuple[str, str]]])


@dataclass(frozen=True)
class GroupFilter:
    """Filters of a query for groups; empty values do not filter.

    `ids` is a selection: no other group is found, and none at all if it is empty but not `None`.
    """

    search: str = ""
    kinds: Sequence[GroupKind] = ()
    ids: Collection[str] | None = None


def state_of(connection: Connection) -> MirrorState:
    """Returns the freshness of this connection's groups. Their members come with its people."""
    return rows.state_of(connection, GROUPS.name)


def find(scope: Scope, wanted: GroupFilter, sort: str = "name") -> QuerySet[MirroredGroup]:
    """Returns groups of a connection. `sort` is a key of `SORTS`, with `-` before it for the
    reverse."""
    groups = visible_groups(scope)
    if wanted.kinds:
        groups = groups.filter(kind__in=wanted.kinds)
    if wanted.ids is not None:
        groups = groups.filter(group_id__in=wanted.ids)
    groups = groups.filter(contains_words("sort_name", wanted.search))
    column: Any = F(_SORTS[sort.removeprefix("-")])
    if scope.is_narrow:
        groups = groups.annotate(within=visible_members(scope))
        column = F("within") if sort.removeprefix("-") == "total_members" else column
    order = column.desc(nulls_last=True) if sort[0] == "-" else column.asc(nulls_first=True)
    return groups.order_by(order, "kind", "group_id")


def members_shown(group: MirroredGroup) -> int | None:
    """Returns how many members a group has; to who sees a part of the people, how many of these."""
    count: int | None = getattr(group, "within", group.total_members)
    return count


def choices(scope: Scope) -> dict[GroupKind, list[tuple[str, str]]]:
    """Returns the groups of each kind as choices of a form: the id and the name, by name."""

    def read() -> dict[GroupKind, list[tuple[str, str]]]:
        by_kind: dict[GroupKind, list[tuple[str, str]]] = {kind: [] for kind in GroupKind}
        named = find(scope, GroupFilter()).values_list("kind", "group_id", "name")
        for kind, group_id, name in named:
            by_kind[GroupKind(kind)].append((group_id, name))
        return by_kind

    return rows.cached_result(scope, GROUPS.name, "choices", read, _CHOICES)


def put(connection: Connection, kind: GroupKind, group: Group) -> None:
    """Stores one group as the service reported it just now."""
    rows.put(state_of(connection), _row(connection, kind, group))


def put_written(connection: Connection, kind: GroupKind, group: Group) -> None:
    """Stores one group as the service reported it after a write."""
    rows.put_written(state_of(connection), [_row(connection, kind, group)])


def drop(connection: Connection, kind: GroupKind, group_id: str) -> None:
    """Deletes one group and its memberships, also for a refresh under way."""
    rows.drop(state_of(connection), MirroredGroup, (kind.value, group_id))
    members = Membership.objects.filter(connection=connection, kind=kind, group_id=group_id)
    with where_it_can():
        leave(connection, kind, group_id, members.values_list("user__user_id", flat=True))


def join(connection: Connection, kind: GroupKind, group_id: str, user_ids: Iterable[str]) -> None:
    """Stores that people are in a group now."""
    _change(connection, kind, user_ids, lambda ids: ids | {group_id})


def leave(connection: Connection, kind: GroupKind, group_id: str, user_ids: Iterable[str]) -> None:
    """Stores that people left a group."""
    _change(connection, kind, user_ids, lambda ids: ids - {group_id})


def names_with(scope: Scope, user_id: str) -> list[str]:
    """Returns the names of the groups and IM groups that a person is in, sorted."""
    own = Membership.objects.filter(user__connection=scope.connection, user__user_id=user_id)
    pairs = set(own.values_list("kind", "group_id"))
    listed = visible_groups(scope).filter(group_id__in=[group for _kind, group in pairs])
    sorted_rows = listed.order_by("sort_name").values_list("kind", "group_id", "name")
    return [name for kind, group, name in sorted_rows if (kind, group) in pairs]


def name_of(scope: Scope, group_id: str) -> str:
    """Returns the name of a group; empty if the list does not contain it."""
    return (
        visible_groups(scope).filter(group_id=group_id).values_list("name", flat=True).first() or ""
    )


def _change(
    connection: Connection,
    kind: GroupKind,
    user_ids: Iterable[str],
    changed: Callable[[set[str]], set[str]],
) -> None:
    """Changes the groups of mirrored people, as if they had just been read."""
    state, field, wanted = state_of_people(connection), GROUP_IDS[kind], list(user_ids)
    for start in range(0, len(wanted), _BATCH):
        with rows.locked(state):
            people = list(
                MirroredUser.objects.filter(
                    connection=connection, user_id__in=wanted[start : start + _BATCH]
                )
            )
            for person in people:
                setattr(person, field, sorted(changed(set(getattr(person, field)))))
                person.connection, person.touched_at = connection, clock.now()
                person.stamp()
            MirroredUser.objects.bulk_update(people, [field, "fingerprint", "touched_at"])
            sync_memberships(people)


def _read(reading: ListReading) -> None:
    """Reads both lists once; the service does not page them."""
    lacking: list[NotAvailable] = []
    seen: set[rows.Key] = set()
    for kind, family in _FAMILIES.items():
        try:
            listed: GroupList | ImGroupPage = getattr(reading.api, family.name).list()
        except NotAvailable as lack:
            lacking.append(lack)
            reading.notes.append(NOT_AVAILABLE_OF % {"what": family.words})
            if lack.may_be_there:  # there may be some all the same
                seen |= _stored(reading.connection, kind)
            continue
        reading.left_out += left_out_of(listed)
        fetched = [_row(reading.connection, kind, group) for group in listed.groups or ()]
        reported, listed_here = listed.total_records or 0, len(fetched) + len(left_out_of(listed))
        if reported > listed_here:
            values = {"reported": f"{reported:,}", "listed": f"{listed_here:,}"}
            reading.notes.append(LISTED_FEWER % {"what": family.words, **values})
            seen |= _stored(reading.connection, kind)
        reading.store(fetched)
        seen.update(group.key for group in fetched)
    if len(lacking) == len(_FAMILIES):
        raise lacking[0]
    reading.forget_unseen(MirroredGroup, seen)


def _stored(connection: Connection, kind: GroupKind) -> set[rows.Key]:
    stored = MirroredGroup.objects.filter(connection=connection, kind=kind)
    return set(stored.values_list(*MirroredGroup.KEY))


GROUPS = MirroredList("groups", "groups", _read)


def _row(connection: Connection, kind: GroupKind, group: Group) -> MirroredGroup:
    name, im_group = text(group.name), group if isinstance(group, ImGroup) else None
    row = MirroredGroup(
        connection=connection,
        kind=kind.value,
        group_id=text(group.id),
        name=name,
        total_members=integer(group.total_members),
        type=text(im_group.type) if im_group else "",
        search_by_account=im_group.search_by_account if im_group else None,
        search_by_domain=im_group.search_by_domain if im_group else None,
        search_by_ma_account=im_group.search_by_ma_account if im_group else None,
        sort_name=folded(name)[:200],
    )
    row.stamp()
    return row
