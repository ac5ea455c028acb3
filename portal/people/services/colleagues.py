"""People of the account as they are picked for something: found by a search, or by their ids."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from pydantic import TypeAdapter, ValidationError

from portal.access.models import Connection
from portal.contract.types import Email
from portal.contract.users import UserStatus
from portal.mirror import users as mirror
from portal.mirror.models import MirroredUser
from portal.mirror.users import UserFilter
from portal.people.services.person import initials
from portal.ui.picking import Pick

_SUGGESTED = 8
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)


@dataclass(frozen=True)
class Colleague:
    """Somebody on the account, as far as the service's answer and the mirror know them."""

    id: str
    email: str
    name: str
    initials: str
    is_known: bool

    @property
    def pick(self) -> Pick:
        """As they are offered in a picker."""
        note = self.email if self.email != self.name else ""
        return Pick(self.id, self.name, note, self.initials)

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
    """People whom the service reports by id, email or both, each with what the mirror knows."""
    values = list(people)
    ids = [user_id for user_id, _ in values if user_id]
    emails = [email for _, email in values if email]
    rows = mirror.find(connection, UserFilter()).filter(Q(user_id__in=ids) | Q(email__in=emails))
    by_key = {row.email: row for row in rows} | {row.user_id: row for row in rows}
    return [
        _colleague(user_id, email, by_key.get(user_id) or by_key.get(email))
        for user_id, email in values
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


@dataclass(frozen=True)
class MemberReference:
    """Somebody to add or to remove: as the service is told, and as the page calls them."""

    name: str
    id: str = ""
    email: str = ""

    @property
    def problem(self) -> str:
        """What is wrong with an address that was typed."""
        if self.id:
            return ""
        try:
            _EMAIL.validate_python(self.email)
        except ValidationError:
            return "Not an email address, such as name@example.com."
        return ""


def references(picked: Iterable[Colleague], emails: Iterable[str] = ()) -> list[MemberReference]:
    """People who were picked, and others by the address that was typed."""
    people = [MemberReference(one.name, one.id, one.email) for one in picked]
    known = {one.email.casefold() for one in people}
    return people + [
        MemberReference(each, email=each) for each in emails if each.casefold() not in known
    ]
