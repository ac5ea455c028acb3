"""Context processors: what the shell shows on every page, looked up lazily."""

from functools import cache
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone

from portal.access.grants import connections_of
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.config.middleware import request_id
from portal.connections.connected import LAST_USED
from portal.ui.navigation import navigation
from portal.ui.preferences import chosen, made_in


def shell(request: HttpRequest) -> dict[str, Any]:
    context: dict[str, object] = {
        "theme": chosen(request, "theme"),
        "density": chosen(request, "density"),
        "viewer_zone": timezone.get_current_timezone_name(),
        "made_in": made_in(request),
        "request_id": request_id(),
    }
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return context
    signed_in = cast(PortalRequest, request)
    current = cache(lambda: connection_shown(signed_in))
    return context | {
        "current_connection": current,
        "navigation": cache(lambda: navigation(signed_in, current())),
    }


def connection_shown(request: PortalRequest) -> Connection | None:
    """Returns the connection of the page; on the portal's own pages the one that was used last, or
    else the first."""
    if hasattr(request, "connection"):
        return request.connection
    if hasattr(request, "shown_connection"):
        return request.shown_connection
    own = connections_of(request.user).select_related("owner")
    last = request.session.get(LAST_USED)
    return (own.filter(key=last).first() if last else None) or own.first()
