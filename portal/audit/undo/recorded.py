"""A write as the audit trail has recorded it, and what hinders its undo."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.changes import flat
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import entries_for
from portal.contract import OPERATIONS
from portal.contract.inverse import (
    Deletes,
    NoWayBack,
    PutsBack,
    Recreates,
    Restores,
    TakesOut,
)
from portal.contract.model import MASK, JsonDict, fields
from portal.contract.operation import AnyOperation
from portal.contract.path import decoded
from portal.translation import gettext as _, gettext_lazy

_NOT_RECORDED = gettext_lazy("It is not recorded what was there before.")
SECRET = gettext_lazy("Secrets are not recorded, so that the earlier value is not known.")
_LATER = 500  # entries of an object that are looked at for who changed something since


@dataclass(frozen=True)
class RecordedWrite:
    """A write with its end: its operation, the ids of its path, the sent and the earlier values,
    and the id of the created object."""

    entry: AuditEntry
    end: AuditEntry
    operation: AnyOperation
    ids: tuple[str, ...]
    sent: JsonDict = field(default_factory=dict)
    before: JsonDict = field(default_factory=dict)

    @property
    def created(self) -> str:
        """Returns the id of the created object, or of the created child of an object; empty if none
        was."""
        if self.end.path != self.entry.path:
            return decoded(self.end.path.rpartition("/")[2])
        is_other = self.end.object_id != self.entry.object_id
        return self.end.object_id if is_other else ""

    @cached_property
    def later(self) -> list[AuditEntry]:
        """Returns later entries of the same object that did not fail, newest first."""
        connection = Connection(key=self.entry.connection_key)
        scope = Scope.whole(connection, "who changed an object since, is by anybody")
        result = entries_for(scope, self.end.family, self.end.object_id)
        result = result.filter(sequence__gt=self.entry.sequence)[:_LATER]
        path = self.end.path.partition(" ")[2] if self.end.path != self.entry.path else ""
        return [
            each
            for each in result
            if getattr(each, "answer", each).outcome != Outcome.FAILED and path in each.path
        ]


def recorded(entry: AuditEntry) -> RecordedWrite | None:
    """Returns the write of an entry; None for an entry of the portal's own or of an unknown
    operation."""
    operation = OPERATIONS.get(entry.operation)
    if operation is None or operation.inverse is None:
        return None
    pattern = re.sub(r"\\\{\w+\\\}", "([^/]+)", re.escape(operation.path))
    match = re.fullmatch(pattern, entry.path.partition(" ")[2])
    if match is None:
        return None
    return RecordedWrite(
        entry,
        getattr(entry, "answer", entry),
        operation,
        tuple(decoded(segment) for segment in match.groups()),
        entry.sent or {},
        entry.before or {},
    )


def obstacle(entry: AuditEntry) -> str:
    """Returns why the entry cannot be undone, by the trail alone; empty if it can."""
    result = recorded(entry)
    if result is None:
        return _("Only changes of the conferencing account can be undone here.")
    if result.end.outcome == Outcome.FAILED:
        return _("It failed, so that there is nothing to undo.")
    if result.end.outcome != Outcome.DONE:
        return _("Its outcome is unknown. Check the target.")
    return _no_way_back(result)


def _no_way_back(write: RecordedWrite) -> str:
    inverse = write.operation.inverse
    match inverse:
        case NoWayBack():
            return _(inverse.words)
        case Restores() | Recreates() if not write.before:
            return _NOT_RECORDED
        case Restores() if _only_secrets(write):
            return SECRET
        case Deletes() if not write.created:
            return _("It is not recorded what was created.")
        case PutsBack() if inverse.only[0]:
            name, wanted = inverse.only
            return "" if write.sent.get(name, wanted) == wanted else _(inverse.otherwise)
        case TakesOut() if not inverse.member_of and inverse.listing != "recordings.get":
            return "" if inverse.records in write.before else _NOT_RECORDED
        case _:
            return ""


def has_secret(value: object) -> bool:
    """Returns whether a recorded value is, or has in it, a secret, which is masked."""
    if isinstance(value, Mapping):
        return any(map(has_secret, value.values()))
    return any(map(has_secret, value)) if isinstance(value, list) else value == MASK


def written(write: RecordedWrite) -> Iterator[tuple[str, Any]]:
    """Yields the values that the write has set, by dotted names; one that replaces the whole
    empties the rest."""
    body = write.operation.body
    if write.operation.method == "PUT" and body is not None:
        yield from ((name, None) for name, _info in fields(body) if name not in write.sent)
    yield from flat(write.sent)


def _only_secrets(write: RecordedWrite) -> bool:
    """Returns whether a write has changed secrets alone, which are not recorded."""
    changed, others = changed_secrets(write.operation, write.sent, write.before)
    return bool(changed) and not others


def changed_secrets(
    operation: AnyOperation, sent: JsonDict, before: JsonDict
) -> tuple[list[str], bool]:
    """Returns the names of the secrets that a write changes, and whether it changes more."""
    was, given = dict(flat(before)), dict(flat(sent))
    secrets = [name for name in given if has_secret([given[name], was.get(name)])]
    others = (name for name in given if name not in secrets and given[name] != was.get(name))
    return secrets, operation.method == "PUT" or any(others)


def inverse_operation(entry: AuditEntry) -> AnyOperation | None:
    """Returns the operation that undoes the entry; a role has to allow it."""
    operation = OPERATIONS.get(entry.operation)
    if operation is None or operation.inverse is None or isinstance(operation.inverse, NoWayBack):
        return None
    by = getattr(operation.inverse, "by", "")
    return OPERATIONS[by] if by else operation
