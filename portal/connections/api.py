"""The API client of one connection, limited by role, and a signal of what was called elsewhere."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, TypeVar

from django.dispatch import Signal
from django.http import HttpRequest

from portal.access.availability import TRUSTED_SECONDS, CallListener, out_of_reach, refused_before
from portal.access.grants import Watch
from portal.access.http import Origin, origin_of
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.trail import Ledger
from portal.client import Api, CallEnd, HttpCaller, RetryPolicy, Target
from portal.connections.calls import AuditedCaller, Permit
from portal.connections.rate_limits import BACKGROUND, closures_of, rate_limiter_of
from portal.connections.renewal import tokens_of
from portal.contract.operation import AnyOperation, Call, Effect
from portal.sign_in.reauthentication import did_lately

# Sent with the `scope` of the caller, its `connection`, the `api`, the `call` and its `answer`.
call_made = Signal()
R = TypeVar("R")
_UNBOUNDED = nullcontext()


def announce(scope: Scope, api: Api, call: Call[object], answer: Any) -> None:
    """Sends `call_made`. The call is done, so a list that cannot be put right is no reason for an
    error: that is logged, and the next refresh heals."""
    call_made.send_robust(
        Connection, scope=scope, connection=scope.connection, api=api, call=call, answer=answer
    )


class ConnectionCaller(HttpCaller):
    """The HTTP caller of a connection. Unless it `asks_always`, reads that are known to be out of
    reach fail as they did before."""

    def __init__(
        self,
        connection: Connection,
        target: Callable[[], Target],
        retry_policy: RetryPolicy,
        may_leave: Callable[[], None],
        in_flight: AbstractContextManager[object] = _UNBOUNDED,
        *,
        urgent: bool,
        asks_always: bool,
        on_end: Callable[[CallEnd], None] | None = None,
    ) -> None:
        super().__init__(
            target,
            retry_policy,
            rate_limiter_of(connection),
            urgent=urgent,
            may_leave=may_leave,
            in_flight=in_flight,
            on_end=CallListener(connection.key, on_end),
            closures=closures_of(connection),
            tokens=tokens_of(connection),
        )
        self._key = connection.key
        self._asks_always = asks_always
        self._out_of_reach: dict[str, dict[str, Any]] = {}
        self._out_of_reach_until = 0.0

    def __call__(self, call: Call[R]) -> R:
        if not self._asks_always and call.operation.effect is Effect.READ:
            self._require_in_reach(call.operation)
        return super().__call__(call)

    def _require_in_reach(self, operation: AnyOperation) -> None:
        if time.monotonic() > self._out_of_reach_until:
            self._out_of_reach = out_of_reach(self._key)
            self._out_of_reach_until = time.monotonic() + TRUSTED_SECONDS
        if refusal := self._out_of_reach.get(operation.name):
            raise refused_before(operation, refusal)


def api_for_request(request: HttpRequest, scope: Scope) -> Api:
    """Returns what views find as `request.api`. Its calls raise `TokenUnreadable`: cached data is
    shown without the token too."""
    permit = Permit(origin_of(request), scope, lambda: did_lately(request), may_ask=True)
    target = cache(scope.connection.target)
    inner = ConnectionCaller(
        scope.connection, target, RetryPolicy(), Watch(scope), urgent=True, asks_always=True
    )
    caller = AuditedCaller(inner, permit)
    request.unread = caller.unread  # type: ignore[attr-defined]
    return Api(caller)


def api_for(scope: Scope, request_id: str = "", ip: str = "") -> Api:
    """Returns the API client for work without a request. Raises `TokenUnreadable`."""
    return Api(caller_for(scope, request_id, ip))


def caller_for(
    scope: Scope,
    request_id: str = "",
    ip: str = "",
    *,
    label: str = "",
    only_reads: bool = False,
    ledger: Ledger | None = None,
    may_leave: Callable[[], None] | None = None,
    in_flight: AbstractContextManager[object] = _UNBOUNDED,
    retry_policy: RetryPolicy = BACKGROUND,
    approved_by: str = "",
    on_end: Callable[[CallEnd], None] | None = None,
    asks_always: bool = False,
    may_ask: bool = False,
) -> AuditedCaller:
    """Returns the caller for work without a request. Raises `TokenUnreadable`.

    A scope without a user, or `only_reads`, makes no change. For a user it does what they may over
    the connection, destructive operations too: code that starts such work asks for a proof of
    identity. `label` names the object, and entries go to `ledger`. A call does not leave if
    `may_leave` raises. Each is made within `in_flight`, which bounds how many there are at once.
    Reads that are known to be out of reach are sent with `asks_always` alone. `approved_by` is the
    address of the other administrator who approved the work.
    """
    actor = None if only_reads else scope.user
    permit = Permit(
        Origin(
            actor,
            email=actor.email if actor else "",
            ip=ip,
            request_id=request_id,
            elevated_to=scope.elevated_to if actor else "",
        ),
        scope,
        lambda: actor is not None,
        only_reads=actor is None,
        approved_by=approved_by,
        may_ask=may_ask,
    )
    target = scope.connection.target()
    inner = ConnectionCaller(
        scope.connection,
        lambda: target,
        retry_policy,
        may_leave or Watch(scope),
        in_flight,
        urgent=False,
        asks_always=asks_always,
        on_end=on_end,
    )
    return AuditedCaller(inner, permit, ledger, label)
