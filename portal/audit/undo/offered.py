"""The undo of entries of the audit trail as a page of them offers it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from portal.access.grants import connections_of, scopes_of
from portal.access.models import User
from portal.access.scope import Scope
from portal.audit.changes import ChangeLine
from portal.audit.models import AuditEntry
from portal.audit.reading import undone_among
from portal.audit.undo.later import obstacles_of
from portal.audit.undo.recorded import inverse_operation


@dataclass(frozen=True)
class JobBehind:
    """The job that made a change, as far as the trail shows it. One that `is_undone_as_a_whole`
    has no undo of its single changes."""

    title: str
    url: str
    is_undone_as_a_whole: bool


# Returns the jobs behind entries that these scopes show, by the ids of their requests.
JobsBehind = Callable[[Iterable[Scope], Iterable[AuditEntry]], Mapping[str, JobBehind]]
_jobs_behind: list[JobsBehind] = []


def register_jobs(find: JobsBehind) -> None:
    """Registers what finds the jobs behind entries."""
    _jobs_behind.append(find)


@dataclass(frozen=True)
class Undoing:
    """The undo of an entry: `can` it be undone by the reader on its own, is it `undone` already, or
    which `obstacle` does it have."""

    can: bool
    obstacle: str
    undone: ChangeLine | None = None


@dataclass(frozen=True)
class UndoableLine(ChangeLine):
    """An entry in words, the job that made the change, if one did, and its undo by the reader."""

    undoing: Undoing
    job: JobBehind | None


def undoable_lines(user: User, entries: Iterable[AuditEntry]) -> list[UndoableLine]:
    """Returns entries as lines, with the undos that the user has over their connections."""
    entries = list(entries)
    keys = {entry.connection_key for entry in entries} - {""}
    connections = connections_of(user).select_related("owner").filter(key__in=keys)
    return lines_within(scopes_of(user, connections), entries)


def lines_within(scopes: Iterable[Scope], entries: Iterable[AuditEntry]) -> list[UndoableLine]:
    """Returns entries as lines, with the undos that these scopes allow."""
    entries, by_key = list(entries), {scope.connection.key: scope for scope in scopes}
    jobs: dict[str, JobBehind] = {}
    for find in _jobs_behind:
        jobs |= find(by_key.values(), entries)
    undone = undone_among([entry.sequence for entry in entries])
    obstacles = obstacles_of(entries)
    return [
        _line(
            entry,
            by_key.get(entry.connection_key),
            jobs.get(entry.request_id) if entry.request_id else None,
            undone.get(entry.sequence),
            obstacles[entry.sequence],
        )
        for entry in entries
    ]


def _line(
    entry: AuditEntry,
    scope: Scope | None,
    job: JobBehind | None,
    undone: AuditEntry | None,
    why: str,
) -> UndoableLine:
    by = inverse_operation(entry)
    is_single = job is None or not job.is_undone_as_a_whole
    may = scope is not None and by is not None and scope.can_call(by)
    can = not why and undone is None and is_single and may
    return UndoableLine(entry, Undoing(can, why, ChangeLine(undone) if undone else None), job)
