"""The API client of one connection, limited by role, and a signal of what was called elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from typing import Any, TypeVar

from django.dispatch import Signal
from django.http import HttpRequest

from portal.access.audit.trail import Ledger
from portal.access.availability import CallListener, Refraining
from portal.access.calls import AuditedCaller, Permit
from portal.access.grants import Watch
from portal.access.http import Origin, UnreadRecords, origin_of
from portal.access.models import Connection
from portal.access.rate_limits import BACKGROUND, closures_of, rate_limiter_of
from portal.access.reauthentication import did_lately
from portal.access.renewal import tokens_of
from portal.access.scope import Scope
from portal.client import Api, CallEnd, HttpCaller, RetryPolicy
from portal.contract.operation import Call, Caller

# A call, and what the service answered.
Made = tuple[Call[object], Any]
# Sent with the `scope` of whoever made them, its `connection`, the `api` and the `calls`, each of
# them a `Made`.
calls_made = Signal()
R = TypeVar("R")
_UNBOUNDED = nullcontext()


def announce(scope: Scope, api: Api, calls: Sequence[Made]) -> None:
    """Sends `calls_made`. The calls are done, so a list that cannot be put right is no reason for
    an error: that is logged, and the next refresh heals."""
    calls_made.send_robust(
        Connection, scope=scope, connection=scope.connection, api=api, calls=calls
    )


def api_for_request(request: HttpRequest, scope: Scope) -> Api:
    """Returns what views find as `request.api`. Its calls raise `TokenUnreadable`."""
    permit = Permit(origin_of(request), scope, lambda: did_lately(request), may_ask=True)
    watch = Watch(scope)
    made = _AtFirstCall(partial(_caller, scope.connection, RetryPolicy(), watch, urgent=True))
    request.unread = UnreadRecords(made)  # type: ignore[attr-defined]
    return Api(AuditedCaller(request.unread, permit))  # type: ignore[attr-defined]


def api_for(scope: Scope, request_id: str = "", ip: str = "") -> Api:
    """The service for work without a request. For nobody in particular it only reads.

    For somebody it does what they may over the connection, destructive operations too: whoever
    starts such work has them prove who they are. Raises `TokenUnreadable`.
    """
    return Background(scope, request_id, ip).api()


class Background:
    """Makes the service for the parts of a long work, which share what can be shared.

    Its calls leave their entries with `ledger`, and none leaves that `may_leave` raises at. Each is
    made with `in_flight` entered, which bounds how many there are at once.
    What is known to be out of reach is read with `asks_always` alone.
    What is for nobody in particular, or `only_reads`, makes no change. `approved_by` is the address
    of the other administrator who approved the work. Raises `TokenUnreadable`.
    """

    def __init__(
        self,
        scope: Scope,
        request_id: str = "",
        ip: str = "",
        *,
        only_reads: bool = False,
        ledger: Ledger | None = None,
        may_leave: Callable[[], None] | None = None,
        in_flight: AbstractContextManager[object] = _UNBOUNDED,
        retry_policy: RetryPolicy = BACKGROUND,
        approved_by: str = "",
        on_end: Callable[[CallEnd], None] | None = None,
        asks_always: bool = False,
        may_ask: bool = False,
    ) -> None:
        actor = None if only_reads else scope.user
        origin = Origin(actor, email=actor.email if actor else "", ip=ip, request_id=request_id)
        has_actor = actor is not None
        self._permit = Permit(
            origin,
            scope,
            lambda: has_actor,
            only_reads=not has_actor,
            approved_by=approved_by,
            may_ask=may_ask,
        )
        may_leave = may_leave or Watch(scope)
        caller: Caller = _caller(
            scope.connection, retry_policy, may_leave, in_flight, urgent=False, on_end=on_end
        )
        reader = caller if asks_always else Refraining(caller, scope.connection.key)
        self.unread = self._caller = UnreadRecords(reader)
        self._ledger = ledger

    def api(self, label: str = "") -> Api:
        """For the object that people call so."""
        return Api(AuditedCaller(self._caller, self._permit, self._ledger, label))

    def watched(self, label: str = "") -> tuple[Api, UnreadRecords]:
        """Returns a copy that records unread parts of the answers to its own calls alone."""
        unread = UnreadRecords(self._caller)
        return Api(AuditedCaller(unread, self._permit, self._ledger, label)), unread


class _AtFirstCall:
    """A caller that is made when it is needed: what is stored is shown without the token too."""

    def __init__(self, make: Callable[[], HttpCaller]) -> None:
        self._make = make

    @cached_property
    def _caller(self) -> HttpCaller:
        return self._make()

    def __call__(self, call: Call[R]) -> R:
        return self._caller(call)

    def pages(self, call: Call[R]) -> Iterator[R]:
        return self._caller.pages(call)


def _caller(
    connection: Connection,
    retry_policy: RetryPolicy,
    may_leave: Callable[[], None] | None = None,
    in_flight: AbstractContextManager[object] = _UNBOUNDED,
    *,
    urgent: bool,
    on_end: Callable[[CallEnd], None] | None = None,
) -> HttpCaller:
    return HttpCaller(
        connection.target(),
        retry_policy,
        rate_limiter_of(connection),
        urgent=urgent,
        may_leave=may_leave,
        in_flight=in_flight,
        on_end=CallListener(connection.key, on_end),
        closures=closures_of(connection),
        tokens=tokens_of(connection),
    )
