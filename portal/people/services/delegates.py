"""A person's assistants, and those whom a person may schedule for."""

from collections.abc import Iterable, Sequence

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.delegates import Delegate, DelegateList
from portal.directory.colleagues import Colleague, reported
from portal.people.services.references import MemberReference
from portal.ui import many
from portal.ui.many import ManyOutcome

MOST = 30


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

    return many.carry_out(people, ask, at_once=MOST, place="assistants")


def _colleagues(scope: Scope, delegates: Iterable[Delegate]) -> list[Colleague]:
    return reported(scope, [(one.id or "", one.email or "") for one in delegates])
