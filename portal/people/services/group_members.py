"""Members of a group: listed from the service, searched in the mirror."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import QuerySet

from portal.access.scope import Scope
from portal.client import Api, page_at
from portal.contract.groups import Group, GroupMember, GroupMemberPage
from portal.contract.paging import NumberedQuery
from portal.directory import colleagues
from portal.directory import users as mirror
from portal.directory.colleagues import Colleague
from portal.directory.labels import licence_label
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.people.services.group_types import GroupType

T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """Somebody in a group, as a row of its members."""

    id: str
    email: str
    first_name: str
    last_name: str
    licence: str

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.email or self.id


def page_of(
    api: Api, kind: GroupType, group: Group, *, number: int, size: int
) -> tuple[list[Member], int]:
    """A page of the members, in the service's own order, and how many there are. Raises
    `ApiError`."""
    query = NumberedQuery(page_number=number, page_size=size)
    call = kind.calls(api).members.operation.call(group.id, query)
    answer: GroupMemberPage = page_at(api.caller, call)
    total = answer.total_records if answer.total_records is not None else group.total_members or 0
    return [_member(one) for one in answer.members], total


def found(scope: Scope, kind: GroupType, group_id: str, search: str) -> QuerySet[MirroredUser]:
    """The members that a search finds, which the service cannot do."""
    return mirror.find(scope, kind.members(group_id, search))


def known(rows: Iterable[MirroredUser]) -> list[Member]:
    """Members as the mirror knows them."""
    return [
        Member(row.user_id, row.email, row.first_name, row.last_name, licence_label(row.type))
        for row in rows
    ]


def named(
    api: Api, scope: Scope, kind: GroupType, group_id: str, ids: Sequence[str]
) -> list[Colleague]:
    """Members by their ids; whom the mirror does not know the service is asked for.

    Raises `ApiError`.
    """
    known = {one.id: one for one in colleagues.called(scope, ids)}
    if not all(one.is_known for one in known.values()):
        known |= {
            one.id: one for one in as_colleagues(everybody(api, kind, group_id)) if one.id in known
        }
    return list(known.values())


def everybody(api: Api, kind: GroupType, group_id: str) -> list[Member]:
    """All members, however many. Raises `ApiError`."""
    members: Iterable[GroupMember] = kind.calls(api).members.all(group_id)
    return [_member(one) for one in members]


def as_colleagues(members: Iterable[Member]) -> list[Colleague]:
    return [Colleague(one.id, one.name, one.email) for one in members]


def suggestions(
    scope: Scope, kind: GroupType, group_id: str, search: str, besides: Collection[str]
) -> list[Colleague]:
    """People whom a search finds and who are not in the group."""
    inside = mirror.find(scope, kind.members(group_id)).values("pk")
    rows = mirror.find(scope, UserFilter(search=search)).exclude(pk__in=inside)
    return colleagues.find(scope, search, besides=besides, rows=rows)


def _member(member: GroupMember) -> Member:
    licence = licence_label(member.type)
    return Member(member.id, member.email, member.first_name, member.last_name, licence)
