"""Effects on the lists of calls that were made outside the pages of people and groups."""

from collections.abc import Sequence
from typing import Any

from portal.access.api import Made
from portal.access.scope import Scope
from portal.client import Api
from portal.contract.groups import Groups, ImGroups
from portal.contract.operation import Call
from portal.contract.users import NewUser, StatusChange, Users
from portal.directory import groups as mirrored_groups
from portal.directory import users as mirror
from portal.people.services import groups, person
from portal.people.services.creation import status_after
from portal.people.services.group_types import GROUP_TYPES
from portal.people.services.status import RESULT


def update_lists(scope: Scope, api: Api, calls: Sequence[Made], **_: object) -> None:
    """Reads again what the calls were about; what was deleted is forgotten."""
    for call, answer in calls:
        if call.operation.family == Users.name:
            _person(scope, api, call, answer)
        elif call.operation.family in (Groups.name, ImGroups.name):
            _group(scope, api, call, answer)


def _person(scope: Scope, api: Api, call: Call[Any], answer: Any) -> None:
    if isinstance(call.body, NewUser):
        person.settle(api, scope, answer.id, status_after(call.body.action))
        return
    user_id = str(call.ids[0])
    if call.operation == Users.delete:
        mirror.remove(scope.connection, [user_id])
        return
    status = RESULT[call.body.action] if isinstance(call.body, StatusChange) else None
    person.settle(api, scope, user_id, status)


def _group(scope: Scope, api: Api, call: Call[Any], answer: Any) -> None:
    [kind] = (each for each in GROUP_TYPES.values() if each.family.name == call.operation.family)
    if call.operation == kind.family.create:
        groups.settle(api, scope.connection, kind, answer.id)
        return
    group_id, *members = map(str, call.ids)
    if call.operation == kind.family.delete:
        mirrored_groups.drop(scope.connection, kind.mirrored, group_id)
        return
    groups.settle(api, scope.connection, kind, group_id)
    named = getattr(call.body, "members", ())
    for user_id in [*members, *(one.id or one.email for one in named)]:
        person.settle(api, scope, user_id)
