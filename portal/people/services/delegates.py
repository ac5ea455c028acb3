"""A person's assistants, and those whom a person may schedule for."""

import re
from collections.abc import Iterable

from portal.access.models import Connection
from portal.client import Api, Invalid
from portal.contract.delegates import Delegate, DelegateList
from portal.contract.problems import FieldProblem
from portal.people.services.colleagues import Colleague, named

MOST = 30


def assistants(api: Api, connection: Connection, user_id: str) -> list[Colleague]:
    return _colleagues(connection, api.assistants.list(user_id).assistants)


def schedulers(api: Api, connection: Connection, user_id: str) -> list[Colleague]:
    return _colleagues(connection, api.schedulers.list(user_id).assistants)


def add_assistants(
    api: Api,
    connection: Connection,
    user_id: str,
    picked: Iterable[Colleague],
    emails: Iterable[str],
) -> None:
    """Adds colleagues and email addresses. Raises `ApiError`, whose problems name who is meant.

    The service ignores the email of a colleague; it is sent for the audit trail to be readable.
    """
    wanted = [Delegate(id=one.id, email=one.email) for one in picked]
    wanted += [Delegate(email=email) for email in emails]
    try:
        api.assistants.add(user_id, DelegateList(assistants=wanted))
    except Invalid as error:
        error.fields = tuple(_naming(problem, wanted, connection) for problem in error.fields)
        raise


def _naming(problem: FieldProblem, wanted: list[Delegate], connection: Connection) -> FieldProblem:
    """A problem with `assistants.0.email`, which a person does not count, by the address."""
    found = re.match(r"assistants\.(\d+)\.", problem.field)
    if not found or int(found[1]) >= len(wanted):
        return problem
    who = _colleagues(connection, [wanted[int(found[1])]])[0]
    return FieldProblem(problem.field, f"{who.name}: {problem.message}")


def _colleagues(connection: Connection, delegates: Iterable[Delegate]) -> list[Colleague]:
    return named(connection, [(one.id or "", one.email or "") for one in delegates])
