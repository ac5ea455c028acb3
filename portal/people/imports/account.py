"""People and groups of an account, read fresh for a plan."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from portal.client import Api, NotAvailable
from portal.contract.groups import Group, ImGroup
from portal.contract.users import User, UserQuery, UserStatus


@dataclass(frozen=True)
class ExistingPeople:
    """Somebody as a list reports them."""

    user: User
    status: UserStatus


@dataclass
class ImportAccount:
    """People by address in lower case, groups by id and by name in lower case."""

    people: dict[str, ExistingPeople] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    im_groups: dict[str, Group] = field(default_factory=dict)

    def person(self, email: str) -> ExistingPeople | None:
        return self.people.get(email.casefold())


def read_people(api: Api, account: ImportAccount) -> Iterator[int]:
    """Reads everybody, of every status; reports after each page how many there are by now."""
    for status in UserStatus:
        for page in api.users.list.pages(UserQuery(status=status, page_size=300)):
            for user in page.users:
                # A service that ignores the status lists everybody each time.
                account.people.setdefault(user.email.casefold(), ExistingPeople(user, status))
            yield len(account.people)


def read_groups(api: Api, account: ImportAccount) -> None:
    """Reads the groups of both kinds, as far as the service has them."""
    with suppress(NotAvailable):
        account.groups = _by_name(api.groups.list().groups)
    with suppress(NotAvailable):
        account.im_groups = _by_name(api.im_groups.list().groups)


def _by_name(groups: Iterable[Group | ImGroup]) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for group in groups:
        found[group.id] = group
        found.setdefault(group.name.casefold(), group)
    return found
