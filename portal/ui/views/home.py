"""The first page: what needs somebody today, over all of their connections."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.ui.home import group_of
from portal.ui.pages import page


@require_safe
def home(request: PortalRequest) -> HttpResponse:
    """What is kept says it all: no service is called. Without a connection, the first step."""
    connections = list(Connection.objects.filter(owner=request.user).select_related("owner"))
    if not connections:
        return render(request, "ui/welcome.html")
    groups = [group_of(request.user, connection) for connection in connections]
    unknown = {title: None for group in groups for title in group.unknown}
    checked = {title: None for group in groups for title in group.checked if title not in unknown}
    context = {
        "groups": groups,
        "is_grouped": len(groups) > 1,
        "needing": sum(len(group.needing) for group in groups),
        "checked": list(checked),
        "unknown": list(unknown),
        "as_of": timezone.now(),
    }
    return page(request, "ui/home.html", context)
