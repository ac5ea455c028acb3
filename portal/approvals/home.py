"""Lines of the first page about approvals: requests that wait, and results of one's own."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db.models import Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from portal.access.models import User
from portal.access.scope import Scope
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.waiting import waiting_over
from portal.config import clock
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet

# What came of a request is spoken of for so long.
_RECENT = timedelta(days=3)
_SHOWN = 3
_ENDED_BADLY = (
    RequestState.DECLINED,
    RequestState.LAPSED,
    RequestState.FAILED,
    RequestState.UNKNOWN,
)


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    waiting, ended = waiting_over(user, scopes), _ended(user, scopes)
    return {
        scope.connection.pk: [
            *_asked(scope, waiting.get(scope.connection.pk, [])),
            *ended[scope.connection.pk],
        ]
        for scope in scopes
    }


def _asked(scope: Scope, waiting: Sequence[ApprovalRequest]) -> Iterator[HomeLine]:
    if len(waiting) == 1:
        asked = waiting[0]
        words = _("%(person)s asks for your approval: %(title)s") % {
            "person": asked.requester,
            "title": asked.title_in_words,
        }
        yield HomeLine("warning", words, _page(asked), asked.reason, asked.asked_at)
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
        line = HomeLine("neutral", words, _page(asked), why, asked.ended_at)
        lines[asked.connection_id].append(line)
    return lines


def _page(asked: ApprovalRequest) -> str:
    return reverse("approvals:request", args=[asked.connection.key, asked.key])


APPROVALS = HomeItem(gettext_lazy("Approvals"), 5, _read)
