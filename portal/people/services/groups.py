"""Groups and IM groups: which there are, what is done to one, and which a person is in."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from portal.access.calls import gives_whole
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound
from portal.contract.groups import Group
from portal.contract.model import Model
from portal.contract.users import UserDetails
from portal.directory import groups as mirror
from portal.directory.groups import GroupFilter, members_shown
from portal.directory.models import MirroredGroup
from portal.mirror.refresh import request_refresh
from portal.people.labels import members_in_words
from portal.people.services.group_types import GroupType
from portal.translation import folded, searched
from portal.ui.picking import Pick

_OFFERED = 12


@dataclass(frozen=True)
class GroupMembership:
    """A group that a person is in. `name` is empty where the account no longer lists it."""

    id: str
    name: str = ""
    total_members: int | None = None

    @property
    def pick(self) -> Pick:
        """As it is offered in a picker."""
        total = self.total_members
        return Pick(self.id, self.name or self.id, "" if total is None else members_in_words(total))


def find(
    scope: Scope, kind: GroupType, search: str = "", sort: str = "name"
) -> QuerySet[MirroredGroup]:
    """Groups of a kind as the mirror has them. `sort` is a key of `portal.mirror.groups.SORTS`."""
    return mirror.find(scope, GroupFilter(search=search, kinds=[kind.mirrored]), sort)


def joinable(
    api: Api, scope: Scope, kind: GroupType, search: str, *, besides: Iterable[str]
) -> list[GroupMembership]:
    """The first groups that a search finds, without those named already. Raises `ApiError`.

    They come from the mirror, or, before it was ever read, from the service.
    """
    without = set(besides)
    known = find(scope, kind, search)
    if mirror.state_of(scope.connection).refreshed_at is None:
        words = searched(search)
        values: list[Group] = kind.calls(api).list().groups
        found = [
            GroupMembership(group.id, group.name, group.total_members)
            for group in values
            if all(word in folded(group.name) for word in words)
        ]
    else:
        found = [_from_row(row) for row in known[: _OFFERED + len(without)]]
    return [one for one in found if one.id not in without][:_OFFERED]


def chosen(scope: Scope, kind: GroupType, ids: Iterable[str]) -> list[GroupMembership]:
    """The groups with these ids, by name; of one that is not known only the id."""
    wanted = list(dict.fromkeys(ids))
    rows = find(scope, kind).filter(group_id__in=wanted)
    known = {row.group_id: _from_row(row) for row in rows}
    return [known.get(one) or GroupMembership(one) for one in wanted]


def leave(api: Api, connection: Connection, kind: GroupType, group_id: str, user_id: str) -> None:
    """Takes one person out of a group. Raises `ApiError`."""
    kind.calls(api).remove_member(group_id, user_id)
    mirror.leave(connection, kind.mirrored, group_id, [user_id])
    settle(api, connection, kind, group_id)


def called(api: Api, kind: GroupType, name: str) -> Group | None:
    """The group that has this name; names are unique without regard to case. Raises `ApiError`."""
    wanted = name.strip().casefold()
    groups: list[Group] = kind.calls(api).list().groups
    return next((group for group in groups if group.name.casefold() == wanted), None)


def read(api: Api, connection: Connection, kind: GroupType, group_id: str) -> Group:
    """One group as the service reports it now; the mirror is put right, unless somebody is told of
    a part of its members alone. Raises `ApiError`."""
    try:
        group: Group = kind.calls(api).get(group_id)
    except NotFound:
        mirror.drop(connection, kind.mirrored, group_id)
        raise
    # Who was asked for by an id has that id, whatever the answer says.
    group = group.model_copy(update={"id": group_id})
    if gives_whole(api):
        mirror.put(connection, kind.mirrored, group)
    return group


def settle(api: Api, connection: Connection, kind: GroupType, group_id: str) -> None:
    """Reads a group again after a write, so that the lists are right at once.

    The write is done, so a read that fails now is no reason for an error: the next refresh heals.
    """
    try:
        group = read(api, connection, kind, group_id)
    except ApiError:
        request_refresh(connection, mirror.GROUPS)
    else:
        if gives_whole(api):
            mirror.put_written(connection, kind.mirrored, group)
        else:
            request_refresh(connection, mirror.GROUPS)


def create(api: Api, connection: Connection, kind: GroupType, wanted: Model) -> Group:
    """Makes a group that nobody is in yet. Raises `ApiError`; `Conflict` for a name in use."""
    made: Group = kind.calls(api).create(wanted)
    mirror.put_written(connection, kind.mirrored, made)
    settle(api, connection, kind, made.id)
    return made


def change(
    api: Api, connection: Connection, kind: GroupType, group_id: str, changes: Model
) -> None:
    """Renames a group, and says who sees an IM group. Raises `ApiError`."""
    kind.calls(api).update(group_id, changes)
    settle(api, connection, kind, group_id)


def delete(api: Api, connection: Connection, kind: GroupType, group_id: str) -> None:
    """Deletes a group; who is in it stays on the account. Raises `ApiError`."""
    kind.calls(api).delete(group_id)
    mirror.drop(connection, kind.mirrored, group_id)


def memberships(api: Api, details: UserDetails, kind: GroupType) -> list[GroupMembership]:
    """The groups of a kind that a person is in. The list of groups is read only if needed."""
    ids = getattr(details, kind.ids)
    return _named(ids, kind.calls(api).list().groups) if ids else []


def _from_row(row: MirroredGroup) -> GroupMembership:
    return GroupMembership(row.group_id, row.name, members_shown(row))


def _named(ids: Iterable[str], groups: Iterable[Group]) -> list[GroupMembership]:
    known = {group.id: group for group in groups}
    found = [
        GroupMembership(key, known[key].name, known[key].total_members)
        if key in known
        else GroupMembership(key)
        for key in ids
    ]
    return sorted(found, key=lambda membership: membership.name.casefold() or "\uffff")
