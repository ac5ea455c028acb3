"""The first page: what needs somebody today, over all of their connections, and the account in use
at a glance."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portal.access.grants import connections_of
from portal.access.http import PortalRequest
from portal.config import clock
from portal.ui.context import connection_shown, own_connections
from portal.ui.home import columns_of, groups_of, panels_of, tiles_of
from portal.ui.navigation import settings_of
from portal.ui.pages import page


@require_safe
def home(request: PortalRequest) -> HttpResponse:
    """Shows the first page from stored data alone: no service is called. Without a connection, the
    first step."""
    connections = list(connections_of(request.user).select_related("owner"))
    if not connections:
        return render(request, "ui/welcome.html")
    groups = groups_of(request.user, connections)
    unknown = {title: None for group in groups for title in group.unknown}
    checked = {title: None for group in groups for title in group.checked if title not in unknown}
    connection = connection_shown(request, lambda: connections)
    scope = next((group.scope for group in groups if group.connection == connection), None)
    context = {
        "scope": scope,
        "tiles": tiles_of(scope) if scope else [],
        "panels": panels_of(scope) if scope else [],
        "groups": groups,
        "columns": columns_of([group.scope for group in groups]) if len(groups) > 1 else [],
        "is_grouped": len(groups) > 1,
        "needing": sum(len(group.needing) for group in groups),
        "is_incomplete": any(group.is_incomplete for group in groups),
        "checked": list(checked),
        "unknown": list(unknown),
        "as_of": clock.now(),
    }
    return page(request, "ui/home.html", context)


@require_safe
def settings_overview(request: PortalRequest) -> HttpResponse:
    """Lists each page of the settings that this person may open."""
    connection = connection_shown(request, lambda: own_connections(request))
    context = {"sections": settings_of(request, connection), "connection": connection}
    return page(request, "ui/settings_overview.html", context)
