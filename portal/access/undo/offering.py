"""Undoing as a page offers it beside an entry: that it can be undone, was undone, or has undone
another.

It is said by the trail alone: what is there now is looked at when somebody wants to undo it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from portal.access.audit.changes import ChangeLine
from portal.access.audit.undoings import undone_among
from portal.access.grants import connections_of, grant_of
from portal.access.models import AuditEntry, User
from portal.access.undo.recorded import inverse_operation, obstacle
from portal.contract.operation import Operation

# Whether somebody may call the operation that undoes an entry.
May = Callable[[AuditEntry, Operation[Any, Any]], bool]


@dataclass(frozen=True)
class Undoing:
    """`can` is for whoever looks at it; `undone` is the undo, `obstacle` why there is none."""

    can: bool
    obstacle: str
    undone: ChangeLine | None = None


def may_of(user: User, entries: Iterable[AuditEntry]) -> May:
    """Returns the check of a user's right to undo these entries, each over its own connection."""
    keys = {entry.connection_key for entry in entries} - {""}
    connections = connections_of(user).select_related("owner").filter(key__in=keys)
    scopes = {one.key: grant_of(user, one) for one in connections}

    def may(entry: AuditEntry, by: Operation[Any, Any]) -> bool:
        scope = scopes.get(entry.connection_key)
        return scope is not None and not scope.connection.read_only and scope.may(by)

    return may


def undoings(entries: Iterable[AuditEntry], may: May) -> dict[int, Undoing]:
    """By the numbers of the entries, in one query."""
    shown = list(entries)
    undone = undone_among([entry.sequence for entry in shown])
    return {entry.sequence: _of(entry, undone.get(entry.sequence), may) for entry in shown}


def _of(entry: AuditEntry, undone: AuditEntry | None, may: May) -> Undoing:
    why, by = obstacle(entry), inverse_operation(entry)
    can = not why and undone is None and by is not None and may(entry, by)
    return Undoing(can, why, ChangeLine(undone) if undone else None)
