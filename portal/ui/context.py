"""Context processors: what the shell shows on every page, looked up lazily."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone

from portal.access.connected import LAST_USED
from portal.access.grants import connections_of, grants_of
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.config.middleware import request_id
from portal.ui.navigation import Navigation, navigation, same_kind_of_page
from portal.ui.preferences import chosen, made_in


@dataclass(frozen=True)
class Choice:
    """A connection in the switcher."""

    connection: Connection
    account: str
    url: str
    is_current: bool


def shell(request: HttpRequest) -> dict[str, Any]:
    """The context processor."""
    context: dict[str, Any] = {
        "theme": chosen(request, "theme"),
        "density": chosen(request, "density"),
        "viewer_zone": timezone.get_current_timezone_name(),
        "made_in": made_in(request),
        "request_id": request_id(),
    }
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        context |= _for_signed_in(cast(PortalRequest, request))
    return context


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


def _for_signed_in(request: PortalRequest) -> dict[str, Callable[[], Any]]:
    @cache
    def own() -> list[Connection]:
        return own_connections(request)

    @cache
    def current() -> Connection | None:
        return connection_shown(request, own)

    def connections() -> list[Choice]:
        return [
            Choice(
                scope.connection,
                scope.account,
                same_kind_of_page(request, scope.connection),
                scope.connection == current(),
            )
            for scope in grants_of(request.user, own())
        ]

    @cache
    def shown() -> Navigation:
        return navigation(request, current())

    return {
        "connections": connections,
        "current_connection": current,
        "navigation": shown,
    }
