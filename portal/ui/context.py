"""Context processors: what the shell shows on every page, looked up lazily."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone

from portal.access.connected import LAST_USED
from portal.access.grants import connections_of, scopes_of
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.config.middleware import request_id
from portal.ui.navigation import navigation, same_kind_of_page
from portal.ui.preferences import chosen, made_in


@dataclass(frozen=True)
class Choice:
    connection: Connection
    account: str
    url: str
    is_current: bool


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
    own = cache(lambda: own_connections(signed_in))
    current = cache(lambda: connection_shown(signed_in, own))

    def choices() -> list[Choice]:
        return [
            Choice(
                scope.connection,
                scope.account,
                same_kind_of_page(signed_in, scope.connection),
                scope.connection == current(),
            )
            for scope in scopes_of(signed_in.user, own())
        ]

    return context | {
        "connections": choices,
        "current_connection": current,
        "navigation": cache(lambda: navigation(signed_in, current())),
    }


def connection_shown(
    request: PortalRequest, own: Callable[[], list[Connection]]
) -> Connection | None:
    """Returns the connection of the page; on the portal's own pages the one that was used last."""
    if hasattr(request, "connection"):
        return request.connection
    last = request.session.get(LAST_USED)
    first = next(iter(own()), None)
    return next((connection for connection in own() if connection.key == last), first)


def own_connections(request: PortalRequest) -> list[Connection]:
    return list(connections_of(request.user).select_related("owner"))
