"""The page of a connection's check: what it can be used for."""

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from portal.access.check_report import CheckReport
from portal.access.http import PortalRequest
from portal.access.models import Connection, ConnectionCheck
from portal.access.origin import origin_of
from portal.access.services import checking
from portal.config import clock

_UNHEARD_AFTER = timedelta(seconds=5)


def check(request: PortalRequest, key: str) -> HttpResponse:
    """Shows the last check to whoever owns the connection, and begins another."""
    connection = get_object_or_404(Connection, key=key, owner=request.user)
    if request.method == "POST":
        checking.request_check(connection, origin_of(request))
        return redirect("access:connection-check", key=key)
    last = ConnectionCheck.objects.filter(connection=connection).first()
    if last and last.asked_at < clock.now() - _UNHEARD_AFTER:
        checking.remind(last)
    report = CheckReport(last) if last else None
    context = {"edited": connection, "report": report}
    return render(request, "access/check.html", context)
