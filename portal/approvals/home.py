"""A user's requests, and those that wait for them, in the navigation and on Home."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from hashlib import blake2s

from django.db.models import Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.models import Connection, Elevation, Share, User
from portal.access.scope import Scope
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.subjects import of_others, supported_among
from portal.audit.narrowing import shown_since
from portal.config import cache, clock, page_memory
from portal.connections.approval_rules import approves, is_approver
from portal.connections.services.elevation import may_decide
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
    own, since they were limited as they are."""
    requests = ApprovalRequest.objects.filter(connection=connection)
    requests = requests.select_related("requester", "approver", "connection__owner")
    if is_approver(user, connection):
        return requests.exclude(~Q(requester=user), state=RequestState.DRAFT)
    own = requests.filter(requester=user)
    since = shown_since(scope_of(user, connection))
    return own.filter(created_at__gte=since) if since else own


def waiting_for(user: User, connection: Connection) -> list[ApprovalRequest]:
    """The requests that this person may approve now, the oldest first."""
    return waiting_over(user, [scope_of(user, connection)]).get(connection.pk, [])


def waiting_over(user: User, scopes: Iterable[Scope]) -> dict[int, list[ApprovalRequest]]:
    """Returns those of several connections at once, by the connection's primary key."""
    approving = [scope.connection.pk for scope in scopes if approves(scope)]
    return _of_others(user, [key for key, asked in _asked(user, approving).items() if asked])


def _asked(user: User, connections: Collection[int]) -> dict[int, list[int]]:
    """Returns the primary keys of the requests of others. A page asks once, and mostly nothing
    waits."""

    def read(keys: list[int]) -> dict[int, list[int]]:
        asked: dict[int, list[int]] = {key: [] for key in keys}
        for connection, pk in _waiting(user, keys).order_by("pk").values_list("connection", "pk"):
            asked[connection].append(pk)
        return asked

    return page_memory.read_once(f"requests-asked:{user.pk}", connections, read)


def _of_others(user: User, connections: Collection[int]) -> dict[int, list[ApprovalRequest]]:
    """Returns the requests for which the user counts as another administrator, the oldest
    first."""

    def read(keys: list[int]) -> dict[int, list[ApprovalRequest]]:
        by_connection: dict[int, list[ApprovalRequest]] = {}
        waiting = _waiting(user, keys).select_related("requester", "connection__owner")
        for asked in of_others(user, supported_among(list(waiting.order_by("asked_at")))):
            by_connection.setdefault(asked.connection_id, []).append(asked)
        return by_connection

    return page_memory.read_once(f"requests-wait:{user.pk}", connections, read)


def _waiting(user: User, connections: Collection[int]) -> QuerySet[ApprovalRequest]:
    waiting = ApprovalRequest.objects.filter(
        connection__in=connections, state=RequestState.WAITING, lapses_at__gt=clock.now()
    )
    return waiting.exclude(requester=user)


def _count(user: User, scope: Scope) -> int:
    """Counted anew when other requests wait, and each minute."""
    key = scope.connection.pk
    asked = _asked(user, [key])[key] if approves(scope) else ()
    if not asked:
        return 0
    which = blake2s(repr((user.pk, key, asked)).encode(), digest_size=12).hexdigest()
    return cache.cached(
        f"requests-for:{which}", 60, lambda: len(waiting_over(user, [scope]).get(key, []))
    )


NAVIGATION = NavigationEntry(
    OVERSIGHT,
    20,
    gettext_lazy("Approvals"),
    "user-check",
    "approvals:list",
    of_connection=True,
    count=_count,
    counted="state=mine",
)


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    waiting = waiting_over(user, scopes)
    return {
        scope.connection.pk: list(_own_requests(scope, waiting.get(scope.connection.pk, [])))
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


def _waiting_elevations(_user: User, scopes: Sequence[Scope]) -> QuerySet[Elevation]:
    deciding = [scope.connection.pk for scope in scopes if scope.is_owner or approves(scope)]
    return Elevation.objects.waiting().filter(share__connection__in=deciding)


def _elevations(user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns the requests for a greater role that this user may decide."""
    lines = none_yet(scopes)
    waiting = _waiting_elevations(user, scopes)
    waiting = waiting.select_related("share__user", "share__connection__owner")
    for asked in waiting.filter(share__in=Share.objects.current()).order_by("asked_at"):
        if may_decide(user, asked):
            share = asked.share
            words = _("%(person)s asks to be %(role)s on %(connection)s") % {
                "person": share.user,
                "role": asked.get_role_display(),
                "connection": share.connection,
            }
            where = [share.connection.key, share.user_id]
            url = reverse("connections:share-elevation", args=where)
            line = HomeLine("warning", words, url, asked.reason, asked.asked_at)
            lines[share.connection_id].append(line)
    return lines


def _ended_requests(user: User, scopes: Sequence[Scope]) -> QuerySet[ApprovalRequest]:
    connections = [scope.connection for scope in scopes]
    own = ApprovalRequest.objects.filter(connection__in=connections, requester=user)
    return own.filter(state__in=_ENDED_BADLY, ended_at__gt=clock.now() - _RECENT)


def _ended(user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns results of the person's own requests, the newest few of each connection."""
    lines, ended = none_yet(scopes), _ended_requests(user, scopes)
    for scope in scopes:
        if since := shown_since(scope):
            ended = ended.exclude(connection=scope.connection, created_at__lt=since)
    newer = Window(RowNumber(), partition_by="connection", order_by="-id")
    for asked in ended.annotate(newer=newer).filter(newer__lte=_SHOWN).select_related("connection"):
        words = _("Your request has ended: %(title)s") % {"title": asked.title_in_words}
        why = f"{asked.state_in_words}. {asked.answer_in_words}".strip()
        line = HomeLine("neutral", words, asked.get_absolute_url(), why, asked.ended_at)
        lines[asked.connection_id].append(line)
    return lines


_TITLE = gettext_lazy("Approvals")
APPROVALS = (
    HomeItem(_TITLE, 5, _read),
    HomeItem(_TITLE, 5, _elevations, rows=_waiting_elevations),
    HomeItem(_TITLE, 5, _ended, rows=_ended_requests),
)
