"""The caller behind `request.api`: checks the rights of a role, and records every write.

A write is recorded before it leaves, in a transaction of its own: if that fails, nothing is sent.
Its outcome is a second entry. Without that entry the outcome is unknown.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from allauth.core.exceptions import ReauthenticationRequired

from portal.access.http import Origin, UnreadRecords
from portal.access.roles import Reason, RoleRefused, may
from portal.access.scope import Follower, NotWhole, Scope, rule_of
from portal.audit import guards, trail, wording
from portal.audit.models import AuditEntry, Outcome
from portal.audit.trail import Ledger
from portal.audit.wording import label_of, stored_label
from portal.client import Answered, Api, ApiError, CallWithheld, NotAvailable, NotFound
from portal.config.middleware import request_id
from portal.connections.approval_rules import ApprovalRequired, is_chosen
from portal.connections.host_days import SCHEDULING, ScheduledForHost
from portal.contract import operations
from portal.contract.inverse import Deletes, Restores
from portal.contract.model import JsonDict, fields
from portal.contract.operation import AnyOperation, Call, Caller, Effect
from portal.contract.path import encoded
from portal.translation.stored import in_english

R = TypeVar("R")
# Families with calls below their own paths, such as `/meetings/{meetingId}`.
_OF_THEIR_OWN = {one.family for one in operations() if one.path.startswith(f"/{one.family}/{{")}
_LISTED_BY = {one.path: one.family for one in operations() if not one.path_parameters}
_log = structlog.get_logger("portal.connections")
_left: ContextVar[str] = ContextVar("left", default="")
# The request that is answered, and the entries of what was done in it.
_done: ContextVar[tuple[str, tuple[int, ...]]] = ContextVar("done", default=("", ()))


@dataclass(frozen=True)
class Permit:
    """The right to make calls: a scope, and a check for a recent proof of identity.

    A permit that `only_reads` refuses every change, whatever the scope. `approved_by` is the
    address of the other administrator who approved the calls. Without one, calls that wait for an
    approval are refused; if the user `may_ask` for it, with `ApprovalRequired`.
    """

    origin: Origin
    scope: Scope
    reauthenticated: Callable[[], bool]
    only_reads: bool = False
    approved_by: str = ""
    may_ask: bool = False

    def check(self, operation: AnyOperation) -> None:
        """Raises `RoleRefused`, or allauth's `ReauthenticationRequired` for a destructive
        operation."""
        check(self.scope, operation)
        if self.only_reads and operation.effect is not Effect.READ:
            raise RoleRefused(operation, "role")
        if operation.effect is Effect.DESTRUCTIVE and not self.reauthenticated():
            raise ReauthenticationRequired


def check(scope: Scope, operation: AnyOperation) -> None:
    """Raises `RoleRefused` if the scope or a read-only connection does not allow the operation."""
    if not scope.may(operation):
        reason: Reason = "limit" if may(scope.role, operation) else "role"
        _log.warning("refused", operation=operation.name, role=scope.role, reason=reason)
        raise RoleRefused(operation, reason)
    if scope.connection.read_only and operation.effect is not Effect.READ:
        raise RoleRefused(operation, "read_only")


def gives_whole(api: Api) -> bool:
    """Returns whether answers of the service are complete. A caller that is not the portal's is
    assumed to narrow them."""
    return isinstance(api.caller, AuditedCaller) and not api.caller.scope.is_narrow


def require_whole(api: Api) -> None:
    """Raises `NotWhole` if the caller narrows answers: data that several users share is filled from
    complete answers."""
    if not gives_whole(api):
        raise NotWhole


def has_left() -> bool:
    """Returns whether the present request has sent a write to the service.

    Answered without the database, for when the database fails.
    """
    return bool(_left.get()) and _left.get() == request_id()


def done_now() -> tuple[int, ...]:
    """Returns the entries of the writes that the present request has made."""
    request, sequences = _done.get()
    return sequences if request and request == request_id() else ()


class AuditedCaller:
    """Carries calls out through another caller, as far as the permit goes.

    `label` names the object of calls that do not name it. `unread` collects the records of answers
    that could not be read.
    """

    def __init__(
        self,
        inner: Caller,
        permit: Permit,
        ledger: Ledger | None = None,
        label: str = "",
    ) -> None:
        self._inner = inner
        self._permit = permit
        self._ledger = ledger or Ledger()
        self._label = label
        self._undoes: AuditEntry | None = None
        self.unread = UnreadRecords()

    @property
    def scope(self) -> Scope:
        return self._permit.scope

    def about(self, label: str) -> "AuditedCaller":
        """Returns a caller for an object of this name, with unread records of its own."""
        return AuditedCaller(self._inner, self._permit, self._ledger, label)

    def undoing(self, entry: AuditEntry) -> "AuditedCaller":
        """Returns a caller whose writes undo what this entry has recorded."""
        caller = copy(self)
        caller._undoes = entry
        return caller

    def __call__(self, call: Call[R]) -> R:
        self._check(call)
        is_read = call.operation.effect is Effect.READ
        if not is_read:
            answer = self._recorded(call)
        else:
            try:
                answer = self._inner(call)
            except NotAvailable as error:
                self.unread.refuse(error)
                raise
        self.unread.record(call, answer)
        return _narrowed(self._permit.scope, call, answer)

    def pages(self, call: Call[R]) -> Iterator[R]:
        self._check(call)
        try:
            for answer in self._inner.pages(call):
                self.unread.record(call, answer)
                yield _narrowed(self._permit.scope, call, answer)
        except NotAvailable as error:
            self.unread.refuse(error)
            raise

    def _check(self, call: Call[object]) -> None:
        self._permit.check(call.operation)
        scope, rule = self._permit.scope, rule_of(call.operation)
        if scope.is_narrow and rule.check:
            rule.check(scope, call, self._inner)

    def _recorded(self, call: Call[R]) -> R:
        before = self._before(call)
        intent = self._intent(call, before)
        permit = self._permit
        # Who can ask for the approval does so; to others the ledger refuses it.
        is_open = permit.may_ask and not permit.approved_by
        if is_open and is_chosen(permit.scope.connection, call.operation):
            raise ApprovalRequired(permit.scope.connection, call, intent)
        followers = list(self._followers(call, before))
        try:
            self._ledger.begin(intent)
        except guards.Forbidden as forbidden:
            _tell(followers, forbidden)
            raise guards.Protected(call.operation, str(forbidden)) from None
        _left.set(self._permit.origin.request_id)
        try:
            answer = self._inner(call)
        except ApiError as error:
            self._end_failed(intent, call, error)
            _tell(followers, error)
            raise
        except CallWithheld as withheld:
            _tell(followers, withheld)
            words = wording.NOT_SENT % {"words": str(withheld) or wording.WAITING}
            self._end(intent, Outcome.FAILED, message=words)
            raise
        except Exception as error:
            self._end(intent, Outcome.UNKNOWN, message=type(error).__name__)
            raise
        request = self._permit.origin.request_id
        request_of_earlier, earlier = _done.get()
        _done.set((request, (*(earlier if request_of_earlier == request else ()), intent.sequence)))
        family, created = created_by(call, answer)
        self._end(
            intent,
            Outcome.DONE,
            family=family,
            object_id=created,
            status=call.operation.status,
            path="" if created else _path_of_created(call, answer),
        )
        for one in followers:
            one.done(answer)
        return answer

    def _followers(self, call: Call[object], before: JsonDict | None) -> Iterator[Follower]:
        """Yields what is to be told how a write ended, which is about to leave."""
        scope, begin = self._permit.scope, rule_of(call.operation).creation
        if call.operation.name in SCHEDULING:
            of_host = ScheduledForHost(scope.connection, call, before)
            of_host.check()
            yield of_host
        if begin and scope.is_narrow:
            yield begin(scope, call)

    def _intent(self, call: Call[object], before: JsonDict | None) -> AuditEntry:
        sent = trail.sent_by(call)
        family, object_id = object_of(call)
        permit = self._permit
        replaced_values = None if before is None else replaced(call, before, sent)
        label = label_of(before, sent) or self._label
        return trail.begun(
            permit.origin,
            permit.scope.connection,
            operation=call.operation.name,
            path=f"{call.operation.method} {call.path}",
            family=family,
            object_id=object_id,
            object_label=label or stored_label(permit.scope, family, object_id),
            sent=sent,
            before=replaced_values,
            approved_by=permit.approved_by,
            undoes=self._undoes,
        )

    def _before(self, call: Call[object]) -> JsonDict | None:
        """Returns the object that the write is about to change, if one read returns it. A missing
        object is no obstacle: the write then fails by itself."""
        reading: AnyOperation | None = call.operation.before
        if reading is None:
            return None
        try:
            result = self._inner(reading.call(*call.ids[: len(reading.path_parameters)]))
        except NotFound:
            return None
        return trail.state(result)

    def _end_failed(self, intent: AuditEntry, call: Call[object], error: ApiError) -> None:
        self._end(
            intent,
            Outcome.UNKNOWN if error.may_have_happened else Outcome.FAILED,
            status=error.status,
            message=reason_of(error, call),
        )

    def _end(self, intent: AuditEntry, outcome: Outcome, **values: Any) -> None:
        self._ledger.finish(trail.ended(intent, outcome, **values))


def _tell(followers: list[Follower], error: Exception) -> None:
    for one in followers:
        one.failed(error)


def _narrowed(scope: Scope, call: Call[R], answer: R) -> R:
    """Returns the fragment of an answer that the scope shows."""
    narrow = rule_of(call.operation).narrow if scope.is_narrow else None
    return narrow(scope, answer) if narrow else answer


def object_of(call: Call[object]) -> tuple[str, str]:
    """Returns the family and id of a call's object, by its path: all below `/users/{userId}` is
    done to that person.

    The objects of a path such as `/im/groups/{groupId}` belong to the family that lists them.
    """
    if not call.ids:
        return call.operation.family, ""
    collection = call.operation.path.partition("/{")[0]
    return _LISTED_BY.get(collection, collection.rpartition("/")[2]), str(call.ids[0])


def created_by(call: Call[object], answer: object) -> tuple[str, str]:
    """Returns the family and id of the created object; nothing for an object that belongs to that
    of the call. A meeting is created below its host's path, but has a path of its own."""
    family, created = call.operation.family, _id_of(answer)
    is_inside = bool(call.ids) and (family not in _OF_THEIR_OWN or object_of(call)[0] == family)
    return ("", "") if is_inside or not created else (family, created)


