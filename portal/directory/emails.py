"""People of the account by the emails under which the service names them."""

from collections.abc import Iterable
from dataclasses import dataclass

from portal.access.scope import Scope
from portal.directory.part import people

_BATCH = 500


@dataclass(frozen=True)
class PeopleByEmail:
    """A person of the account, as mirrored."""

    id: str
    name: str
    department: str


NOBODY = PeopleByEmail("", "", "")


def known_by_email(scope: Scope, emails: Iterable[str]) -> dict[str, PeopleByEmail]:
    """Those whom the mirror knows, by the emails as they were given."""
    wanted = sorted({email for email in emails if email})
    found = people(scope)
    return {
        email: PeopleByEmail(user_id, name, department)
        for start in range(0, len(wanted), _BATCH)
        for email, user_id, name, department in found.filter(
            email__in=wanted[start : start + _BATCH]
        ).values_list("email", "user_id", "name", "dept")
    }
