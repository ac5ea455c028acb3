"""The caller behind `request.api`: checks what a role allows, and records every write.

A write is recorded before it leaves, in a transaction of its own: where that fails, nothing is
sent. How it ended is a second entry. An end that is missing means that nobody knows.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from allauth.core.exceptions import ReauthenticationRequired

from portal.access.audit import guards, masking, trail
from portal.access.audit.labels import known_label, label_of
from portal.access.audit.trail import Ledger
from portal.access.models import AuditEntry, Connection, Outcome
from portal.access.origin import Origin
from portal.access.roles import Refused, may
from portal.client import ApiError, HeldBack, NotFound
from portal.config.request_log import request_id
from portal.contract import operations
from portal.contract.operation import Call, Caller, Effect, Operation

R = TypeVar("R")
# Below whose own paths there are calls, such as `/meetings/{meetingId}`.
_OF_THEIR_OWN = {one.family for one in operations() if one.path.startswith(f"/{one.family}/{{")}
_LISTED_BY = {one.path: one.family for one in operations() if not one.path_parameters}
_log = structlog.get_logger("portal.access")
_left: ContextVar[str] = ContextVar("left", default="")


@dataclass(frozen=True)
class Permit:
    """On whose behalf calls are made: their role, and whether they proved lately who they are.

    One that `only_reads` refuses every change, whatever the role."""

    origin: Origin
    connection: Connection
    role: str
    reauthenticated: Callable[[], bool]
    only_reads: bool = False

    def check(self, operation: Operation[Any, Any]) -> None:
        """Raises `Refused`, or allauth's `ReauthenticationRequired` for a destructive operation."""
        check(self.role, self.connection, operation)
        if self.only_reads and operation.effect is not Effect.READ:
            raise Refused(operation, "role")
        if operation.effect is Effect.DESTRUCTIVE and not self.reauthenticated():
            raise ReauthenticationRequired


def check(role: str, connection: Connection, operation: Operation[Any, Any]) -> None:
    """Raises `Refused` where the role or a connection that only reads does not allow it."""
    if not may(role, operation):
        _log.warning("refused", operation=operation.name, role=role)
        raise Refused(operation, "role")
    if connection.read_only and operation.effect is not Effect.READ:
        raise Refused(operation, "read_only")


def has_left() -> bool:
    """Whether a write has left for the service while the present request was answered.

    Answered without the database, for when it is the database that fails.
    """
    return bool(_left.get()) and _left.get() == request_id()


class AuditedCaller:
    """Carries calls out through another caller, as far as the permit goes.

    `label` is what people call the object of the calls, where the calls do not say it.
    """

    def __init__(
        self, inner: Caller, permit: Permit, ledger: Ledger | None = None, label: str = ""
    ) -> None:
        self._inner = inner
        self._permit = permit
        self._ledger = ledger or Ledger()
        self._label = label

    def __call__(self, call: Call[R]) -> R:
        self._permit.check(call.operation)
        if call.operation.effect is Effect.READ:
            return self._inner(call)
        return self._recorded(call)

    def pages(self, call: Call[R]) -> Iterator[R]:
        self._permit.check(call.operation)
        return self._inner.pages(call)

    def _recorded(self, call: Call[R]) -> R:
        intent = self._intent(call)
        try:
            self._ledger.begin(intent)
        except guards.Forbidden as forbidden:
            raise guards.Protected(call.operation, str(forbidden)) from None
        _left.set(self._permit.origin.request_id)
        try:
            answer = self._inner(call)
        except ApiError as error:
            self._end_failed(intent, call, error)
            raise
        except HeldBack:
            self._end(intent, Outcome.FAILED, message="Not sent: waiting for the service.")
            raise
        except Exception as error:
            self._end(intent, Outcome.UNKNOWN, message=type(error).__name__)
            raise
        family, created = created_by(call, answer)
        self._end(
            intent, Outcome.DONE, family=family, object_id=created, status=call.operation.status
        )
        return answer

    def _intent(self, call: Call[Any]) -> AuditEntry:
        before = self._before(call)
        sent = masking.sent_by(call)
        family, object_id = object_of(call)
        connection = self._permit.connection
        kept = before
        if before is not None and call.operation.method != "DELETE":
            kept = masking.touched(before, sent)
        label = label_of(before, sent) or self._label
        return trail.begun(
            self._permit.origin,
            connection,
            operation=call.operation.name,
            path=f"{call.operation.method} {call.path}",
            family=family,
            object_id=object_id,
            object_label=label or known_label(connection, family, object_id),
            sent=sent,
            before=kept,
        )

    def _before(self, call: Call[Any]) -> dict[str, Any] | None:
        """What the write is about to change, where one read returns it. A missing object is no
        obstacle: the write then fails by itself."""
        reading: Operation[Any, Any] | None = call.operation.before
        if reading is None:
            return None
        try:
            found = self._inner(reading.call(*call.ids[: len(reading.path_parameters)]))
        except NotFound:
            return None
        return masking.state(found)

    def _end_failed(self, intent: AuditEntry, call: Call[Any], error: ApiError) -> None:
        self._end(
            intent,
            Outcome.UNKNOWN if error.may_have_happened else Outcome.FAILED,
            status=error.status,
            message=masking.without_secrets(_reason(error), call),
        )

    def _end(self, intent: AuditEntry, outcome: Outcome, **values: Any) -> None:
        self._ledger.finish(trail.ended(intent, outcome, **values))


def object_of(call: Call[Any]) -> tuple[str, str]:
    """What a call is done to, by its path: all below `/users/{userId}` is done to that person.

    The objects of a path such as `/im/groups/{groupId}` belong to the family that lists them.
    """
    if not call.ids:
        return call.operation.family, ""
    collection = call.operation.path.partition("/{")[0]
    return _LISTED_BY.get(collection, collection.rpartition("/")[2]), str(call.ids[0])


def created_by(call: Call[Any], answer: Any) -> tuple[str, str]:
    """The family and id of what the call created; nothing where that belongs to what it was done
    to. A meeting is created below its host's path, but has a path of its own."""
    family, created = call.operation.family, _id_of(answer)
    is_part = bool(call.ids) and (family not in _OF_THEIR_OWN or object_of(call)[0] == family)
    return ("", "") if is_part or not created else (family, created)


def _reason(error: ApiError) -> str:
    """Why a call failed: the service's words, and those that it said of single fields."""
    of_fields = [
        f"{problem.field}: {problem.message}" if problem.field else problem.message
        for problem in error.fields
    ]
    return " ".join([error.message, *of_fields])


def _id_of(answer: Any) -> str:
    """The id of what was created; webhooks call it otherwise."""
    return str(getattr(answer, "id", "") or getattr(answer, "webhook_id", "") or "")
