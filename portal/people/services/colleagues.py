"""People of the account as they are picked for something: found by a search, or by their ids."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from portal.access.models import Connection
from portal.contract.users import UserStatus
from portal.mirror import users as mirror
from portal.mirror.models import MirroredUser
from portal.mirror.users import UserFilter
from portal.people.services.person import initials

_SUGGESTED = 8


@dataclass(frozen=True)
class Colleague:
    """Somebody on the account, as far as the service's answer and the mirror know them."""

    id: str
    email: str
    name: str
    initials: str
    is_known: bool

    @property
    def key(self) -> str:
        """What names them in a path: the id, or the email where the service gave no id."""
        return self.id or self.email


def suggestions(connection: Connection, search: str, *, besides: Iterable[str]) -> list[Colleague]:
    """Active colleagues that a search finds, without those who are named already."""
    if not search.strip():
        return []
    active = UserFilter(search=search, statuses=[UserStatus.ACTIVE])
    return first_of(mirror.find(connection, active).exclude(user_id__in=list(besides)))


def first_of(rows: QuerySet[MirroredUser]) -> list[Colleague]:
    """As many as are offered at once."""
    return [from_row(row) for row in rows[:_SUGGESTED]]


def chosen(connection: Connection, ids: Iterable[str]) -> list[Colleague]:
    """The people with these ids, as far as they are on this account."""
    rows = mirror.find(connection, UserFilter()).filter(user_id__in=list(ids))
    return [from_row(row) for row in rows]


def named(connection: Connection, people: Iterable[tuple[str, str]]) -> list[Colleague]:
    """People whom the service tells by id, email or both, each with what the mirror knows."""
    told = list(people)
    ids = [user_id for user_id, _ in told if user_id]
    emails = [email for _, email in told if email]
    rows = mirror.find(connection, UserFilter()).filter(Q(user_id__in=ids) | Q(email__in=emails))
    by_key = {row.email: row for row in rows} | {row.user_id: row for row in rows}
    return [
        _colleague(user_id, email, by_key.get(user_id) or by_key.get(email))
        for user_id, email in told
    ]


def from_row(row: MirroredUser) -> Colleague:
    name = row.name or row.email
    return Colleague(
        row.user_id, row.email, name, initials(row.first_name, row.last_name, name), True
    )


def _colleague(user_id: str, email: str, row: MirroredUser | None) -> Colleague:
    if row:
        return from_row(row)
    name = email or user_id
    return Colleague(user_id, email, name, initials("", "", name), False)
