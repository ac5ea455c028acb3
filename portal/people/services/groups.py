"""Groups of both kinds: what is done to one, its members, and which a person is in."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotated_types import MaxLen
from django.db.models import QuerySet

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound
from portal.connections.calls import gives_whole
from portal.contract.groups import (
    AddedMembers,
    Group,
    Groups,
    GroupUpdate,
    ImGroups,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.model import Model
from portal.contract.problems import PersonReference
from portal.contract.users import UserDetails
from portal.directory import groups as mirror
from portal.directory.colleagues import Colleague
from portal.directory.groups import GroupFilter, members_shown
from portal.directory.models import GROUP_IDS, GroupKind, MirroredGroup
from portal.directory.users import UserFilter
from portal.people.labels import members_in_words
from portal.translation import capitalized, folded, gettext_lazy, spellings
from portal.ui import bulk_result
from portal.ui.autocomplete import Pick
from portal.ui.bulk_result import ManyOutcome

_OFFERED = 12
AT_ONCE_SECONDS = 20.0


@dataclass(frozen=True)
class GroupType:
    """User groups or IM groups. `slug` is also the namespace of its URLs.

    `mirrored` is the value of the type in the mirror.
    """

    slug: str
    # Words differ by language, and what is compared does not.
    noun: str = field(compare=False)
    many: str = field(compare=False)
    family: type[Groups] | type[ImGroups]
    creation: type[Model]
    update: type[Model]
    naming: type[NewMembers] | type[NewImMembers]
    mirrored: GroupKind

    @property
    def ids(self) -> str:
        """Returns the field of a person that contains the ids of their groups of this type."""
        return GROUP_IDS[self.mirrored]

    def calls(self, api: Api) -> Any:
        return getattr(api, self.family.name)

    def add(self, api: Api, group_id: str, user_ids: Iterable[str]) -> None:
        """Puts people into a group, as many as one request names. Raises `ApiError`."""
        named = [PersonReference(id=user_id) for user_id in user_ids]
        self.calls(api).add_members(group_id, self.naming(members=named))

    def has(self, group_id: str, person: object) -> bool:
        """Returns whether a person, as the service or the mirror has them, is in a group."""
        return group_id in (getattr(person, self.ids) or ())

    @cached_property
    def most(self) -> int:
        limits = self.naming.model_fields["members"].metadata
        return next(limit.max_length for limit in limits if isinstance(limit, MaxLen))

    @property
    def title(self) -> str:
        """Returns the word for one, at the beginning of a line."""
        return capitalized(str(self.noun))

    @property
    def title_of_many(self) -> str:
        return capitalized(str(self.many))

    def members(self, group_id: str, search: str = "") -> UserFilter:
        """Returns the filter of the members of a group of this kind that match a search."""
        if self.mirrored == GroupKind.GROUP:
            return UserFilter(search=search, groups=[group_id])
        return UserFilter(search=search, im_groups=[group_id])


GROUPS = GroupType(
    slug="groups",
    noun=gettext_lazy("group"),
    many=gettext_lazy("groups"),
    family=Groups,
    creation=NewGroup,
    update=GroupUpdate,
    naming=NewMembers,
    mirrored=GroupKind.GROUP,
)
IM_GROUPS = GroupType(
    slug="im-groups",
    noun=gettext_lazy("IM group"),
    many=gettext_lazy("IM groups"),
    family=ImGroups,
    creation=NewImGroup,
    update=ImGroupUpdate,
    naming=NewImMembers,
    mirrored=GroupKind.IM_GROUP,
)
GROUP_TYPES = {kind.slug: kind for kind in (GROUPS, IM_GROUPS)}
# By the value of their `mirrored`, as jobs have it.
GROUPS_OF_KIND = {kind.mirrored.value: kind for kind in (GROUPS, IM_GROUPS)}


def pick(group: Group) -> Pick:
    """Returns a group as a picker offers it."""
    total = group.total_members
    return Pick(group.id, group.name or group.id, "" if total is None else members_in_words(total))


def find(
    scope: Scope, kind: GroupType, search: str = "", sort: str = "name"
) -> QuerySet[MirroredGroup]:
    """Returns the mirrored groups of a kind, in an order of `portal.directory.groups.SORTS`."""
    return mirror.find(scope, GroupFilter(search=search, kinds=[kind.mirrored]), sort)


def joinable(
    api: Api, scope: Scope, kind: GroupType, search: str, *, besides: Iterable[str]
) -> list[Group]:
    """Returns the first groups that a search finds, without those named already. Raises
    `ApiError`.

    They come from the mirror, or, before it was ever read, from the service.
    """
    without = set(besides)
    if mirror.state_of(scope.connection).refreshed_at is None:
        listed: list[Group] = kind.calls(api).list().groups
        words = spellings(search)
        groups = [
            one
            for one in listed
            if all(any(form in folded(one.name) for form in forms) for forms in words)
        ]
    else:
        rows = find(scope, kind, search)[: _OFFERED + len(without)]
        groups = [_from_row(row) for row in rows]
    return [one for one in groups if one.id not in without][:_OFFERED]


def chosen(scope: Scope, kind: GroupType, ids: Iterable[str]) -> list[Group]:
    """Returns the mirrored groups with these ids; without a row only the id is set."""
    wanted = list(dict.fromkeys(ids))
    rows = find(scope, kind).filter(group_id__in=wanted)
    by_id = {row.group_id: _from_row(row) for row in rows}
    return [by_id.get(one) or Group(id=one) for one in wanted]


def leave(api: Api, connection: Connection, kind: GroupType, group_id: str, user_id: str) -> None:
    """Takes one person out of a group. Raises `ApiError`."""
    kind.calls(api).remove_member(group_id, user_id)
    mirror.leave(connection, kind.mirrored, group_id, [user_id])
    refresh_group(api, connection, kind, group_id)


def called(api: Api, kind: GroupType, name: str) -> Group | None:
    """Returns the group that has this name; names are unique without regard to case. Raises
    `ApiError`."""
    wanted = name.strip().casefold()
    groups: list[Group] = kind.calls(api).list().groups
    return next((group for group in groups if group.name.casefold() == wanted), None)


def read(api: Api, connection: Connection, kind: GroupType, group_id: str) -> Group:
    """Reads one group from the service and updates its mirrored row, unless the scope shows only
    some of its members. Raises `ApiError`."""
    try:
        group: Group = kind.calls(api).get(group_id)
    except NotFound:
        mirror.drop(connection, kind.mirrored, group_id)
        raise
    # A group that was requested by an id has that id, whatever the answer contains.
    group = group.model_copy(update={"id": group_id})
    if gives_whole(api):
        mirror.put(connection, kind.mirrored, group)
    return group


def refresh_group(api: Api, connection: Connection, kind: GroupType, group_id: str) -> None:
    """Reads a group again after a write, so that the lists are right at once.

    The write is done, so a read that fails now is no reason for an error: the next refresh heals.
    """
    try:
        group = read(api, connection, kind, group_id)
    except ApiError:
        mirror.GROUPS.request(connection)
    else:
        if gives_whole(api):
            mirror.put_written(connection, kind.mirrored, group)
        else:
            mirror.GROUPS.request(connection)


def create(api: Api, connection: Connection, kind: GroupType, wanted: Model) -> Group:
    """Creates a group without members. Raises `ApiError`; `Conflict` for a name in use."""
    made: Group = kind.calls(api).create(wanted)
    mirror.put_written(connection, kind.mirrored, made)
    refresh_group(api, connection, kind, made.id)
    return made


def change(
    api: Api, connection: Connection, kind: GroupType, group_id: str, changes: Model
) -> None:
    """Changes a group. Raises `ApiError`."""
    kind.calls(api).update(group_id, changes)
    refresh_group(api, connection, kind, group_id)


def delete(api: Api, connection: Connection, kind: GroupType, group_id: str) -> None:
    """Deletes a group; who is in it stays on the account. Raises `ApiError`."""
    kind.calls(api).delete(group_id)
    mirror.drop(connection, kind.mirrored, group_id)


def memberships(api: Api, details: UserDetails, kind: GroupType) -> list[Group]:
    """Returns the groups of a kind that a person is in; the list of groups is read only if they
    are in any."""
    ids: list[str] = getattr(details, kind.ids)
    listed: list[Group] = kind.calls(api).list().groups if ids else []
    by_id = {one.id: one for one in listed}
    named = [by_id.get(key) or Group(id=key) for key in ids]
    return sorted(named, key=lambda group: group.name.casefold() or "\uffff")


def _from_row(row: MirroredGroup) -> Group:
    return Group(id=row.group_id, name=row.name, total_members=members_shown(row))


def add_members(
    api: Api,
    connection: Connection,
    kind: GroupType,
    group_id: str,
    people: Sequence[Colleague],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> ManyOutcome[Colleague]:
    """Adds people in as many requests as it takes, for so many seconds."""

    def send(some: Sequence[Colleague]) -> None:
        # The email beside an id is sent for the audit trail to be readable.
        named = [PersonReference(id=one.id or None, email=one.email or None) for one in some]
        answer: AddedMembers = kind.calls(api).add_members(group_id, kind.naming(members=named))
        ids = {*filter(None, answer.ids.split(",")), *(one.id for one in some if one.id)}
        mirror.join(connection, kind.mirrored, group_id, ids)

    outcome = bulk_result.carry_out(
        people, send, at_once=kind.most, place="members", seconds=seconds
    )
    if outcome.done:
        refresh_group(api, connection, kind, group_id)
    return outcome


def remove_members(
    api: Api,
    connection: Connection,
    kind: GroupType,
    group_id: str,
    people: Sequence[Colleague],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> ManyOutcome[Colleague]:
    """Removes people one by one, for so many seconds. Who is no member any more is done."""

    def send(some: Sequence[Colleague]) -> None:
        [one] = some
        with suppress(NotFound):  # another request was faster
            kind.calls(api).remove_member(group_id, one.id)

    outcome = bulk_result.carry_out(people, send, at_once=1, seconds=seconds)
    mirror.leave(connection, kind.mirrored, group_id, [one.id for one in outcome.done])
    if outcome.done:
        refresh_group(api, connection, kind, group_id)
    return outcome
