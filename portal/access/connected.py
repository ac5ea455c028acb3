"""`connected`: the decorator of every view that works on a conferencing account."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, overload

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404

from portal.access import reauthentication
from portal.access.api import api_for_request
from portal.access.calls import check
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.contract.operation import Operation

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]

LAST_USED = "connection"  # the session's key for the connection to come back to


@overload
def connected(view: View[P], /) -> Callable[..., HttpResponseBase]: ...


@overload
def connected(
    *, needs: Operation[Any, Any] | None
) -> Callable[[View[P]], Callable[..., HttpResponseBase]]: ...


def connected(view: Any = None, /, *, needs: Operation[Any, Any] | None = None) -> Any:
    """Gives a view `request.connection` and `request.api`, by the `connection` in its URL.

    The view itself does not get that argument. Somebody else's connection is not found. With
    `needs`, a role or a connection that does not allow the operation is answered with 403 before
    the view begins.
    """
    if view is None:
        return lambda inner: _wrap(inner, needs)
    return _wrap(view, needs)


def _wrap(view: View[P], needs: Operation[Any, Any] | None) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def wrapped(
        request: PortalRequest, *args: Any, connection: str, **kwargs: Any
    ) -> HttpResponseBase:
        request.connection = get_object_or_404(Connection, key=connection, owner=request.user)
        if request.session.get(LAST_USED) != connection:
            request.session[LAST_USED] = connection
        if needs is not None:
            check(request.user.role, request.connection, needs)
        try:
            request.api = api_for_request(request, request.connection)
            return view(request, *args, **kwargs)
        except ReauthenticationRequired:
            return reauthentication.ask(request)

    return wrapped
