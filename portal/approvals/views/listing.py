"""The requests of a connection: those that wait for me, my own, and all that have ended."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.approval_rules import rule_of
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.approvals.models import OPEN, ApprovalRequest, RequestState
from portal.approvals.states import tone_of
from portal.approvals.views.found import OF_THE_REQUEST
from portal.approvals.waiting import visible_to, waiting_for
from portal.translation import gettext_lazy
from portal.ui.pages import page
from portal.ui.tabs import FilterTab

_PAGE = 25
_TABS = {
    "": gettext_lazy("All open"),
    "mine": gettext_lazy("Waiting for me"),
    "asked": gettext_lazy("Asked by me"),
    "ended": gettext_lazy("Past"),
}


@require_GET
@connected(needs=OF_THE_REQUEST)
def requests(request: PortalRequest) -> HttpResponse:
    """All requests that this person sees, newest first."""
    tab = request.GET.get("state", "")
    tab = tab if tab in _TABS else ""
    found = {name: _narrowed(request, name) for name in _TABS}
    shown = Paginator(found[tab], _PAGE).get_page(request.GET.get("page"))
    rule = rule_of(request.connection)
    context = {
        "page": shown,
        "rows": [(asked, tone_of(asked)) for asked in shown],
        "tabs": [
            FilterTab(name, label, name == tab, found[name].count())
            for name, label in _TABS.items()
        ],
        "tab": tab,
        "is_on": rule is not None and not rule.asks_for_nothing,
        "is_owner": request.connection.owner_id == request.user.pk
        and request.user.is_administrator,
    }
    return page(request, "approvals/list.html", context)


def _narrowed(request: PortalRequest, tab: str) -> QuerySet[ApprovalRequest]:
    found = visible_to(request.user, request.connection)
    match tab:
        case "mine":
            mine = waiting_for(request.user, request.connection)
            return found.filter(pk__in=[asked.pk for asked in mine])
        case "asked":
            return found.filter(requester=request.user)
        case "ended":
            return found.exclude(state__in=(RequestState.DRAFT, *OPEN))
        case _:
            return found.filter(state__in=OPEN)
