"""The list of people: read from the mirror, so that it can be searched, sorted and kept."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users, UserStatus
from portal.mirror import users as mirror
from portal.mirror.groups import KIND as GROUPS
from portal.mirror.models import MirrorState
from portal.mirror.refresh import looked_at, request_refresh
from portal.mirror.views.freshness import how_fresh
from portal.people.filters import PeopleFilter
from portal.people.tables import PEOPLE, PeopleTable
from portal.ui.listing import Listing
from portal.ui.pages import page


@dataclass(frozen=True)
class StatusTab:
    """One of the tabs above the list, with how many people it holds."""

    value: str
    label: str
    count: int
    is_current: bool


@require_GET
@connected(needs=Users.list)
def people_list(request: PortalRequest) -> HttpResponse:
    """Everybody on the account, by search, status, licence and department."""
    state = looked_at(request.connection)
    looked_at(request.connection, GROUPS)
    filters = PeopleFilter(request.GET, request.connection)
    counts = mirror.counts_by_status(request.connection)
    table = PeopleTable(
        mirror.find(request.connection, filters.wanted, filters.order),
        key=request.connection.key,
        groups=filters.group_names,
        order_by=filters.order,
    )
    listing = Listing(request, PEOPLE, filters, table, count=_known_count(filters, counts))
    context = {
        "state": state,
        "list": listing,
        "filters": filters,
        "tabs": _tabs(counts, filters.chosen_status),
        "everybody": sum(counts.values()),
    }
    fragment = "results" if request.htmx and request.htmx.target == "results" else "content"
    return page(request, "people/list.html", context, fragment=fragment)


def _known_count(filters: PeopleFilter, counts: dict[str, int]) -> int | None:
    """The tabs have counted these already; a count of 50,000 rows is not for nothing."""
    if filters.chips:
        return None
    chosen = filters.chosen_status
    return counts.get(chosen, 0) if chosen else sum(counts.values())


def _tabs(counts: dict[str, int], chosen: str) -> list[StatusTab]:
    tabs = [StatusTab("", "All", sum(counts.values()), not chosen)]
    tabs += [
        StatusTab(status.value, status.label, counts.get(status.value, 0), status.value == chosen)
        for status in UserStatus
    ]
    return tabs


@require_GET
@connected(needs=Users.list)
def freshness(request: PortalRequest) -> HttpResponse:
    """How old the list is, or how far its refresh has come; the list asks while one is running."""
    return _how_fresh(request, mirror.state_of(request.connection))


@require_POST
@connected(needs=Users.list)
def refresh(request: PortalRequest) -> HttpResponse:
    """Asks for a newer copy of the list."""
    return _how_fresh(request, request_refresh(request.connection))


def _how_fresh(request: PortalRequest, state: MirrorState) -> HttpResponse:
    everybody = sum(mirror.counts_by_status(request.connection).values())
    context = {"state": state, "everybody": everybody}
    whole = reverse("people:list", args=[request.connection.key])
    return how_fresh(request, "people/list.html", context, whole)
