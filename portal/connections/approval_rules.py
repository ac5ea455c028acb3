"""Which calls and jobs wait for another administrator's approval, and who may give it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q

from portal.access.grants import scope_of
from portal.access.models import ApprovalRule, Connection, User
from portal.access.roles import Role
from portal.access.scope import Scope
from portal.audit.account_history import AccountHistory
from portal.audit.models import AuditEntry
from portal.connections.standing import is_another
from portal.contract.operation import AnyOperation, Call


class ApprovalRequired(PermissionDenied):
    """A call that waits for another administrator's approval: nothing was sent.

    `intent` is the entry that the audit trail would have of it: what it is about, in words and
    without secrets. `chosen` is what was chosen about what goes with it, `shown` what the page said
    of it by language, and `reason` why it is needed, where that was typed already.
    """

    def __init__(self, connection: Connection, call: Call[object], intent: AuditEntry) -> None:
        super().__init__(call.operation.name)
        self.connection = connection
        self.call = call
        self.intent = intent
        self.chosen: dict[str, object] = {}
        self.shown: Any = {}
        self.reason = ""


def rule_of(connection: Connection) -> ApprovalRule | None:
    return ApprovalRule.objects.filter(connection=connection).first()


def is_chosen(connection: Connection, operation: AnyOperation) -> bool:
    """Returns whether each call of the operation waits for an approval on this connection."""
    rule = rule_of(connection)
    return rule is not None and operation.name in rule.operations


def approvers_of(
    connection: Connection, *, other_than: Collection[int], since: datetime
) -> list[User]:
    """Returns the administrators of the whole connection who count as another than these, by their
    primary keys, for what was begun at `since`."""
    people = User.objects.filter(is_active=True, role=Role.ADMINISTRATOR)
    people = people.filter(
        Q(pk=connection.owner_id) | Q(pk__in=connection.shares.current().values("user"))
    ).exclude(pk__in=other_than)
    return [
        person
        for person in people.order_by("email")
        if is_approver(person, connection)
        and is_another(AccountHistory(person), than=other_than, since=since)
    ]


def is_approver(person: User, connection: Connection) -> bool:
    """Returns whether a person administers the whole connection now, without any limits."""
    return approves(scope_of(person, connection))


def approves(scope: Scope) -> bool:
    """Returns whether the scope is that of an administrator of the whole connection, and not for
    some hours alone."""
    is_administrator = scope.role == Role.ADMINISTRATOR and scope.elevation is None
    return is_administrator and not scope.is_limited
