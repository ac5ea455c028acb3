"""The lists of groups and of IM groups."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from portal.access.http import PortalRequest
from portal.mirror import groups as mirror
from portal.mirror.models import MirrorState
from portal.mirror.refresh import looked_at, request_refresh
from portal.mirror.views.freshness import how_fresh
from portal.people.forms.groups import GroupFilter
from portal.people.group_tables import GroupsTable, ImGroupsTable
from portal.people.services import groups as service
from portal.people.services.group_kinds import GROUPS, IM_GROUPS, Kind
from portal.people.views.groups.kinds import group_url, of_kind
from portal.ui import listing
from portal.ui.listing import Listing
from portal.ui.pages import page

_LISTS = {
    GROUPS: listing.Kind("groups", "group", "groups"),
    IM_GROUPS: listing.Kind("im-groups", "IM group", "IM groups"),
}


@require_GET
@of_kind("list")
def group_list(request: PortalRequest, kind: Kind) -> HttpResponse:
    """All groups of a kind, by name or size."""
    filters = GroupFilter(request.GET)
    search = filters.cleaned_data.get("q") or ""
    rows = service.find(request.connection, kind, search, filters.order)
    table_class = ImGroupsTable if kind is IM_GROUPS else GroupsTable
    table = table_class(rows, key=request.connection.key, order_by=filters.order)
    context = {
        **_freshness(request, kind, looked_at(request.connection, mirror.KIND)),
        "list": Listing(request, _LISTS[kind], filters, table),
        "filters": filters,
        "kinds": [
            (known.many, group_url(request, each, "list"), each.slug)
            for each, known in _LISTS.items()
        ],
    }
    fragment = "results" if request.htmx and request.htmx.target == "results" else "content"
    return page(request, "people/groups.html", context, fragment=fragment)


@require_GET
@of_kind("list")
def freshness(request: PortalRequest, kind: Kind) -> HttpResponse:
    """How old the list is; the list asks while a refresh is running."""
    return _how_fresh(request, kind, mirror.state_of(request.connection))


@require_POST
@of_kind("list")
def refresh(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Asks for a newer copy of the list."""
    return _how_fresh(request, kind, request_refresh(request.connection, mirror.KIND))


def _how_fresh(request: PortalRequest, kind: Kind, state: MirrorState) -> HttpResponse:
    context = _freshness(request, kind, state)
    return how_fresh(request, "people/groups.html", context, group_url(request, kind, "list"))


def _freshness(request: PortalRequest, kind: Kind, state: MirrorState) -> dict[str, Any]:
    known = _LISTS[kind]
    return {
        "kind": kind,
        "state": state,
        "everything": service.find(request.connection, kind).count(),
        "one": known.one,
        "many": known.many,
        "refresh_name": f"{kind.slug}:refresh",
        "freshness_name": f"{kind.slug}:freshness",
    }
