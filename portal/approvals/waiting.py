"""Which requests somebody sees, and which wait for them."""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from portal.access.approval_rules import approves, is_approver
from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.subjects import of_others
from portal.config import clock
from portal.translation import gettext_lazy
from portal.ui.navigation import OVERSIGHT, PORTAL, NavigationEntry


def visible_to(user: User, connection: Connection) -> QuerySet[ApprovalRequest]:
    """Returns all requests but the drafts of others to people who may approve, and to others their
    own."""
    found = ApprovalRequest.objects.filter(connection=connection)
    found = found.select_related("requester", "approver", "connection__owner")
    if is_approver(user, connection):
        return found.exclude(~Q(requester=user), state=RequestState.DRAFT)
    return found.filter(requester=user)


def waiting_for(user: User, connection: Connection) -> list[ApprovalRequest]:
    """The requests that this person may approve now, the oldest first."""
    found = _waiting(user, [connection])
    return of_others(user, found) if found and is_approver(user, connection) else []


def waiting_over(user: User, scopes: Iterable[Scope]) -> dict[int, list[ApprovalRequest]]:
    """Returns those of several connections at once, by the connection's primary key."""
    approving = [scope.connection for scope in scopes if approves(scope)]
    found: dict[int, list[ApprovalRequest]] = {}
    for asked in of_others(user, _waiting(user, approving)):
        found.setdefault(asked.connection_id, []).append(asked)
    return found


def _waiting(user: User, connections: Sequence[Connection]) -> list[ApprovalRequest]:
    """Returns the requests of others, the oldest first."""
    waiting = ApprovalRequest.objects.filter(
        connection__in=connections, state=RequestState.WAITING, lapses_at__gt=clock.now()
    )
    others = waiting.exclude(requester=user).select_related("requester", "connection__owner")
    return list(others.order_by("asked_at"))


def _count(user: User, scope: Scope) -> int:
    """Asked with every page; mostly nothing waits."""
    connection = scope.connection
    asked = ApprovalRequest.objects.filter(connection=connection, state=RequestState.WAITING)
    return len(waiting_for(user, connection)) if asked.exists() else 0


RULES = NavigationEntry(
    PORTAL,
    50,
    gettext_lazy("Approval rules"),
    "shield-question-mark",
    "approvals:rules",
    of_connection=True,
    owners_only=True,
    about=gettext_lazy("What needs a second administrator"),
)
NAVIGATION = NavigationEntry(
    OVERSIGHT,
    20,
    gettext_lazy("Approvals"),
    "user-check",
    "approvals:list",
    of_connection=True,
    count=_count,
)
