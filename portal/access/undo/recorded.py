"""A write as the audit trail has recorded it, and its undo as a page offers it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import entries_for, undone_among
from portal.access.grants import connections_of, scopes_of
from portal.access.models import AuditEntry, Connection, Outcome, User
from portal.access.scope import Scope
from portal.contract import OPERATIONS
from portal.contract.inverse import (
    Deletes,
    NoWayBack,
    PutsBack,
    Recreates,
    Restores,
    TakesOut,
)
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.path import decoded
from portal.translation import gettext as _, gettext_lazy

_NOT_RECORDED = gettext_lazy("It is not recorded what was there before.")
_LATER = 500  # entries of an object that are looked at for who changed something since
# Returns whether a user may call the operation that undoes an entry.
May = Callable[[AuditEntry, AnyOperation], bool]


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
        case Deletes() if not write.created:
            return _("It is not recorded what was created.")
        case PutsBack() if inverse.only[0]:
            name, wanted = inverse.only
            return "" if write.sent.get(name, wanted) == wanted else _(inverse.otherwise)
        case TakesOut() if not inverse.member_of and inverse.listing != "recordings.get":
            return "" if inverse.records in write.before else _NOT_RECORDED
        case _:
            return ""


def inverse_operation(entry: AuditEntry) -> AnyOperation | None:
    """Returns the operation that undoes the entry; a role has to allow it."""
    operation = OPERATIONS.get(entry.operation)
    if operation is None or operation.inverse is None or isinstance(operation.inverse, NoWayBack):
        return None
    by = getattr(operation.inverse, "by", "")
    return OPERATIONS[by] if by else operation


@dataclass(frozen=True)
class Undoing:
    """The undo of an entry: `can` it be undone by the reader, is it `undone` already, or which
    `obstacle` does it have."""

    can: bool
    obstacle: str
    undone: ChangeLine | None = None


def may_of(user: User, entries: Iterable[AuditEntry]) -> May:
    """Returns the check of a user's right to undo these entries, each over its own connection."""
    keys = {entry.connection_key for entry in entries} - {""}
    connections = connections_of(user).select_related("owner").filter(key__in=keys)
    scopes = {scope.connection.key: scope for scope in scopes_of(user, connections)}

    def may(entry: AuditEntry, by: AnyOperation) -> bool:
        scope = scopes.get(entry.connection_key)
        return scope is not None and scope.can_call(by)

    return may


@dataclass(frozen=True)
class UndoableLine(ChangeLine):
    """An entry in words, and its undo by the reader."""

    undoing: Undoing


def undoings(entries: Iterable[AuditEntry], may: May) -> dict[int, Undoing]:
    """Returns the undo of each entry, by its number, with one query."""
    shown = list(entries)
    undone = undone_among([entry.sequence for entry in shown])
    return {entry.sequence: _of(entry, undone.get(entry.sequence), may) for entry in shown}


def _of(entry: AuditEntry, undone: AuditEntry | None, may: May) -> Undoing:
    why, by = obstacle(entry), inverse_operation(entry)
    can = not why and undone is None and by is not None and may(entry, by)
    return Undoing(can, why, ChangeLine(undone) if undone else None)
