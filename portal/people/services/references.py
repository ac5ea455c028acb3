"""People as they are named to be added somewhere or removed, and assistants, who are named so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.delegates import Delegate, DelegateList
from portal.contract.types import Email
from portal.directory.colleagues import Colleague, reported
from portal.translation import gettext as _
from portal.ui import bulk_result
from portal.ui.bulk_result import ManyOutcome

_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
MOST = 30


@dataclass(frozen=True)
class MemberReference:
    """Somebody to add or to remove: what the service is sent, and what the page calls them."""

    name: str
    id: str = ""
    email: str = ""

    @property
    def problem(self) -> str:
        """Returns the problem of an address that was typed."""
        if self.id:
            return ""
        try:
            _EMAIL.validate_python(self.email)
        except ValidationError:
            return _("Not an email address, such as name@example.com.")
        return ""


def references(picked: Iterable[Colleague], emails: Iterable[str] = ()) -> list[MemberReference]:
    """People who were picked, and others by the address that was typed."""
    people = [MemberReference(one.name, one.id, one.email) for one in picked]
    known = {one.email.casefold() for one in people}
    return people + [
        MemberReference(each, email=each) for each in emails if each.casefold() not in known
    ]


def assistants(api: Api, scope: Scope, user_id: str) -> list[Colleague]:
    return _colleagues(scope, api.assistants.list(user_id).assistants)


def schedulers(api: Api, scope: Scope, user_id: str) -> list[Colleague]:
    return _colleagues(scope, api.schedulers.list(user_id).assistants)


def add_assistants(
    api: Api, user_id: str, people: Sequence[MemberReference]
) -> ManyOutcome[MemberReference]:
    """Adds colleagues and email addresses, as far as the service takes them.

    The service ignores the email of a colleague; it is sent for the audit trail to be readable.
    """

    def ask(some: Sequence[MemberReference]) -> None:
        named = [Delegate(id=one.id or None, email=one.email or None) for one in some]
        api.assistants.add(user_id, DelegateList(assistants=named))

    return bulk_result.carry_out(people, ask, at_once=MOST, place="assistants")


def _colleagues(scope: Scope, delegates: Iterable[Delegate]) -> list[Colleague]:
    return reported(scope, [(one.id or "", one.email or "") for one in delegates])
