"""A user's requests, and those that wait for them, in the navigation and on Home."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from django.db.models import Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from portal.access.approval_rules import approves, is_approver
from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.subjects import of_others
from portal.config import clock
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet
from portal.ui.navigation import OVERSIGHT, PORTAL, NavigationEntry

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
# What came of a request is spoken of for so long.
_RECENT = timedelta(days=3)
_SHOWN = 3
_ENDED_BADLY = (
    RequestState.DECLINED,
    RequestState.LAPSED,
    RequestState.FAILED,
    RequestState.UNKNOWN,
)


def visible_to(user: User, connection: Connection) -> QuerySet[ApprovalRequest]:
    """Returns all requests but the drafts of others to people who may approve, and to others their
    own."""
    requests = ApprovalRequest.objects.filter(connection=connection)
    requests = requests.select_related("requester", "approver", "connection__owner")
    if is_approver(user, connection):
        return requests.exclude(~Q(requester=user), state=RequestState.DRAFT)
    return requests.filter(requester=user)


def waiting_for(user: User, connection: Connection) -> list[ApprovalRequest]:
    """The requests that this person may approve now, the oldest first."""
    waiting = _waiting(user, [connection])
    return of_others(user, waiting) if waiting and is_approver(user, connection) else []


def waiting_over(user: User, scopes: Iterable[Scope]) -> dict[int, list[ApprovalRequest]]:
    """Returns those of several connections at once, by the connection's primary key."""
    approving = [scope.connection for scope in scopes if approves(scope)]
    by_connection: dict[int, list[ApprovalRequest]] = {}
    for asked in of_others(user, _waiting(user, approving)):
        by_connection.setdefault(asked.connection_id, []).append(asked)
    return by_connection


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


NAVIGATION = NavigationEntry(
    OVERSIGHT,
    20,
    gettext_lazy("Approvals"),
    "user-check",
    "approvals:list",
    of_connection=True,
    count=_count,
)


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    waiting, ended = waiting_over(user, scopes), _ended(user, scopes)
    return {
        scope.connection.pk: [
            *_own_requests(scope, waiting.get(scope.connection.pk, [])),
            *ended[scope.connection.pk],
        ]
        for scope in scopes
    }


def _own_requests(scope: Scope, waiting: Sequence[ApprovalRequest]) -> Iterator[HomeLine]:
    if len(waiting) == 1:
        asked = waiting[0]
        words = _("%(person)s asks for your approval: %(title)s") % {
            "person": asked.requester,
            "title": asked.title_in_words,
        }
        yield HomeLine("warning", words, asked.get_absolute_url(), asked.reason, asked.asked_at)
    elif waiting:
        url = f"{reverse('approvals:list', args=[scope.connection.key])}?state=mine"
        count = len(waiting)
        words = ngettext(
            "%(count)s request waits for your approval",
            "%(count)s requests wait for your approval",
            count,
        ) % {"count": number(count)}
        yield HomeLine("warning", words, url, since=waiting[0].asked_at)


def _ended(user: User, scopes: Sequence[Scope]) -> dict[int, list[HomeLine]]:
    """Returns results of the person's own requests, the newest few of each connection."""
    lines = none_yet(scopes)
    own = ApprovalRequest.objects.filter(connection__in=list(lines), requester=user)
    ended = own.filter(state__in=_ENDED_BADLY, ended_at__gt=clock.now() - _RECENT)
    newer = Window(RowNumber(), partition_by="connection", order_by="-id")
    for asked in ended.annotate(newer=newer).filter(newer__lte=_SHOWN).select_related("connection"):
        words = _("Your request has ended: %(title)s") % {"title": asked.title_in_words}
        why = f"{asked.state_in_words}. {asked.answer_in_words}".strip()
        line = HomeLine("neutral", words, asked.get_absolute_url(), why, asked.ended_at)
        lines[asked.connection_id].append(line)
    return lines


APPROVALS = HomeItem(gettext_lazy("Approvals"), 5, _read)
