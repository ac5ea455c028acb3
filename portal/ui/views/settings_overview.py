"""The overview of the settings: of the account, of the portal, and one's own."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.ui.context import connection_shown, own_connections
from portal.ui.navigation import settings_of
from portal.ui.pages import page


@require_safe
def settings_overview(request: PortalRequest) -> HttpResponse:
    """Lists each page of the settings that this person may open."""
    connection = connection_shown(request, lambda: own_connections(request))
    context = {"sections": settings_of(request, connection), "connection": connection}
    return page(request, "ui/settings_overview.html", context)
