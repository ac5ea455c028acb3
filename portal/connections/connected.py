"""`connected`: the decorator of every view that works on a conferencing account."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from allauth.core.exceptions import ReauthenticationRequired
from django.dispatch import Signal
from django.http import HttpResponseBase

from portal.access.grants import Watch, find_scope
from portal.access.http import PortalRequest
from portal.access.scope import PageOutOfScope
from portal.connections.api import api_for_request
from portal.connections.calls import check
from portal.contract.operation import AnyOperation, Operation
from portal.sign_in import reauthentication
from portal.sign_in.session_store import record_briefly

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]
ViewT = TypeVar("ViewT", bound=Callable[..., HttpResponseBase])

LAST_USED = "connection"  # the session's key for the connection to come back to

# Sent as soon as a request is let in, before its view begins: `request`, and what it `needs`.
admitted = Signal()


@dataclass(frozen=True)
class NoOperation:
    """The reason why a view needs no operation: what decides instead who gets in."""

    reason: str


Needs = AnyOperation | NoOperation


def connected(*, needs: Needs) -> Callable[[View[P]], Callable[..., HttpResponseBase]]:
    """Gives a view `request.connection`, `request.scope` and `request.api`, by the `connection` in
    its URL.

    The view itself does not get that argument. A connection that is neither the user's own nor
    shared with them is not found. If the scope or the connection does not allow the operation that
    the view `needs`, the answer is 403 before the view begins, and so it is for a page that shows
    more than a limited scope.
    """
    return lambda view: _wrap(view, needs)


def _wrap(view: View[P], needs: Needs) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def wrapped(
        request: PortalRequest, *args: Any, connection: str, **kwargs: Any
    ) -> HttpResponseBase:
        request.scope = find_scope(request.user, connection)
        request.connection = request.scope.connection
        still_granted = Watch(request.scope)
        if request.session.get(LAST_USED) != connection:
            record_briefly(request, {LAST_USED: connection})
        request.needs = needs  # type: ignore[attr-defined]
        if isinstance(needs, Operation):
            check(request.scope, needs)
        match = request.resolver_match
        if request.scope.is_narrow and not (match and request.scope.shows(match.view_name)):
            raise PageOutOfScope
        admitted.send(sender=_wrap, request=request, needs=needs)
        try:
            request.api = api_for_request(request, request.scope)
            response = view(request, *args, **kwargs)
        except ReauthenticationRequired:
            return reauthentication.require_proof(request)
        still_granted()  # what the view has read is not shown after the access has ended
        return response

    return declare_needs(wrapped, needs)


def declare_needs(view: ViewT, needs: object) -> ViewT:
    """Says on a view what it needs, without which the start fails."""
    view.needs = needs  # type: ignore[attr-defined]
    return view
