"""Writes the audit trail: an intent and an outcome for each write to the service, and one entry for
each of the portal's own changes."""

from collections import deque
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from portal.access.audit import chain, guards
from portal.access.audit.acts import Act
from portal.access.audit.chain import append
from portal.access.models import AuditEntry, Connection, Outcome
from portal.access.origin import Origin

_log = structlog.get_logger("portal.access")
_waiting: deque[AuditEntry] = deque(maxlen=10_000)
_LONGEST = {
    field.attname: field.max_length
    for field in AuditEntry._meta.concrete_fields
    if field.max_length
}


def record(
    origin: Origin,
    act: Act,
    *,
    object_id: object = "",
    label: str = "",
    connection: Connection | None = None,
    sent: dict[str, Any] | None = None,
    before: dict[str, Any] | None = None,
    outcome: Outcome = Outcome.DONE,
    message: str = "",
    approved_by: str = "",
) -> AuditEntry:
    """Records a change of the portal's own. Call it in the transaction that makes the change."""
    entry = _entry(
        origin,
        connection,
        operation=act.value,
        family=act.family,
        object_id=str(object_id),
        object_label=label,
        sent=sent,
        before=before,
        outcome=outcome,
        message=message,
        approved_by=approved_by,
    )
    with transaction.atomic():
        append(entry)
    return entry


def begun(origin: Origin, connection: Connection, **fields: Any) -> AuditEntry:
    """The entry that a write is about to leave, for a ledger to write."""
    return _entry(origin, connection, outcome=Outcome.BEGUN, **fields)


def ended(
    intent: AuditEntry,
    outcome: Outcome,
    *,
    family: str = "",
    object_id: str = "",
    label: str = "",
    status: int | None = None,
    message: str = "",
    path: str = "",
) -> AuditEntry:
    """The entry of how it ended, for the same ledger; `family` and `object_id` name what was
    created, which is not what it was done to. `path` is that of a part that was created."""
    return AuditEntry(
        intent=intent,
        outcome=outcome,
        object_id=_text("object_id", object_id or intent.object_id),
        object_label=_text("object_label", label or intent.object_label),
        status=status,
        message=_text("message", message),
        actor=intent.actor,
        email=intent.email,
        ip=intent.ip,
        connection_key=intent.connection_key,
        connection_name=intent.connection_name,
        operation=intent.operation,
        path=path or intent.path,
        family=family or intent.family,
        request_id=intent.request_id,
        approved_by=intent.approved_by,
    )


class Ledger:
    """Writes the entries of calls, each at once and for good, in a transaction of its own.

    An end that the database does not take is written as soon as it takes one.
    """

    def begin(self, entry: AuditEntry) -> None:
        """Returns when the intent is written. Raises `DatabaseError`, and nothing may be sent, and
        `RuntimeError` within a transaction: what is rolled back later would leave no trace. Raises
        `Forbidden` where a guard forbids the write, which is recorded as a failure."""
        if _waiting:
            write_waiting()
        with transaction.atomic(durable=True):
            guards.judge(entry)
            append(entry)
        if words := guards.refusal_of(entry):
            raise guards.Forbidden(words)

    def finish(self, entry: AuditEntry) -> None:
        """Writes an end; while the database fails, the outcome of the intent stays unknown."""
        try:
            with transaction.atomic(durable=True):
                append(entry)
        except DatabaseError:
            _log.exception(
                "audit outcome not recorded", sequence=entry.intent_id, outcome=entry.outcome
            )
            later(entry)
            write_waiting()


def later(entry: AuditEntry) -> None:
    """Keeps an end that could not be written, for `write_waiting`."""
    entry._state.adding = True  # it is not there, whatever a transaction that failed has noted
    _waiting.append(entry)


def write_waiting() -> None:
    """Writes the ends that could not be written before, by a new connection if the one before was
    lost; the database that fails still has them wait on. One that was written all the same, though
    nothing was heard of it, is not written twice."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    while True:
        try:
            entry = _waiting.popleft()
        except IndexError:
            return
        try:
            with transaction.atomic():
                chain.lock()
                if not AuditEntry.objects.filter(intent=entry.intent_id).exists():
                    append(entry)
        except (InterfaceError, OperationalError) as error:
            entry._state.adding = True
            _waiting.appendleft(entry)
            _log.warning("audit outcomes wait", reason=type(error).__name__, count=len(_waiting))
            return
        except DatabaseError:
            _log.exception("audit outcome refused", sequence=entry.intent_id, outcome=entry.outcome)


def _entry(origin: Origin, connection: Connection | None, **fields: Any) -> AuditEntry:
    kept = {
        "email": origin.email or (origin.actor.email if origin.actor else ""),
        "ip": origin.ip,
        "request_id": origin.request_id,
        "connection_key": connection.key if connection else "",
        "connection_name": connection.name if connection else "",
        **fields,
    }
    texts = {
        name: _text(name, value) if isinstance(value, str) else value
        for name, value in kept.items()
    }
    return AuditEntry(actor=origin.actor, **texts)


def _text(name: str, value: str) -> str:
    """The value as any database takes it: no NUL, no half characters, not too long."""
    storable = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    storable = storable.encode("utf-8", "replace").decode()
    return storable[: _LONGEST.get(name)]
