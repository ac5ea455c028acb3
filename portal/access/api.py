"""The API client of one connection, limited to what the user's role allows."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from django.http import HttpRequest

from portal.access import health, metrics
from portal.access.audit.trail import Ledger
from portal.access.calls import AuditedCaller, Permit
from portal.access.grants import Grant, Watch, grant_of, nothing, reading
from portal.access.models import Connection, User
from portal.access.origin import Origin, origin_of
from portal.access.rate_limits import BACKGROUND, rate_limiter_of
from portal.access.reauthentication import did_lately
from portal.client import Api, HttpCaller, RetryPolicy

_UNBOUNDED = nullcontext()


def api_for_request(request: HttpRequest, grant: Grant) -> Api:
    """What views find as `request.api`. Raises `TokenUnreadable`."""
    permit = Permit(origin_of(request), grant, lambda: did_lately(request), may_ask=True)
    caller = _caller(grant.connection, RetryPolicy(), Watch(grant), urgent=True)
    return Api(AuditedCaller(caller, permit))


def api_for(
    connection: Connection, actor: User | None = None, request_id: str = "", ip: str = ""
) -> Api:
    """The service for work without a request. Without an actor it only reads.

    With one it does what they may over the connection, destructive operations too: whoever starts
    such work has them prove who they are. Raises `TokenUnreadable`.
    """
    return Background(connection, actor, request_id, ip).api()


class Background:
    """Makes the service for the parts of a long work, which share what can be shared.

    Its calls leave their entries with `ledger`, and none leaves that `may_leave` raises at. Each is
    made with `in_flight` entered, which bounds how many there are at once.
    Without an actor it only reads: what a viewer may see, or whoever has the grant `reads_as`.
    `approved_by` is the address of the other administrator who approved the work.
    Raises `TokenUnreadable`.
    """

    def __init__(
        self,
        connection: Connection,
        actor: User | None = None,
        request_id: str = "",
        ip: str = "",
        *,
        reads_as: Grant | None = None,
        ledger: Ledger | None = None,
        may_leave: Callable[[], None] | None = None,
        in_flight: AbstractContextManager[object] = _UNBOUNDED,
        retry_policy: RetryPolicy = BACKGROUND,
        approved_by: str = "",
    ) -> None:
        origin = Origin(actor, email=actor.email if actor else "", ip=ip, request_id=request_id)
        if actor:
            grant = grant_of(actor, connection) or nothing(actor, connection)
        else:
            grant = reads_as or reading(connection)
        has_actor = actor is not None
        self._permit = Permit(
            origin,
            grant,
            lambda: has_actor,
            only_reads=not has_actor,
            approved_by=approved_by,
        )
        may_leave = may_leave or Watch(grant)
        self._caller = _caller(connection, retry_policy, may_leave, in_flight, urgent=False)
        self._ledger = ledger

    def api(self, label: str = "") -> Api:
        """For the object that people call so."""
        return Api(AuditedCaller(self._caller, self._permit, self._ledger, label))


def _api(permit: Permit, retry_policy: RetryPolicy, *, urgent: bool) -> Api:
    return Api(AuditedCaller(_caller(permit.connection, retry_policy, urgent=urgent), permit))


def _caller(
    connection: Connection,
    retry_policy: RetryPolicy,
    may_leave: Callable[[], None] | None = None,
    in_flight: AbstractContextManager[object] = _UNBOUNDED,
    *,
    urgent: bool,
) -> HttpCaller:
    return HttpCaller(
        connection.target(),
        retry_policy,
        health.listener(connection.key),
        rate_limiter_of(connection.key),
        urgent=urgent,
        may_leave=may_leave,
        in_flight=in_flight,
        on_end=metrics.call_ended,
    )