def replaced(call: Call[object], before: dict[str, object], sent: dict[str, object]) -> JsonDict:
    """Returns the values that a write replaces; one that replaces the whole takes away all that it
    does not send."""
    operation = call.operation
    if operation.method == "DELETE":
        return before
    if not isinstance(operation.inverse, Restores):
        return trail.touched(before, sent)
    whole = operation.body if operation.method == "PUT" else None
    written = {name: None for name, _ in fields(whole)} if whole else {}
    return trail.touched(before, {**written, **sent}, operation.inverse.read_as)


def _path_of_created(call: Call[object], answer: object) -> str:
    """Returns the path of a created child of an object, such as a poll of a meeting."""
    created = _id_of(answer)
    if not created or not isinstance(call.operation.inverse, Deletes):
        return ""
    return f"{call.operation.method} {call.path}/{encoded(created)}"


def reason_of(error: ApiError, call: Call[object]) -> str:
    """Returns the reason of a failed call: the service's words, with those about single fields and
    its tracking ID, without the secrets that it was sent. It is stored, so the portal's own words
    in it are in English."""
    with in_english():
        of_fields = [
            f"{_named(call, problem.field)}: {problem.message}"
            if problem.field
            else problem.message
            for problem in error.fields
        ]
        tracked = error.tracking_id if isinstance(error, Answered) else ""
        ids = [f"(tracking ID {tracked})"] if tracked else []  # untranslated: in the trail
        words = " ".join([error.message, *of_fields, *ids])
    return trail.without_secrets(words, call)


def _named(call: Call[object], field: str) -> str:
    """Returns the field of a refusal; of a row of an array, such as `members.1.email`, its value as
    it was sent."""
    value: Any = call.body.sent() if call.body else {}
    is_of_row = False
    for part in field.split("."):
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value, is_of_row = value[int(part)], True
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return field
    return value if is_of_row and isinstance(value, str) and value else field


def _id_of(answer: object) -> str:
    """Returns the id of a created object, which webhooks name differently."""
    return str(getattr(answer, "id", "") or getattr(answer, "webhook_id", "") or "")
