"""Writes the audit trail: an intent and an outcome for each write to the service, and one entry for
each of the portal's own changes."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.audit import chain, guards
from portal.audit.acts import HARMLESS, Act
from portal.audit.chain import append
from portal.audit.models import AuditEntry, Outcome
from portal.contract.model import MASK, JsonDict, Model, mask
from portal.contract.operation import Call

_log = structlog.get_logger("portal.audit")
_waiting: deque[AuditEntry] = deque(maxlen=10_000)
_LONGEST = {
    field.attname: field.max_length
    for field in AuditEntry._meta.concrete_fields
    if field.max_length
}


def record(
    origin: Origin,
    act: Act,
    of: Connection | User | None = None,
    *,
    object_id: object = "",
    label: str = "",
    connection: Connection | None = None,
    sent: JsonDict | None = None,
    before: JsonDict | None = None,
    outcome: Outcome = Outcome.DONE,
    message: str = "",
    approved_by: str = "",
) -> AuditEntry:
    """Records a change of the portal's own: `of` a connection or a user, or of the object with this
    id and label. Call it in the transaction that makes the change."""
    if isinstance(of, Connection):
        object_id, label, connection = of.key, label or of.name, of
    elif of is not None:
        object_id, label = of.pk, of.email
    entry = begun(
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
        if act not in HARMLESS:
            chain.lock()
        append(entry)
    return entry


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
        elevated_to=intent.elevated_to,
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
                if not _is_written(entry):
                    append(entry)
        except (InterfaceError, OperationalError) as error:
            entry._state.adding = True
            _waiting.appendleft(entry)
            _log.warning("audit outcomes wait", reason=type(error).__name__, count=len(_waiting))
            return
        except DatabaseError:
            # The transaction that nothing was heard of may have ended only now.
            if not _is_written(entry):
                _log.exception(
                    "audit outcome refused", sequence=entry.intent_id, outcome=entry.outcome
                )


def _is_written(end: AuditEntry) -> bool:
    return AuditEntry.objects.filter(intent=end.intent_id).exists()


def begun(origin: Origin, connection: Connection | None, **fields: object) -> AuditEntry:
    """The entry that a write is about to leave, for a ledger to write; one of another outcome,
    where the fields name it."""
    data = {
        "outcome": Outcome.BEGUN,
        "email": origin.email or (origin.actor.email if origin.actor else ""),
        "ip": origin.ip,
        "request_id": origin.request_id,
        "elevated_to": origin.elevated_to,
        "connection_key": connection.key if connection else "",
        "connection_name": connection.name if connection else "",
        **fields,
    }
    texts = {
        name: _text(name, value) if isinstance(value, str) else value
        for name, value in data.items()
    }
    return AuditEntry(actor=origin.actor, **texts)


def _text(name: str, value: str) -> str:
    """The value as any database takes it: no NUL, no half characters, not too long."""
    storable = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    storable = storable.encode("utf-8", "replace").decode()
    return storable[: _LONGEST.get(name)]


def sent_by(call: Call[object]) -> dict[str, object]:
    """The query and the body of a call, masked; files by their size."""
    query: dict[str, object] = call.query.masked() if call.query else {}
    if call.body is None:
        return query
    if call.body.content_type == "multipart/form-data":
        for name, content in call.body.model_dump().items():
            query[name] = f"{len(content)} bytes"  # untranslated: stored in one language
        return query
    return query | call.body.masked()


def state(model: Model) -> JsonDict:
    """Returns a model that was read, masked, with the service's fields beyond its document."""
    return mask(type(model), model.sent())


def touched(
    before: JsonDict, sent: JsonDict, read_as: Mapping[str, str] = MappingProxyType({})
) -> JsonDict:
    """The part of `before` that `sent` writes to; all of it where their fields are not the same.

    `read_as` are names of fields that are read under another one.
    """
    others = {read_as[name] for name in sent if read_as.get(name) in before}
    common = {name: before[name] for name in others} | {
        name: touched(before[name], value)
        if isinstance(value, dict) and isinstance(before[name], dict)
        else before[name]
        for name, value in sent.items()
        if name in before
    }
    return common or before


def without_secrets(text: str, call: Call[object]) -> str:
    """A message of the service, in case it repeats a secret that it was sent."""
    for model in (call.query, call.body):
        if model is not None and model.content_type == "application/json":
            for secret in _secrets(model.sent(), model.masked()):
                text = text.replace(secret, MASK)
    return text


def _secrets(sent: object, masked: Any) -> list[str]:
    if masked == MASK and sent != MASK:
        return [str(sent)]
    if isinstance(sent, dict):
        return [secret for key, item in sent.items() for secret in _secrets(item, masked[key])]
    if isinstance(sent, list) and isinstance(masked, list):
        pairs = zip(sent, masked, strict=True)
        return [secret for item, hidden in pairs for secret in _secrets(item, hidden)]
    return []
