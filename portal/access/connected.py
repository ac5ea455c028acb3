"""`connected`: the decorator of every view that works on a conferencing account."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, overload

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpResponseBase

from portal.access import reauthentication
from portal.access.api import api_for_request
from portal.access.calls import check
from portal.access.grants import Watch, grant_for
from portal.access.http import PortalRequest
from portal.access.parts import NoPart
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
    """Gives a view `request.connection`, `request.grant` and `request.api`, by the `connection` in
    its URL.

    The view itself does not get that argument. A connection that is neither the person's own nor
    shared with them is not found. With `needs`, a grant or a connection that does not allow the
    operation is answered with 403 before the view begins, and so is a page that shows more than the
    part of the people that they are limited to.
    """
    if view is None:
        return lambda inner: _wrap(inner, needs)
    return _wrap(view, needs)


def _wrap(view: View[P], needs: Operation[Any, Any] | None) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def wrapped(
        request: PortalRequest, *args: Any, connection: str, **kwargs: Any
    ) -> HttpResponseBase:
        request.grant = grant_for(request.user, connection)
        request.connection = request.grant.connection
        still_granted = Watch(request.grant)
        if request.session.get(LAST_USED) != connection:
            request.session[LAST_USED] = connection
        if needs is not None:
            check(request.grant, needs)
        if request.grant.part is not None:
            _require_page(request)
        try:
            request.api = api_for_request(request, request.grant)
            response = view(request, *args, **kwargs)
        except ReauthenticationRequired:
            return reauthentication.ask(request)
        still_granted()  # what the view has read is shown to nobody whose access has ended
        return response

    return wrapped


def _require_page(request: PortalRequest) -> None:
    """Raises `NoPart` for a page that shows more than the part the person is limited to."""
    match = request.resolver_match
    if match is None or not request.grant.shows(match.view_name):
        raise NoPart
