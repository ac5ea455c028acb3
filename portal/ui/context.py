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
from portal.config.request_log import request_id
from portal.ui.locales import made_in
from portal.ui.navigation import Section, same_kind_of_page, sections
from portal.ui.preferences import chosen


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


def _for_signed_in(request: PortalRequest) -> dict[str, Callable[[], Any]]:
    @cache
    def own() -> list[Connection]:
        return list(connections_of(request.user).select_related("owner"))

    @cache
    def current() -> Connection | None:
        """The connection of the page; on the portal's own pages the one that was used last."""
        if hasattr(request, "connection"):
            return request.connection
        last = request.session.get(LAST_USED)
        first = next(iter(own()), None)
        return next((connection for connection in own() if connection.key == last), first)

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

    def navigation() -> list[Section]:
        return sections(request, current())

    return {
        "connections": connections,
        "current_connection": current,
        "navigation": navigation,
    }
