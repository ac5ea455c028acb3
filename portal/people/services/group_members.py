"""Who is in a group: listed as the service reports, searched as the mirror knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

from django.core.paginator import Page, Paginator

from portal.access.models import Connection
from portal.client import Api
from portal.contract.groups import Group, GroupMember, GroupMemberPage
from portal.contract.paging import NumberedQuery
from portal.mirror import users as mirror
from portal.mirror.models import MirroredUser
from portal.mirror.users import UserFilter
from portal.people.labels import licence_label
from portal.people.services import colleagues
from portal.people.services.colleagues import Colleague
from portal.people.services.group_types import GroupType

T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """Somebody in a group, as a row of its members."""

    id: str
    email: str
    name: str
    licence: str


class _KnownCount(Sequence[T]):
    """A list of which one page was read: as long as all of it, sliced only to that page."""

    def __init__(self, rows: list[T], total: int) -> None:
        self._rows, self._total = rows, total

    def __len__(self) -> int:
        return self._total

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._rows if isinstance(at, slice) else self._rows[at]


def page_of(api: Api, kind: GroupType, group: Group, *, number: int, size: int) -> Page[Member]:
    """A page of the members, in the service's own order. Raises `ApiError`."""
    answer = _read(api, kind, group.id, number, size)
    total = answer.total_records if answer.total_records is not None else group.total_members or 0
    last = max(1, -(-total // size))
    if number > last:  # somebody left meanwhile, or the address is an old one
        number = last
        answer = _read(api, kind, group.id, number, size)
    return Paginator(_KnownCount([_member(one) for one in answer.members], total), size).page(
        number
    )


def found(
    connection: Connection, kind: GroupType, group_id: str, search: str, *, number: int, size: int
) -> Page[Member]:
    """The members that a search finds, which the service cannot do."""
    rows = mirror.find(connection, kind.members(group_id, search))
    total = rows.count()
    number = min(number, max(1, -(-total // size)))
    here = rows[(number - 1) * size : number * size]
    return Paginator(_KnownCount([_known(row) for row in here], total), size).page(number)


def all_found(
    connection: Connection, kind: GroupType, group_id: str, search: str
) -> list[Colleague]:
    """All members that a search finds, as far as the mirror knows."""
    rows = mirror.find(connection, kind.members(group_id, search))
    return [colleagues.from_row(row) for row in rows]


def named(
    api: Api, connection: Connection, kind: GroupType, group_id: str, ids: Sequence[str]
) -> list[Colleague]:
    """Members by their ids; whom the mirror does not know the service is asked for.

    Raises `ApiError`.
    """
    known = {one.id: one for one in colleagues.named(connection, [(key, "") for key in ids])}
    if not all(one.is_known for one in known.values()):
        known |= {one.id: one for one in everybody(api, kind, group_id) if one.id in known}
    return list(known.values())


def everybody(api: Api, kind: GroupType, group_id: str) -> list[Colleague]:
    """All members, however many. Raises `ApiError`."""
    members: Iterable[GroupMember] = kind.calls(api).members.all(group_id)
    values = [_member(one) for one in members]
    return [Colleague(one.id, one.email, one.name, "", True) for one in values]


def suggestions(
    connection: Connection, kind: GroupType, group_id: str, search: str, *, besides: Iterable[str]
) -> list[Colleague]:
    """People whom a search finds and who are not in the group."""
    if not search.strip():
        return []
    inside = mirror.find(connection, kind.members(group_id)).values("pk")
    rows = mirror.find(connection, UserFilter(search=search)).exclude(pk__in=inside)
    return colleagues.first_of(rows.exclude(user_id__in=list(besides)))


def _read(api: Api, kind: GroupType, group_id: str, number: int, size: int) -> GroupMemberPage:
    query = NumberedQuery(page_number=number, page_size=size)
    page: GroupMemberPage = kind.calls(api).members(group_id, query)
    return page


def _member(member: GroupMember) -> Member:
    name = f"{member.first_name} {member.last_name}".strip() or member.email or member.id
    return Member(member.id, member.email, name, licence_label(member.type))


def _known(row: MirroredUser) -> Member:
    return Member(row.user_id, row.email, row.name or row.email, licence_label(row.type))
