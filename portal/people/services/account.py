"""The people and groups of an account as the service reports them, read all at once for a plan."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from portal.client import Api, NotAvailable
from portal.contract.groups import Group
from portal.contract.users import User, UserDetails, UserQuery, UserStatus
from portal.jobs.planning import Planning
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.translation import gettext as _, number

# What lists of people do not contain.
NOT_LISTED = frozenset({"language", "use_pmi", "vanity_name", "host_key", "cms_user_id"})
GROUP_COLUMNS = {"groups": GROUPS, "im_groups": IM_GROUPS}


@dataclass(frozen=True)
class ExistingPerson:
    """A person as a list reports them; `details` are set if they were read individually."""

    user: User
    status: UserStatus
    details: UserDetails | None = None

    @property
    def name(self) -> str:
        return f"{self.user.first_name or ''} {self.user.last_name or ''}".strip()

    def value(self, name: str) -> Any:
        """Returns what the service reports of them now: a field, their status, or if they are in a
        group, for which the field of its kind and its id stand there."""
        ids, _space, group_id = name.partition(" ")
        if name == "status":
            return self.status
        if group_id:
            return group_id in (getattr(self.user, ids) or ())
        data = self.details if name in NOT_LISTED else self.user
        if name == "vanity_name":
            return str(getattr(data, "vanity_url", "") or "").rstrip("/").rpartition("/")[2]
        return getattr(data, name, None)


@dataclass
class AccountSnapshot:
    """People by address in lower case; by column, groups by id and by name in lower case."""

    people: dict[str, ExistingPerson] = field(default_factory=dict)
    groups: dict[str, dict[str, Group]] = field(default_factory=dict)

    def person(self, email: str) -> ExistingPerson | None:
        return self.people.get(email.casefold())

    def group(self, column: str, name: str) -> Group | None:
        groups = self.groups.get(column, {})
        return groups.get(name) or groups.get(name.casefold())

    def read_people(self, planning: Planning) -> None:
        for status in UserStatus:
            for page in planning.api.users.list.pages(UserQuery(status=status, page_size=300)):
                for user in page.users:
                    # A service that ignores the status lists everybody each time.
                    self.people.setdefault(user.email.casefold(), ExistingPerson(user, status))
                read = len(self.people)
                words = _("Loading the people on the account: %(read)s") % {"read": number(read)}
                planning.progress(read, 0, words)

    def read_groups(self, api: Api) -> None:
        """Reads the groups of both kinds, as far as the service has them."""
        for column, kind in GROUP_COLUMNS.items():
            with suppress(NotAvailable):
                by_name: dict[str, Group] = {}
                for group in kind.calls(api).list().groups:
                    by_name[group.id] = group
                    by_name.setdefault(group.name.casefold(), group)
                self.groups[column] = by_name
