"""The landing page: the account used last, or the first step towards a connection."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from portal.access.connected import LAST_USED
from portal.access.http import PortalRequest
from portal.access.models import Connection


@require_safe
def home(request: PortalRequest) -> HttpResponse:
    connections = list(Connection.objects.filter(owner=request.user))
    if not connections:
        return render(request, "access/welcome.html")
    last = request.session.get(LAST_USED)
    chosen = next((one for one in connections if one.key == last), connections[0])
    return redirect("people:list", connection=chosen.key)
