"""The address of a connection by itself, which leads to the first of its pages."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from portal.access.connected import NoOperation, connected
from portal.access.http import PortalRequest
from portal.ui.navigation import first_page
from portal.ui.pages import go


@require_safe
@connected(needs=NoOperation("It shows nothing itself."))
def start(request: PortalRequest) -> HttpResponse:
    """To the first page that this person may open there."""
    return go(request, first_page(request, request.connection))
