"""People as those who plan sessions meet them: hosts, found by the mirror."""

from collections.abc import Iterable
from dataclasses import dataclass

from portal.access.models import Connection
from portal.contract.users import UserStatus
from portal.mirror import users as mirror
from portal.mirror.models import MirroredUser
from portal.mirror.users import UserFilter

_SUGGESTED = 8


@dataclass(frozen=True)
class Host:
    """Somebody on the account; of somebody whom the mirror does not know, only the id."""

    id: str
    name: str
    email: str = ""
    timezone: str = ""
    licence: int | None = None
    is_known: bool = True

    @property
    def initials(self) -> str:
        words = (self.name or self.email).replace(".", " ").split()
        return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


def host_of(connection: Connection, user_id: str) -> Host:
    """Who has this id or email, as far as the mirror knows."""
    user_id = user_id.replace("\x00", "")  # PostgreSQL refuses it in text
    if not user_id:
        return Host("", "", is_known=False)
    rows = mirror.find(connection, UserFilter())
    row = rows.filter(user_id=user_id).first() or rows.filter(email__iexact=user_id).first()
    return _host(row) if row else Host(user_id, user_id, is_known=False)


def hosts_called(connection: Connection, names: Iterable[str]) -> list[Host]:
    """Those with these ids or emails, in their order."""
    return [host_of(connection, name) for name in names]


def find_hosts(
    connection: Connection, search: str, *, besides: Iterable[str] = (), most: int = _SUGGESTED
) -> list[Host]:
    """Active people whom a search finds by name, email or department, `most` of them."""
    if not search.strip():
        return []
    active = UserFilter(search=search, statuses=[UserStatus.ACTIVE])
    rows = mirror.find(connection, active).exclude(user_id__in=list(besides))
    return [_host(row) for row in rows[:most]]


def _host(row: MirroredUser) -> Host:
    return Host(row.user_id, row.name or row.email, row.email, row.timezone, row.type)
